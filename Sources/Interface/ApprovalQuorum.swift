/// How many people have to approve what a service asks, by amount (`docs/approvals.md`, "Quorum").
public struct ApprovalQuorum: Codable, Sendable, Equatable {
    /// From this amount on so many.
    public struct Step: Codable, Sendable, Equatable {
        /// In the smallest unit of the currency, 0 to 10^15.
        public var from: Int64
        /// How many have to approve, 1 to 16.
        public var need: Int
        public init(from: Int64, need: Int) {
            self.from = from
            self.need = need
        }
    }
    /// A code of ISO 4217.
    public var currency: String
    /// 1 to 16: the first from 0 on, and each with a larger amount and more people than the one before.
    public var steps: [Step]
    public init(currency: String, steps: [Step]) {
        self.currency = currency
        self.steps = steps
    }
}
