public import Encodings

/// Why an act on a transaction is refused.
public enum SigningError: Error, Equatable, Sendable {
    /// Only the operator before whom the client signed decides.
    case notYours
    /// It was confirmed or refused before.
    case alreadyDecided
    /// The time in which the operator may decide is over.
    case lapsed
    /// The client was enrolled again since: the template used for the comparison is gone.
    case otherTemplate
}

/// A transaction, from signature to decision: pending → confirmed or refused.
///
/// A mismatch and a repeated movement are refused at once. The rest waits for the operator, who has seen the client
/// sign, and lapses if the operator does not decide.
public struct SigningLifecycle: Sendable, Equatable {
    /// Where a transaction stands.
    public enum State: Sendable, Equatable {
        case pending
        case confirmed
        case refused
    }

    /// Why the organisation refuses what no operator has refused.
    public enum Refusal: Sendable, Equatable {
        /// The signature is not like the client's.
        case comparison
        /// The movement is one that was seen before.
        case recording
        /// Nobody decided in time.
        case lapsed
        /// The client was enrolled again before anybody decided.
        case enrolledAgain

        /// The reason as records say it.
        public var words: StaticString {
            switch self {
            case .comparison: "the comparison"
            case .recording: "a recording of an earlier movement"
            case .lapsed: "nobody decided in time"
            case .enrolledAgain: "the client was enrolled again"
            }
        }
    }

    /// Where it stands.
    public private(set) var state: State
    /// The id of the operator before whom the client signed.
    public let operatorID: Bytes
    /// The id of the template that was compared with.
    public let template: Bytes
    /// When the client signed, in seconds since 1970.
    public let signed: Int64

    /// A transaction as it was stored.
    public init(state: State, operatorID: Bytes, template: Bytes, signed: Int64) {
        self.state = state
        self.operatorID = operatorID
        self.template = template
        self.signed = signed
    }

    /// The outcome of a new signature: it waits for the operator, or is refused at once.
    public static func refusal(isMatch: Bool, isRecording: Bool) -> Refusal? {
        if isRecording { return .recording }
        return isMatch ? nil : .comparison
    }

    /// The operator confirms that the client signed.
    ///
    /// - Parameters:
    ///   - current: the id of the client's template as it is now; `nil` when there is none.
    ///   - time: seconds in which the operator may decide.
    public mutating func confirm(
        by operatorID: Bytes, under current: Bytes?, now: Int64, within time: Int64
    ) throws(SigningError) {
        try check(operatorID, now: now, within: time)
        guard current == template else { throw .otherTemplate }
        state = .confirmed
    }

    /// The operator refuses.
    public mutating func refuse(by operatorID: Bytes, now: Int64, within time: Int64) throws(SigningError) {
        try check(operatorID, now: now, within: time)
        state = .refused
    }

    /// The organisation refuses what nobody has decided.
    public mutating func end() throws(SigningError) {
        guard state == .pending else { throw .alreadyDecided }
        state = .refused
    }

    private func check(_ operatorID: Bytes, now: Int64, within time: Int64) throws(SigningError) {
        guard operatorID == self.operatorID else { throw .notYours }
        guard state == .pending else { throw .alreadyDecided }
        guard now - signed <= time else { throw .lapsed }
    }
}
