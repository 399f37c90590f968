import Approvals
import Encodings
import EllipticCurves

/// A decision that is proved: every signature in it holds, and it is about this service.
///
/// Keep `bytes`: the server does for 90 days.
public struct Receipt: Equatable, Sendable {
    /// Who answered.
    public struct Answer: Equatable, Sendable {
        /// What the service's user is called in receipts, 32 bytes as base64url.
        public let account: String
        public let deviceName: String
        /// Seconds since 1970.
        public let time: Int64
    }
    /// The id of the question.
    public let id: String
    /// Whether it was approved; otherwise it was denied.
    public let isApproved: Bool
    public let action: Action
    /// What was asked, as it was signed.
    public let fields: [Field]
    /// The code that was typed, if there was one and it was approved.
    public let code: String?
    /// The lines that people saw.
    public let lines: [String]
    public let answers: [Answer]
    /// How many had to approve: there are as many answers if it was approved, each of another account.
    public let need: Int
    /// When it was decided, in seconds since 1970.
    public let time: Int64
    /// The receipt itself.
    public let bytes: [UInt8]

    /// Checks a receipt from its bytes alone, without any server.
    ///
    /// - Parameters:
    ///   - id: of the question that it must be about.
    ///   - rule: what it must meet: an approval by fewer than it demands for this action and these amounts is refused.
    /// - Throws: `badReceipt`.
    public init(
        _ bytes: [UInt8], of service: PinnedService, for id: String, meeting rule: QuorumRule? = nil
    ) throws(ServiceError) {
        let verified: VerifiedApprovalReceipt
        do throws(ApprovalReceiptError) {
            verified = try ApprovalReceipt.verify(bytes, trusting: [service.trusted], suite: PureSuite())
        } catch {
            throw .badReceipt(ReceiptProblem(error))
        }
        let challenge = verified.challenge
        self.id = Self.text(Hex.encode(challenge.id))
        guard challenge.id == Hex.decode(Bytes(text: id)) else { throw .badReceipt(.otherRequest) }
        action = Action(challenge.action)
        fields = challenge.fields.map(Field.init)
        lines = verified.lines.map { "\($0.label): \(Self.text($0.text))" }
        answers = verified.answers.map { answer in
            Answer(
                account: Self.text(Base64.encode(answer.account, .url)), deviceName: Self.text(answer.name),
                time: answer.time)
        }
        switch verified.decision {
        case .allow(let code): (isApproved, self.code) = (true, code.map(Self.text))
        case .deny: (isApproved, code) = (false, nil)
        }
        need = challenge.need
        if isApproved, let demanded = rule?.inCore.need(for: challenge.action, challenge.fields), need < demanded {
            throw .badReceipt(.tooFew)
        }
        time = verified.time
        self.bytes = bytes
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension ReceiptProblem {
    init(_ error: ApprovalReceiptError) {
        switch error {
        case .unknownService: self = .otherService
        case .badChallengeSignature, .badOutcomeSignature, .badConfirmation, .badAnswerSignature: self = .badSignature
        case .malformed, .otherOutcome, .notAnApprover, .wrongQuorum, .otherText, .wrongCode, .wrongTime:
            self = .malformed
        }
    }
}
