public import Encodings

/// One answer in a receipt: who gave it, and the server's word that this device may.
public struct ReceiptAnswer: Sendable, Equatable {
    /// The statement of a `DeviceConfirmation`, word for word.
    public let confirmation: Bytes
    /// The server's signature over it.
    public let confirmationSignature: Bytes
    /// The device's signature.
    public let signature: Bytes
    /// When the answer came, in seconds since 1970.
    public let time: Int64

    /// An answer that counted.
    public init(confirmation: Bytes, confirmationSignature: Bytes, signature: Bytes, time: Int64) {
        self.confirmation = confirmation
        self.confirmationSignature = confirmationSignature
        self.signature = signature
        self.time = time
    }

    func write(to writer: inout BencodeWriter) {
        writer.beginList()
        writer.string(confirmation)
        writer.string(confirmationSignature)
        writer.string(signature)
        writer.integer(time)
        writer.end()
    }

    init(_ value: Bencode) throws(ApprovalReceiptError) {
        guard let parts = value.list, parts.count == 4, let confirmation = parts[0].string,
            let confirmationSignature = parts[1].string, let signature = parts[2].string, let time = parts[3].integer,
            confirmationSignature.count == 64, signature.count == 64
        else { throw .malformed }
        self.init(
            confirmation: confirmation, confirmationSignature: confirmationSignature, signature: signature, time: time)
    }
}

/// Everything that a third party needs to check an approval or a denial, without any server.
///
/// Approvals of several people are one receipt: all of them signed the same bytes.
public struct ApprovalReceipt: Sendable, Equatable {
    /// The longest receipt, in bytes.
    public static let maximumLength = ApprovalChallenge.maximumLength + (1 << 15)

    /// The challenge that was answered.
    public let challenge: SignedApprovalChallenge
    /// What was decided.
    public let decision: ApprovalDecision
    /// The hash of what was shown, as the answers have it.
    public let shown: Bytes
    /// The answers that decided, in the order of their arrival.
    public let answers: [ReceiptAnswer]
    /// The salt of the match code; `nil` when no code was asked for, or somebody denied.
    public let salt: Bytes?
    /// When it was decided, in seconds since 1970.
    public let time: Int64

    /// What a request has come to.
    public init<Suite: CryptoSuite>(
        challenge: SignedApprovalChallenge, decision: ApprovalDecision, answers: [ReceiptAnswer], salt: Bytes?,
        time: Int64, suite: Suite
    ) {
        self.challenge = challenge
        self.decision = decision
        self.answers = answers
        self.salt = salt
        self.time = time
        shown = challenge.challenge.shown(suite: suite)
    }

    init(
        challenge: SignedApprovalChallenge, decision: ApprovalDecision, shown: Bytes, answers: [ReceiptAnswer],
        salt: Bytes?, time: Int64
    ) {
        self.challenge = challenge
        self.decision = decision
        self.shown = shown
        self.answers = answers
        self.salt = salt
        self.time = time
    }

    /// The outcome that the server signs to make the receipt whole.
    public func outcome<Suite: CryptoSuite>(suite: Suite) -> ApprovalOutcome {
        ApprovalOutcome(
            of: challenge, isApproved: decision.label == .allow, answers: answers, time: time, suite: suite)
    }

    /// The receipt: a list of `receipt`, challenge, its signature, `allow` or `deny`, the signed dictionary, answers,
    /// salt, outcome and its signature.
    ///
    /// - Parameter signature: over `outcome(suite:).statement()`.
    public func encoded<Suite: CryptoSuite>(signature: Bytes, suite: Suite) -> Bytes {
        let outcome = outcome(suite: suite).statement()
        var writer = BencodeWriter(capacity: challenge.statement.count + 1_024 + 1_024 * answers.count)
        writer.beginList()
        writer.text("receipt")
        writer.string(challenge.statement)
        writer.string(challenge.signature)
        writer.text(decision.name)
        writer.encoded(decision.dictionary(shown: shown))
        writer.encoded(Self.encoded(answers))
        writer.string(salt ?? [])
        writer.string(outcome)
        writer.string(signature)
        writer.end()
        return writer.bytes
    }

    /// The list of answers as it is hashed.
    static func encoded(_ answers: [ReceiptAnswer]) -> Bytes {
        var writer = BencodeWriter(capacity: 1_024 * answers.count)
        writer.beginList()
        for answer in answers { answer.write(to: &writer) }
        writer.end()
        return writer.bytes
    }
}
