/// An organisation's description of itself at `/.well-known/countersign.json`, for verifiers who know its domain.
///
/// Anybody can publish one under their own domain: it says only which root the owner of that domain wants pinned.
public struct PublishedOrganisation: Codable, Sendable, Equatable {
    /// Where the document is, on the organisation's domain.
    public static let path = "/.well-known/countersign.json"
    /// The form of this document.
    public static let currentFormat = "countersign-organisation-v1"
    /// The largest size of such a document, in bytes.
    public static let maximumSize = 65_536

    public var format: String
    public var name: String
    /// The organisation's server, which may have another name than the domain.
    public var publicURL: String
    /// SHA-256 of the root certificate's DER, lower-case hexadecimal.
    public var rootFingerprint: String
    /// The root certificate, PEM.
    public var rootCertificate: String
    /// The log's verifier key (C2SP signed-note).
    public var logKey: String
    /// The log policy in force, which takes precedence over the key, or `nil`.
    public var logPolicy: LogPolicyStatement?
    /// The forms of files that it issues.
    public var versions: [String]

    public init(_ organisation: Organisation) {
        format = Self.currentFormat
        name = organisation.name
        publicURL = organisation.publicURL
        rootFingerprint = organisation.rootFingerprint
        rootCertificate = organisation.rootCertificate
        logKey = organisation.logKey
        logPolicy = organisation.logPolicy
        versions = ["countersign-presentation-v1"]
    }
}

/// A domain to be looked up.
public struct DomainLookup: Codable, Sendable {
    public var domain: String

    public init(domain: String) { self.domain = domain }
}

/// Status lists to be looked up on their issuer's server.
public struct StatusLookup: Codable, Sendable {
    /// `https://HOST/status/N`, all of one server.
    public var lists: [String]

    public init(lists: [String]) { self.lists = lists }
}

/// The status lists, as that server has them now.
public struct FoundStatus: Codable, Sendable {
    /// Status list tokens, in the order in which they were asked for.
    public var tokens: [String]

    public init(tokens: [String]) { self.tokens = tokens }
}
