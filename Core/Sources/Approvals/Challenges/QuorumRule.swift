import Encodings

/// How many people have to approve, by amount: a rule that a service keeps, and whose result is in the challenge.
public struct QuorumRule: Sendable, Equatable {
    /// From this amount on so many are needed.
    public struct Step: Sendable, Equatable {
        /// In the smallest unit of the rule's currency.
        public let from: Int64
        /// How many have to approve, 1 to 16.
        public let need: Int

        /// A step.
        public init(from: Int64, need: Int) {
            self.from = from
            self.need = need
        }
    }

    /// The currency of the steps.
    public let currency: Currency
    /// In ascending order of amounts and needs; the first is from 0 on.
    public let steps: [Step]

    /// A rule of these steps.
    ///
    /// - Returns: `nil` unless the first step begins at 0 and both numbers of each exceed those of the one before.
    public init?(currency: Currency, steps: [Step]) {
        guard let first = steps.first, first.from == 0, steps.count <= 16,
            steps.allSatisfy({ $0.need >= 1 && $0.need <= ApprovalChallenge.maximumApprovers })
        else { return nil }
        for index in 1..<steps.count {
            guard steps[index].from > steps[index - 1].from, steps[index].need > steps[index - 1].need else {
                return nil
            }
        }
        self.currency = currency
        self.steps = steps
    }

    /// How many have to approve what is shown.
    ///
    /// The largest amount counts. If one is in another currency, the last step holds: nobody escapes the rule by
    /// converting.
    public func need(for fields: [DisplayField]) -> Int {
        var largest: Int64 = 0
        for field in fields {
            guard case .amount(let value, let other) = field else { continue }
            guard other == currency else { return steps[steps.count - 1].need }
            largest = max(largest, value)
        }
        var need = steps[0].need
        for step in steps where largest >= step.from { need = step.need }
        return need
    }
}
