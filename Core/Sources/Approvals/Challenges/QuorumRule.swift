/// How many people have to approve, by amount: an administrator gives it to a service, the server holds the service to
/// it, and the result is in the challenge.
public struct QuorumRule: Sendable, Equatable {
    /// From this amount on so many are needed.
    public struct Step: Sendable, Equatable {
        /// In the smallest unit of the rule's currency, 0 to ``DisplayField/maximumAmount``.
        public let from: Int64
        /// How many have to approve, 1 to 16.
        public let need: Int

        /// A step.
        public init(from: Int64, need: Int) {
            self.from = from
            self.need = need
        }
    }

    /// The most steps: each needs more people than the one before.
    public static let maximumSteps = ApprovalChallenge.maximumApprovers

    /// The currency of the steps.
    public let currency: Currency
    /// In ascending order of amounts and needs; the first is from 0 on.
    public let steps: [Step]

    /// A rule of these steps.
    ///
    /// - Returns: `nil` unless the first step begins at 0 and both numbers of each exceed those of the one before.
    public init?(currency: Currency, steps: [Step]) {
        guard let first = steps.first, first.from == 0, steps.count <= Self.maximumSteps,
            steps.allSatisfy({
                $0.need >= 1 && $0.need <= ApprovalChallenge.maximumApprovers && $0.from <= DisplayField.maximumAmount
            })
        else { return nil }
        for index in 1..<steps.count {
            guard steps[index].from > steps[index - 1].from, steps[index].need > steps[index - 1].need else {
                return nil
            }
        }
        self.currency = currency
        self.steps = steps
    }

    /// The most that it ever demands: the last step's.
    public var most: Int { steps[steps.count - 1].need }

    /// How many have to approve what is shown.
    ///
    /// All amounts count together, so nobody escapes by splitting one. If one is in another currency, the last step
    /// holds: nobody escapes by converting. It holds for a payment without any amount too. Without an amount a sign-in
    /// is for one person, because it moves nothing, and anything else takes the first step.
    public func need(for action: ApprovalAction, _ fields: [DisplayField]) -> Int {
        var sum: Int64?
        for field in fields {
            guard case .amount(let value, let other) = field else { continue }
            let (next, isOver) = value.addingReportingOverflow(sum ?? 0)
            guard other == currency, !isOver else { return most }
            sum = next
        }
        guard let sum else {
            return switch action {
            case .pay: most
            case .signIn: 1
            case .change, .agree: steps[0].need
            }
        }
        var need = steps[0].need
        for step in steps where sum >= step.from { need = step.need }
        return need
    }
}
