import Storage

/// Removes what is kept for a while only, as the slices say; docs/operations.md has the table.
struct RetentionStore {
    let transaction: Transaction

    /// Applies a rule to some rows.
    ///
    /// - Parameters:
    ///   - moment: the last one at which rows may be over.
    ///   - limit: the most rows to change.
    /// - Returns: how many.
    func apply(_ rule: RetentionRule.Rows, moment: Int64, limit: Int) throws -> Int {
        if let list = rule.words { return try delete(rule, with: list, moment: moment, limit: limit) }
        let over = "\(rule.key) IN (\(Self.over(rule)))"
        let statement =
            if let emptied = rule.emptied {
                "UPDATE \(rule.table) SET \(emptied) WHERE \(over)"
            } else {
                "DELETE FROM \(rule.table) WHERE \(over)"
            }
        return try transaction.changes(statement, [.integer(moment), .integer(Int64(limit))])
    }

    /// Deletes some rows with the words by which a list finds them.
    private func delete(
        _ rule: RetentionRule.Rows, with list: SearchWordStore.List, moment: Int64, limit: Int
    ) throws -> Int {
        let keys = try transaction.rows(Self.over(rule), [.integer(moment), .integer(Int64(limit))])
            .map { try $0.text(rule.key) }
        let words = SearchWordStore(transaction: transaction)
        for key in keys {
            try words.remove(list, key)
            try transaction.execute("DELETE FROM \(rule.table) WHERE \(rule.key) = $1", [.text(key)])
        }
        return keys.count
    }

    /// The keys of rows that are over.
    ///
    /// An index leads to them, because other writers have to wait.
    static func over(_ rule: RetentionRule.Rows) -> String {
        "SELECT \(rule.key) FROM \(rule.table) WHERE \(rule.over) LIMIT $2"
    }
}
