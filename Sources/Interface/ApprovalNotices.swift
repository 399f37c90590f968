/// What a service's webhook is told: that something is over, and nothing of what it was about.
public struct ApprovalNotice: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A request for approval.
        case challenge
        /// The enrolment of a device.
        case enrolment
    }
    public var kind: Kind
    /// The id of the request or the enrolment.
    public var id: String
    /// How it ended: an `ApprovalState` or an `ApprovalEnrolment.State`.
    public var state: String
    /// When it ended.
    public var time: Int64
    public init(kind: Kind, id: String, state: String, time: Int64) {
        self.kind = kind
        self.id = id
        self.state = state
        self.time = time
    }

    /// The same at every attempt to deliver it.
    ///
    /// It has the state, since a question whose end was told can turn out to be answered: a service that knows the first key
    /// must not take the second notice for the first.
    public var idempotencyKey: String { "\(kind.rawValue)-\(id)-\(state)" }
}
