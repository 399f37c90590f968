public import Encodings

/// An answer whose signature is good, from a device that is enrolled.
public struct GivenAnswer: Sendable, Equatable {
    /// The label of the account that answers.
    public let approver: Bytes
    /// The key that signed.
    public let key: P256PublicKey
    /// What it says.
    public let decision: ApprovalDecision

    /// An answer; the caller has verified the signature and knows whose key it is.
    public init(approver: Bytes, key: P256PublicKey, decision: ApprovalDecision) {
        self.approver = approver
        self.key = key
        self.decision = decision
    }
}

/// A request for approval, from question to answer: pending → approved, denied, expired or cancelled.
///
/// The first answer wins. The same answer again changes nothing and succeeds, so a device may repeat what it does not
/// know to have arrived. If several have to approve, the first denial decides.
public struct ApprovalLifecycle: Sendable, Equatable {
    /// Where a request stands.
    public enum State: Sendable, Equatable {
        case pending
        case approved
        case denied
        case expired
        case cancelled
    }

    /// What an answer did.
    public enum Effect: Sendable, Equatable {
        /// It counts, and so many more approvals are needed.
        case counted(missing: Int)
        /// The request is approved by it.
        case approved
        /// The request is denied by it.
        case denied
        /// It had counted before; nothing changed.
        case repeated
    }

    /// So many wrong codes end a request, so that guessing does not pay.
    public static let maximumWrongCodes = 3

    /// Where it stands.
    public private(set) var state: State
    /// Until when an answer counts, in seconds since 1970; this second still counts.
    public let expires: Int64
    /// The labels of the accounts that may answer.
    public let approvers: [Bytes]
    /// How many of them have to approve.
    public let need: Int
    /// The answers that counted, in the order of their arrival.
    public private(set) var answers: [GivenAnswer]
    /// How many answers had a wrong code.
    public private(set) var wrongCodes: Int

    /// A request as it was stored, or a new one.
    public init(
        state: State = .pending, expires: Int64, approvers: [Bytes], need: Int = 1, answers: [GivenAnswer] = [],
        wrongCodes: Int = 0
    ) {
        self.state = state
        self.expires = expires
        self.approvers = approvers
        self.need = need
        self.answers = answers
        self.wrongCodes = wrongCodes
    }

    /// The state that a reader should be told at this time: nobody has to write a row for a request to expire.
    public func state(at now: Int64) -> State { state == .pending && now > expires ? .expired : state }

    /// Takes an answer.
    ///
    /// - Throws: `alreadyAnswered`, `expired` or `unknownDevice`; then nothing changed.
    public mutating func take(_ answer: GivenAnswer, at now: Int64) throws(ApprovalError) -> Effect {
        // A repeated answer succeeds, no matter what happened since: its first reply was lost, and the answer did
        // count.
        if answers.contains(answer) { return .repeated }
        try checkOpen(at: now)
        guard approvers.contains(answer.approver) else { throw .unknownDevice }
        for given in answers where given.approver == answer.approver { throw .alreadyAnswered }
        answers.append(answer)
        guard case .allow = answer.decision else {
            state = .denied
            return .denied
        }
        guard answers.count >= need else { return .counted(missing: need - answers.count) }
        state = .approved
        return .approved
    }

    /// Counts an answer that was signed, but with another code than the asking page shows.
    ///
    /// - Throws: `alreadyAnswered` or `expired`.
    public mutating func noteWrongCode(at now: Int64) throws(ApprovalError) {
        try checkOpen(at: now)
        wrongCodes += 1
        if wrongCodes >= Self.maximumWrongCodes { state = .cancelled }
    }

    /// The service no longer asks, or the person who was asked discards the request.
    ///
    /// - Throws: `alreadyAnswered` or `expired`.
    public mutating func cancel(at now: Int64) throws(ApprovalError) {
        if state == .cancelled { return }
        try checkOpen(at: now)
        state = .cancelled
    }

    /// Writes down that the time is over, if it is.
    public mutating func settle(at now: Int64) { state = state(at: now) }

    private func checkOpen(at now: Int64) throws(ApprovalError) {
        switch state(at: now) {
        case .pending: return
        case .expired: throw .expired
        case .approved, .denied, .cancelled: throw .alreadyAnswered
        }
    }
}
