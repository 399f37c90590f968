import Interface
import Storage

/// Who works at the desks, as the main administrator's list shows them: whoever has ever had a key.
struct OperatorListStore {
    let transaction: Transaction
    private let searches = ListSearches()

    /// What can be looked at by itself.
    enum Part: String, ListPart {
        case all, active, blocked
    }

    private static let columns = """
        \(AccountStore.columns), blocked, blocked_reason,
            (SELECT COUNT(*) FROM signings WHERE signings.operator = accounts.id) AS signings
        """
    private static let roles: [Role] = [.operator, .administrator]

    /// One page of a part.
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
        return try found.map(Self.operator).flatMap { Self.roles.contains($0.account.role) ? $0 : nil }
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
            reason: try blocked.map { _ in try row.text("blocked_reason") }, signings: try row.integer("signings"))
    }
}
