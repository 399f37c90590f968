import Encodings
import Interface
import Storage

/// Who works at the desks: listed, blocked with a reason, never erased by that.
struct OperatorService {
    let environment: Environment

    func list() async throws -> [Operator] {
        try await environment.database.read { transaction in
            try DeskStore(transaction: transaction).operators(limit: Limits.listing).compactMap {
                try describe($0, in: transaction)
            }
        }
    }

    /// Keeps an account out, at once, until it is let in again.
    func block(_ id: String, _ reason: Reason, _ principal: Principal) async throws -> Operator {
        let words = try DeskRules.reason(reason.reason)
        let blocked = try await change(id, to: words, by: principal)
        environment.events.end(account: id)
        return blocked
    }

    func unblock(_ id: String, _ principal: Principal) async throws -> Operator {
        try await change(id, to: nil, by: principal)
    }

    private func change(_ id: String, to reason: String?, by principal: Principal) async throws -> Operator {
        let now = environment.now()
        let (changed, index) = try await environment.database.write { transaction in
            let store = AccountStore(transaction: transaction)
            guard let account = try store.find(id: id) else {
                throw AccountError.deviceNotFound
            }
            guard account.role == .operator || account.role == .administrator else {
                throw HandSignatureError.notAnOperator
            }
            guard try (store.block(of: id) == nil) == (reason != nil) else { throw HandSignatureError.blockedAlready }
            try store.setBlock(of: id, since: reason == nil ? nil : now, reason: reason ?? "")
            try SessionStore(transaction: transaction).deleteAll(account: id)
            let index = try environment.log.record(
                TrustEvent(
                    reason == nil ? .operatorUnblocked : .operatorBlocked, account: id,
                    [("by", .text(principal.account)), ("reason", .text(reason ?? ""))]),
                in: transaction, now: now)
            guard let described = try describe(id, in: transaction) else { throw AccountError.deviceNotFound }
            return (described, index)
        }
        var answer = changed
        answer.receipt = try await environment.log.receipt(index)
        return answer
    }

    /// Whether an account has written documents of the desk, which its log entries tell.
    func hasEdited(_ account: String, in transaction: Transaction) throws -> Bool {
        try DeskStore(transaction: transaction).hasEdited(account)
    }

    private func describe(_ id: String, in transaction: Transaction) throws -> Operator? {
        guard let account = try AccountStore(transaction: transaction).find(id: id) else { return nil }
        let block = try AccountStore(transaction: transaction).block(of: id)
        return Operator(
            account: account, blocked: block?.since, reason: block?.reason,
            signings: try SigningStore(transaction: transaction).count(operatorID: id))
    }
}
