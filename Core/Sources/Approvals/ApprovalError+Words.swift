extension ApprovalError {
    /// What is wrong, for people, in English.
    public var words: StaticString {
        switch self {
        case .malformed: "This is no message of the protocol."
        case .unknownChallenge: "There is no such request, or this answers another one."
        case .expired: "The time in which an answer counts is over."
        case .alreadyAnswered: "Somebody has answered this request, or the service has cancelled it."
        case .invalidSignature: "The signature does not cover these bytes."
        case .unsupportedKey: "The key is not the one that this device knows of the service."
        case .unknownDevice: "This device may not answer this request."
        case .wrongCode: "The code is not the one on the page that asks."
        case .otherText: "The answer is for another text than the request shows."
        }
    }
}

extension ApprovalReceiptError {
    /// The name that programs read, snake case.
    public var name: StaticString {
        switch self {
        case .malformed: "malformed"
        case .unknownService: "unknown_service"
        case .badChallengeSignature: "bad_challenge_signature"
        case .badOutcomeSignature: "bad_outcome_signature"
        case .otherOutcome: "other_outcome"
        case .badConfirmation: "bad_confirmation"
        case .badAnswerSignature: "bad_answer_signature"
        case .notAnApprover: "not_an_approver"
        case .wrongQuorum: "wrong_quorum"
        case .otherText: "other_text"
        case .wrongCode: "wrong_code"
        case .wrongTime: "wrong_time"
        }
    }

    /// What is wrong, for people, in English.
    public var words: StaticString {
        switch self {
        case .malformed: "This is no receipt of an approval."
        case .unknownService: "The receipt is from a service, or a key of it, that you do not trust."
        case .badChallengeSignature: "The service did not sign the question."
        case .badOutcomeSignature: "The service did not sign what came of it."
        case .otherOutcome: "The signed outcome is for another question or other answers."
        case .badConfirmation: "The service did not confirm a device that answered."
        case .badAnswerSignature: "A device did not sign its answer."
        case .notAnApprover: "Somebody answered who was not asked, or answered twice."
        case .wrongQuorum: "Fewer or more people answered than decide."
        case .otherText: "The answers are for another text than the question shows."
        case .wrongCode: "The code is not the one that the asking page showed."
        case .wrongTime: "The times contradict each other."
        }
    }
}
