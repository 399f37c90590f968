import Interface
import Storage

/// What the log has about one account, newest first, page by page.
///
/// Places are positions alone, which are unique: `KeysetStore` is for lists with a sort key and an id.
struct LogListStore {
    let transaction: Transaction

    /// One page, where the next one begins, and with the first page how many entries there are.
    ///
    /// Entries of some types are looked for along the list, some way for each page: an index by type would cost every
    /// act another write. Such a page may be short, or empty, and be followed by another.
    ///
    /// - Parameter types: those of the entries, at least one; `nil` for all.
    func page(
        account: String, types: [String]?, _ request: ListRequest
    ) throws -> (rows: [LogStore.Stored], next: ListCursor?, counts: [ListCount]?) {
        let before = request.cursor?.time
        var end: Int64?
        if types != nil { end = try lastWalked(account: account, before: before) }
        // One more tells whether there is another page.
        let found = try LogStore(transaction: transaction)
            .list(account: account, types: types, before: before, to: end, limit: request.limit + 1)
        let shown = Array(found.prefix(request.limit))
        let last = found.count > shown.count ? shown.last?.position : end
        let next = last.map { ListCursor(key: .time($0), id: "entry", scope: request.scope) }
        guard before == nil else { return (shown, next, nil) }
        return (shown, next, try counts(account: account, types: types, isWhole: end == nil))
    }

    /// The position of the last of the next entries that are looked at for one page; `nil` when there are fewer.
    private func lastWalked(account: String, before: Int64?) throws -> Int64? {
        try transaction.row(Self.walk, [.text(account), .integer(before ?? .max)])?.integer("position")
    }

    /// Finds where the walk for one page ends.
    static let walk = """
        SELECT position FROM log_entries WHERE account = $1 AND position < $2 ORDER BY position DESC
        LIMIT 1 OFFSET \(Limits.walked - 1)
        """

    /// How many entries there are.
    ///
    /// Those of some types are counted where one walk comes to the end of the list. Elsewhere nothing is told, as in
    /// other searches that walk.
    private func counts(account: String, types: [String]?, isWhole: Bool) throws -> [ListCount] {
        guard isWhole else { return [] }
        var (sql, values) = (Self.counting, [SQLValue.text(account)])
        if let types {
            var conditions = SQLConditions()
            conditions.add("account = ?", values)
            conditions.add(LogStore.oneOf(types), types.map { .text($0) })
            (sql, values) = ("SELECT COUNT(*) AS total FROM log_entries \(conditions.clause)", conditions.values)
        }
        return [ListCount(show: "all", upTo: try transaction.row(sql, values)?.integer("total") ?? 0)]
    }

    /// Counts all entries of an account, up to `Limits.counted`, as `total`.
    static let counting = """
        SELECT COUNT(*) AS total FROM (
            SELECT 1 FROM log_entries WHERE account = $1 ORDER BY position DESC LIMIT \(Limits.counted + 1)
        ) AS part
        """
}
