public import Encodings

/// The server's last word about a request: what came of it, and by which answers.
public struct ApprovalOutcome: Sendable, Equatable {
    static let maximumLength = 1 << 10

    /// SHA-256 of the challenge's statement.
    public let challenge: Bytes
    /// SHA-256 of the answers, as the receipt has them.
    public let answers: Bytes
    /// Whether the request was approved; otherwise it was denied.
    public let isApproved: Bool
    /// The key of the service.
    public let serverKey: P256PublicKey
    /// When it was decided, in seconds since 1970.
    public let time: Int64

    init(challenge: Bytes, answers: Bytes, isApproved: Bool, serverKey: P256PublicKey, time: Int64) {
        self.challenge = challenge
        self.answers = answers
        self.isApproved = isApproved
        self.serverKey = serverKey
        self.time = time
    }

    /// What has come of a request: its receipt says the same.
    ///
    /// - Parameter answers: those that decided, in the order of their arrival.
    public init<Suite: CryptoSuite>(
        of challenge: SignedApprovalChallenge, isApproved: Bool, answers: [ReceiptAnswer], time: Int64, suite: Suite
    ) {
        self.init(
            challenge: suite.sha256(challenge.statement), answers: suite.sha256(ApprovalReceipt.encoded(answers)),
            isApproved: isApproved, serverKey: challenge.challenge.serverKey, time: time)
    }

    /// The bytes that the server signs.
    public func statement() -> Bytes {
        var writer = BencodeWriter(capacity: 384)
        writer.beginDictionary()
        writer.text("alg")
        writer.text(ApprovalStatement.algorithm)
        writer.text("answers")
        writer.string(answers)
        writer.text("challenge")
        writer.string(challenge)
        writer.text("key")
        writer.string(serverKey.x963)
        writer.text("kind")
        writer.text("outcome")
        writer.text("result")
        writer.text(isApproved ? Self.approved : Self.denied)
        writer.text("time")
        writer.integer(time)
        writer.end()
        return ApprovalStatement.server(writer.bytes)
    }

    /// Reads a statement.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ statement: Bytes) throws(ApprovalError) -> ApprovalOutcome {
        var members = try ApprovalStatement.openServer(statement, maximumLength: maximumLength)
        try members.expect("alg", ApprovalStatement.algorithm)
        let answers = try members.string("answers", exactly: 32)
        let challenge = try members.string("challenge", exactly: 32)
        let serverKey = try members.key("key")
        try members.expect("kind", "outcome")
        let result = try members.string("result", 1...16)
        let time = try members.integer("time")
        try members.finish()
        guard result.equals(approved) || result.equals(denied) else { throw .malformed }
        return ApprovalOutcome(
            challenge: challenge, answers: answers, isApproved: result.equals(approved), serverKey: serverKey,
            time: time
        )
    }

    private static let approved: StaticString = "approved"
    private static let denied: StaticString = "denied"
}
