/// Makes a link to the copy that a client takes home.
///
/// The page has encrypted the copy, and the server never learns the key. The link opens three times.
public struct NewSigningCopy: Codable, Sendable {
    /// AES-256-GCM: nonce, ciphertext, tag; base64url.
    public var sealed: String
    /// For how many seconds the link works.
    public var lifetime: Int64
    /// As in ``NewShare/keyCheck``.
    public var keyCheck: String
    public init(sealed: String, lifetime: Int64, keyCheck: String) {
        (self.sealed, self.lifetime, self.keyCheck) = (sealed, lifetime, keyCheck)
    }
}

/// A link to a client's copy, as it is listed with the transaction.
///
/// `code` is there only in the answer that made it.
public struct SigningCopy: Codable, Sendable {
    public var id: String
    public var created: Int64
    public var expires: Int64
    public var views: Int
    public var maximumViews: Int
    public var stopped: Int64?
    /// True if that was done by five wrong codes.
    public var stoppedByWrongCodes: Bool?
    /// Who made it; empty where that person was erased.
    public var makerName: String
    /// Whether the caller may stop it.
    public var isStoppable: Bool
    public var code: String?

    public init(
        id: String, created: Int64, expires: Int64, views: Int, maximumViews: Int, stopped: Int64?,
        stoppedByWrongCodes: Bool?, makerName: String, isStoppable: Bool, code: String? = nil
    ) {
        self.id = id
        self.created = created
        self.expires = expires
        self.views = views
        self.maximumViews = maximumViews
        self.stopped = stopped
        self.stoppedByWrongCodes = stoppedByWrongCodes
        self.makerName = makerName
        self.isStoppable = isStoppable
        self.code = code
    }
}
