public import Encodings

/// What a server offers to a device: to be enrolled for an account.
///
/// One device takes it, within a short time.
public struct ApprovalOffer: Sendable, Equatable {
    /// The longest life of an offer, in seconds.
    public static let longestLife: Int64 = 900
    static let maximumLength = 1 << 12

    /// 16 random bytes.
    public let id: Bytes
    /// 32 random bytes.
    public let nonce: Bytes
    /// The label of the account at this service, 32 bytes.
    public let account: Bytes
    /// Who offers.
    public let service: ApprovalService
    /// The key of the service, which the device keeps.
    public let serverKey: P256PublicKey
    /// When it was made, in seconds since 1970.
    public let created: Int64
    /// Until when it can be taken, in seconds since 1970; this second still counts.
    public let expires: Int64
    /// Where the answer goes: printable ASCII, at most 2,048 bytes.
    public let replyURL: Bytes

    /// An offer of these values.
    ///
    /// - Throws: `malformed` when one of them is out of form.
    public init(
        id: Bytes, nonce: Bytes, account: Bytes, service: ApprovalService, serverKey: P256PublicKey, created: Int64,
        expires: Int64, replyURL: Bytes
    ) throws(ApprovalError) {
        guard id.count == 16, nonce.count == 32, account.count == 32, created >= 0, expires > created,
            expires - created <= Self.longestLife, expires <= CivilTime.latest, ApprovalChallenge.isAddress(replyURL)
        else { throw .malformed }
        self.id = id
        self.nonce = nonce
        self.account = account
        self.service = service
        self.serverKey = serverKey
        self.created = created
        self.expires = expires
        self.replyURL = replyURL
    }

    /// The bytes that the server signs.
    public func statement() -> Bytes {
        var writer = BencodeWriter(capacity: 768 + replyURL.count)
        writer.beginDictionary()
        writer.text("account")
        writer.string(account)
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        writer.text("created")
        writer.integer(created)
        writer.text("expires")
        writer.integer(expires)
        writer.text("id")
        writer.string(id)
        writer.text("key")
        writer.string(serverKey.x963)
        writer.text("kind")
        writer.text("offer")
        writer.text("nonce")
        writer.string(nonce)
        writer.text("reply")
        writer.string(replyURL)
        service.write(to: &writer)
        writer.end()
        return ApprovalStatement.server(writer.bytes)
    }

    /// The message that travels.
    public func encoded(signature: Bytes) -> Bytes { SignedStatement.encode("offer", statement(), signature) }

    /// Reads a message and checks that the key in it signed it.
    ///
    /// A device sees this key for the first time. That it is the service's own shows in the code that both screens
    /// compare.
    /// - Throws: `malformed`, `expired`, or `invalidSignature`.
    public static func parse<Suite: CryptoSuite>(
        _ message: Bytes, at now: Int64, suite: Suite
    ) throws(ApprovalError) -> ApprovalOffer {
        let (statement, signature) = try SignedStatement.parse(
            message, name: "offer", maximumLength: maximumLength + 128)
        var members = try ApprovalStatement.openServer(statement, maximumLength: maximumLength)
        let account = try members.string("account", exactly: 32)
        try members.expect("alg", ApprovalStatement.algorithm)
        let created = try members.integer("created")
        let expires = try members.integer("expires")
        let id = try members.string("id", exactly: 16)
        let serverKey = try members.key("key")
        try members.expect("kind", "offer")
        let nonce = try members.string("nonce", exactly: 32)
        let replyURL = try members.string("reply", 1...2_048)
        let service = try ApprovalService.read(from: &members)
        try members.finish()
        let offer = try ApprovalOffer(
            id: id, nonce: nonce, account: account, service: service, serverKey: serverKey, created: created,
            expires: expires, replyURL: replyURL)
        guard suite.isValidP256(signature, over: statement, publicKey: serverKey.x963) else {
            throw .invalidSignature
        }
        guard now <= expires else { throw .expired }
        return offer
    }
}
