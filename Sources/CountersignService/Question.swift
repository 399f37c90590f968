import Interface

/// What a service asks its users.
///
/// ```swift
/// let question = Question(
///     .pay, [.amount(3_000, currency: "GBP"), .payee("Purple Plumbing")], of: ["alice"])
/// ```
public struct Question: Equatable, Sendable {
    public var action: Action
    /// 1 to 256, shown in this order.
    public var fields: [Field]
    /// What the service calls the users who may answer, 1 to 16.
    public var users: [String]
    /// How many of them have to approve; `nil` for as many as the service's quorum says, and one without a quorum.
    public var need: Int?
    /// For how many seconds it can be answered: 10 to 604,800.
    public var lifetime: Int64
    /// How many digits the code has that the asking page shows and the person types: 2 to 12, or 0 for none.
    public var codeDigits: Int
    /// What the service calls the browser that asks, 16 to 200 bytes: for a sign-in, and for nothing else.
    public var browser: String?

    public init(
        _ action: Action, _ fields: [Field], of users: [String], need: Int? = nil, lifetime: Int64 = 120,
        codeDigits: Int = 4, browser: String? = nil
    ) {
        self.action = action
        self.fields = fields
        self.users = users
        self.need = need
        self.lifetime = lifetime
        self.codeDigits = codeDigits
        self.browser = browser
    }

    func request(_ idempotencyKey: String) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: idempotencyKey, action: action.inInterface, fields: fields.map(\.inInterface),
            approvers: users, need: need, lifetime: lifetime, matchDigits: codeDigits, browser: browser)
    }
}
