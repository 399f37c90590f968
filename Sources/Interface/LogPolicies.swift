/// A log policy as the main administrator signed it: whose log, and how many witnesses (C2SP tlog-policy).
public struct LogPolicyStatement: Codable, Sendable, Equatable {
    /// From 1 on; each is one more than the last.
    public var version: Int64
    /// The policy's text.
    public var policy: String
    /// Compact JWS over both by the main administrator's authority key.
    public var statement: String
    /// The main administrator's certificate at the time of signing, DER, base64url.
    public var certificate: String
    public init(version: Int64, policy: String, statement: String, certificate: String) {
        self.version = version
        self.policy = policy
        self.statement = statement
        self.certificate = certificate
    }
}

/// The main administrator puts a log policy in force.
public struct LogPolicyRequest: Codable, Sendable {
    /// Compact JWS; it holds the policy and its version.
    public var statement: String
    public init(statement: String) { self.statement = statement }
}

/// The log as the server keeps it, for the author of a policy.
public struct LogSettings: Codable, Sendable {
    /// The verifier keys that the server can sign with, the oldest first.
    public var keys: [String]
    /// The policy in force, or `nil`: the first key, and no witness.
    public var policy: LogPolicyStatement?
    public init(keys: [String], policy: LogPolicyStatement?) {
        self.keys = keys
        self.policy = policy
    }
}
