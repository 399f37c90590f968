import Interface
import Storage

/// The people who work at the desks, as the main administrator's list shows them: everyone who has ever had a key.
struct OperatorListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all, active, blocked
    }

    private static let columns = "\(AccountStore.columns), blocked, blocked_reason"
    private static let roles: [Role] = [.operator, .administrator]

    /// One page of a part; how many signatures each has taken is not among it.
    func page(_ part: Part, _ request: ListRequest) throws -> (rows: [Operator], next: ListCursor?) {
        try query(part, request.words, request.sort).page(request, in: transaction, Self.operator)
    }

    /// How many there are in each part.
    func counts(_ words: [String]) throws -> [ListCount] {
        try KeysetStore.counts(try Part.allCases.map { ($0.rawValue, try query($0, words)) }, in: transaction)
    }

    /// One of them.
    func find(id: String) throws -> Operator? {
        let found = try transaction.row("SELECT \(Self.columns) FROM accounts WHERE id = $1", [.text(id)])
        guard var found = try found.map(Self.operator), Self.roles.contains(found.account.role) else { return nil }
        let taken = try transaction.row("SELECT COUNT(*) AS total FROM signings WHERE operator = $1", [.text(id)])
        found.signings = try taken?.integer("total") ?? 0
        return found
    }

    /// How many operators there are, without administrators and those who were erased.
    func countOperators() throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS total FROM accounts
            WHERE role = $1 AND (user_handle IS NOT NULL OR passphrase <> '')
            """, [.text(Role.operator.rawValue)])?.integer("total") ?? 0
    }

    /// How many signatures each account has taken.
    func signings() throws -> [String: Int64] {
        try transaction.rows("SELECT operator, COUNT(*) AS total FROM signings GROUP BY operator").reduce(into: [:]) {
            $0[try $1.text("operator")] = try $1.integer("total")
        }
    }

    func query(_ part: Part, _ words: [String], _ sort: ListSort = .newest) throws -> KeysetStore {
        var query = KeysetStore(Self.columns, from: "accounts", order: AccountStore.order(sort), id: "id")
        query.require("(user_handle IS NOT NULL OR passphrase <> '')")
        switch part {
        case .all: break
        case .active: query.require("blocked IS NULL")
        case .blocked: query.require("blocked IS NOT NULL")
        }
        for role in Self.roles {
            for state: Int64 in [0, 1] {
                query.requireOneOf("role = ? AND verified = ?", [.text(role.rawValue), .integer(state)])
            }
        }
        try query.search(.accounts, item: "accounts.id", words: words, by: searches, in: transaction)
        return query
    }

    private static func `operator`(_ row: Row) throws -> Operator {
        let blocked = try row.optionalInteger("blocked")
        return Operator(
            account: try AccountStore.account(row), blocked: blocked,
            reason: try blocked.map { _ in try row.text("blocked_reason") }, signings: 0)
    }
}
