import Approvals

/// Why an approval is refused, beyond what `Core` says.
enum ApprovalRefusal: Error, Equatable {
    /// A text of the request has another length than it may have.
    case invalidText
    /// No number of a challenge of version 1.
    case invalidNumber
    /// Only a sign-in names its browser, and every sign-in does.
    case invalidBrowser
    /// A sign-in without a code could be approved for a stranger.
    case codeMissing
    /// By the service's quorum so many have to approve, and fewer were named.
    case tooFewApprovers(Int)
    /// By the service's quorum so many have to approve, and the request is content with fewer.
    case tooFewNeeded(Int)
    /// A user of the service has no device that could answer.
    case noDevice
    /// One account was named twice.
    case sameApprover
    /// The same idempotency key came with another request.
    case otherRequest
    case tooManyOffers
    case tooManyDevices
    /// No device has taken the offer.
    case notTaken
    case deviceNotFound
    /// No recovery code of this account.
    case wrongRecoveryCode
    /// Recovery codes that work later.
    case recoveryTooEarly(Int64)
    /// The account waits already.
    case recoveryUnderWay
    /// The account does not wait.
    case noRecovery
    /// There is no decision that a receipt could prove.
    case noReceipt
}

extension ApprovalRefusal: ProblemSource {
    package var problem: Problem {
        switch self {
        case .invalidText: Problem(.invalidMember, "A text is too short, too long, or not of the form it should have.")
        case .invalidNumber: Problem(.invalidMember, "message_id: 1 to 2147483647.")
        case .invalidBrowser:
            Problem(.invalidMember, "browser: a sign-in names the browser that asks, and nothing else does.")
        case .codeMissing: Problem(.invalidMember, "match_digits: a sign-in needs a code of 2 digits at least.")
        case .tooFewApprovers(let count):
            Problem(
                .invalidMember,
                "approvers: by the quorum of this service, \(count) have to approve this. Name as many.",
                name: "quorum")
        case .tooFewNeeded(let count):
            Problem(
                .invalidMember,
                "need: by the quorum of this service, \(count) have to approve this. Leave it out, or ask for more.",
                name: "quorum")
        case .noDevice:
            Problem(
                .conflict, "One of the approvers has no device that can answer. Enrol one first.", name: "no_device")
        case .sameApprover: Problem(.invalidMember, "approvers: two of them are the same account.")
        case .otherRequest: Problem(.conflict, "idempotency_key: it came with another request before.")
        case .tooManyOffers:
            Problem(
                .conflict,
                "In ten minutes \(Limits.approvalOffers) enrolments may begin that are not completed, and "
                    + "\(Limits.approvalOffersOfUser) of one user. Wait some minutes.")
        case .tooManyDevices:
            Problem(
                .conflict, "A user has at most \(Limits.approvalDevices) devices at a service. Remove one first.")
        case .notTaken: Problem(.conflict, "No device has taken the offer yet.")
        case .deviceNotFound: Problem(.notFound, "There is no such device.")
        case .wrongRecoveryCode: Problem(.wrongCode, "That is none of your recovery codes.")
        case .recoveryTooEarly(let from):
            Problem(.conflict, "Recovery codes work three days after they were made: from \(from).", name: "too_early")
        case .recoveryUnderWay: Problem(.conflict, "You wait already. Any of your devices can end it.")
        case .noRecovery: Problem(.notFound, "No waiting time was begun.")
        case .noReceipt: Problem(.notFound, "There is no receipt: nobody has decided, or it is kept no longer.")
        }
    }
}

extension ApprovalError: ProblemSource {
    package var problem: Problem {
        let (kind, detail): (ProblemKind, String) =
            switch self {
            case .malformed: (.invalidMember, "message: not the bytes that docs/approvals.md describes.")
            case .unknownChallenge: (.notFound, "There is no such request for approval, or offer.")
            case .expired: (.gone, "The time in which it could be answered is over. Ask again.")
            case .alreadyAnswered: (.conflict, "Somebody has answered, or the service has ended it.")
            case .invalidSignature: (.invalidMember, "message: the signature does not cover this with this key.")
            case .unsupportedKey: (.invalidMember, "message: a device makes a new key on P-256 for each service.")
            case .unknownDevice: (.notFound, "This device may not answer. Enrol it first.")
            case .wrongCode: (.wrongCode, "That is not the code that the asking page shows.")
            case .otherText: (.invalidMember, "message: the device has shown another text than this request's.")
            }
        return Problem(kind, detail, name: "\(name)")
    }
}

extension ChallengeProblem: ProblemSource {
    package var problem: Problem {
        switch self {
        case .textTooLong:
            Problem(.invalidMember, "fields: the texts have more than \(ApprovalChallenge.maximumText) bytes together.")
        case .fieldCount: Problem(.invalidMember, "fields: 1 to \(ApprovalChallenge.maximumFields).")
        case .field(let index):
            Problem(.invalidMember, "fields[\(index)]: not what a field of its type has, or out of range.")
        case .lifetime: Problem(.invalidMember, "lifetime: 10 seconds to a week.")
        case .quorum:
            Problem(
                .invalidMember,
                "approvers: 1 to \(ApprovalChallenge.maximumApprovers), each once, and not fewer than 'need'.")
        case .form: Problem(.internal, cause: "a challenge out of form")
        }
    }
}

extension PromptRefusal {
    /// The refusal as a service is told it, at this time.
    func problem(at now: Int64) -> Problem {
        func wait(_ until: Int64, _ detail: String, _ name: String) -> Problem {
            Problem(.tooManyRequests, detail, retryAfter: Int(max(1, until - now)), name: name)
        }
        return switch self {
        case .serviceDenied(let until): wait(until, "This person wants no requests of this service now.", "denied")
        case .backingOff(let until): wait(until, "This person has said that it was not them.", "backing_off")
        case .alreadyWaiting:
            Problem(.conflict, "A sign-in of this browser waits already.", name: "already_waiting")
        case .budgetUsed(let until): wait(until, "You may ask this person no more often.", "budget_used")
        // Always the same, whatever the reason is and however long it lasts.
        case .notNow: wait(now + PromptRules.hour, "This person cannot be asked now.", "not_now")
        }
    }
}
