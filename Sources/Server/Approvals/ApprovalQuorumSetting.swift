import Approvals
import Encodings
import Interface
import Storage

/// An administrator says how many people have to approve what a service asks, or that the service decides it.
struct ApprovalQuorumSetting {
    let environment: Environment

    /// Changes the rule for what is asked from now on; `nil` for none.
    ///
    /// What waits keeps its number, which is in the bytes that were signed.
    func set(
        _ id: String, _ quorum: ApprovalQuorum?, _ principal: Principal
    ) async throws -> ApprovalServiceChange {
        let rule = try quorum.map { try Self.rule($0) }
        let now = environment.now()
        let (info, index) = try await environment.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            guard var info = try store.find(id: id)?.info else { throw ApprovalServiceError.notFound }
            try store.setQuorum(id, rule)
            info.quorum = rule.map { ApprovalQuorum($0) }
            // The record says the rule, so that nobody weakens it unseen.
            let event = TrustEvent(
                .serviceChanged, account: principal.account,
                [
                    ("domain", .text(info.domain)), ("public_key", .text(info.publicKey)),
                    ("quorum", rule.map { .string($0.text) } ?? .null),
                ])
            return (info, try environment.log.record(event, in: transaction, now: now))
        }
        return ApprovalServiceChange(service: info, receipt: try await environment.log.receipt(index))
    }

    private static func rule(_ quorum: ApprovalQuorum) throws -> QuorumRule {
        guard Currency(code: Bytes(text: quorum.currency)) != nil else { throw ApprovalServiceError.invalidCurrency }
        guard let rule = quorum.inCore else { throw ApprovalServiceError.invalidSteps }
        return rule
    }
}
