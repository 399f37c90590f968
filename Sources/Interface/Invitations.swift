/// Asks for an invitation.
public struct InvitationRequest: Codable, Sendable {
    /// `administrator` or `operator`.
    public var role: Role
    /// For how many seconds it can be used.
    public var lifetime: Int64
    /// The person it is for, at most 200 characters; only those who see invitations read it.
    public var recipient: String?
    public init(role: Role, lifetime: Int64, recipient: String? = nil) {
        self.role = role
        self.lifetime = lifetime
        self.recipient = recipient
    }
}

/// An invitation.
///
/// `code` and `link` are there only in the answer that made it.
public struct Invitation: Codable, Sendable {
    public var id: String
    public var role: Role
    /// The person it is for, if that was said.
    public var recipient: String?
    public var created: Int64
    public var expires: Int64
    public var used: Int64?
    public var code: String?
    public var link: String?

    public init(
        id: String, role: Role, recipient: String? = nil, created: Int64, expires: Int64, used: Int64?,
        code: String? = nil, link: String? = nil
    ) {
        self.recipient = recipient
        self.id = id
        self.role = role
        self.created = created
        self.expires = expires
        self.used = used
        self.code = code
        self.link = link
    }
}
