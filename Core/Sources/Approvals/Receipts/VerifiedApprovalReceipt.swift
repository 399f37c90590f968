public import Encodings

/// Why a receipt proves nothing.
public enum ApprovalReceiptError: Error, Equatable, Sendable {
    /// Not the bytes of a receipt.
    case malformed
    /// The challenge is from a service or a key that the reader does not trust.
    case unknownService
    /// The server did not sign this challenge.
    case badChallengeSignature
    /// The server did not sign this outcome.
    case badOutcomeSignature
    /// The outcome is about another challenge, other answers, another key or another decision.
    case otherOutcome
    /// The server did not confirm the device of the answer of this index.
    case badConfirmation(Int)
    /// The device of the answer of this index did not sign it.
    case badAnswerSignature(Int)
    /// The answer of this index is from an account that may not answer, or that answered already.
    case notAnApprover(Int)
    /// Fewer or more answers than decide.
    case wrongQuorum
    /// The answers are for another text than the challenge renders to.
    case otherText
    /// The code is not the one that was committed to.
    case wrongCode
    /// An answer or the decision came before the challenge or the enrolment, or after the challenge had expired.
    case wrongTime
}

/// A service that the reader of a receipt trusts.
public struct TrustedApprovalService: Sendable, Equatable {
    /// Its id.
    public let id: Bytes
    /// Its key.
    public let key: P256PublicKey

    /// A service and its key.
    public init(id: Bytes, key: P256PublicKey) {
        self.id = id
        self.key = key
    }
}

/// A receipt whose every signature holds: who was asked what, saw what, and answered what, and when.
public struct VerifiedApprovalReceipt: Sendable, Equatable {
    /// Who answered, with which device, and when.
    public struct Answer: Sendable, Equatable {
        /// The label of the account, 32 bytes.
        public let account: Bytes
        /// The device's key.
        public let device: P256PublicKey
        /// The device's name, UTF-8.
        public let name: Bytes
        /// In seconds since 1970.
        public let time: Int64
    }

    /// What was asked.
    public let challenge: ApprovalChallenge
    /// The lines that were shown.
    public let lines: [RenderedLine]
    /// What was decided; everybody who approved typed the same code.
    public let decision: ApprovalDecision
    /// Who decided.
    public let answers: [Answer]
    /// When it was decided, in seconds since 1970.
    public let time: Int64
}
