import Encodings
import Interface
import Storage

/// The people who work at the desks: listed, blocked with a reason, never erased by that.
struct OperatorService {
    let environment: Environment
    /// How many signatures each has taken.
    private let recent = RecentFigures<[String: Int64]>()

    init(environment: Environment) { self.environment = environment }

    func list(_ part: OperatorListStore.Part, _ request: ListRequest) async throws -> Listing<Operator> {
        let signings = try await recent.get(now: environment.now(), rows: { $0.values.reduce(0, +) }) {
            try await environment.database.read { try OperatorListStore(transaction: $0).signings() }
        }
        return try await environment.database.read { transaction in
            let store = OperatorListStore(transaction: transaction)
            var (rows, next) = try store.page(part, request)
            for index in rows.indices { rows[index].signings = signings[rows[index].account.id] ?? 0 }
            return Listing(
                rows, next: next?.text, counts: request.cursor == nil ? try store.counts(request.words) : nil)
        }
    }

    func find(_ id: String) async throws -> Operator {
        let found = try await environment.database.read { try OperatorListStore(transaction: $0).find(id: id) }
        guard let found else { throw AccountError.accountNotFound }
        return found
    }

    /// Blocks an account, at once, until it is unblocked.
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
                throw AccountError.accountNotFound
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
            guard let described = try OperatorListStore(transaction: transaction).find(id: id) else {
                throw AccountError.accountNotFound
            }
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
}
