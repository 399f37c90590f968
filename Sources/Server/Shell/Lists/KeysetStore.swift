import Interface
import Storage

/// A list in the database: newest first, page by page after a place, which stays right while rows are added.
///
/// A page costs the same wherever it is: an index on the columns of its conditions, the key and the id leads to its
/// first row.
struct KeysetStore {
    /// What a row has: a column list.
    let columns: String
    /// Tables and joins.
    let source: String
    /// The sort key: an integer column of `source`, given as `list_key`.
    private var key: String
    /// The column that tells rows with the same key apart, given as `list_id`.
    let id: String
    private var conditions = SQLConditions()
    /// Conditions of which a row meets exactly one: each is walked along its own index.
    private var parts: [(condition: String, values: [SQLValue])] = []

    init(_ columns: String, from source: String, key: String, id: String) {
        (self.columns, self.source, self.key, self.id) = (columns, source, key, id)
    }

    /// Adds a condition that every row meets; each `?` in it stands for the next of `values`.
    mutating func require(_ condition: String, _ values: [SQLValue] = []) {
        conditions.add(condition, values)
    }

    /// Keeps the rows whose `item` has words that begin with each of `words`.
    ///
    /// A few are looked up and sorted; many are met often enough while the list is walked in its order.
    mutating func search(
        _ list: SearchWordStore.List, item: String, words: [String], in transaction: Transaction
    ) throws {
        guard !words.isEmpty else { return }
        let search = SearchWordStore(transaction: transaction)
        if try search.isRare(list, words) {
            let (sql, values) = SearchWordStore.items(list, words)
            require("\(item) IN (\(sql))", values)
            // No index has this: it keeps the engine from walking the whole list for these few.
            key = "\(key) + 0"
        } else {
            let (sql, values) = SearchWordStore.condition(list, item: item, words: words)
            require(sql, values)
        }
    }

    /// Adds a condition of which rows meet exactly one.
    mutating func requireOneOf(_ condition: String, _ values: [SQLValue] = []) {
        parts.append((condition, values))
    }

    /// The statements that read a page, one for each part, their common limit, and their values.
    func statements(_ request: ListRequest) -> (parts: [String], limit: String, values: [SQLValue]) {
        var all = conditions
        if let cursor = request.cursor {
            all.add("(\(key), \(id)) < (?, ?)", [.integer(cursor.key), .text(cursor.id)])
        }
        // One more tells whether there is another page.
        let limit = all.bind("LIMIT ?", [.integer(Int64(request.limit) + 1)])
        let selection = "SELECT \(columns), \(key) AS list_key, \(id) AS list_id FROM \(source)"
        let (parts, values) = each(all) { "\(selection) \($0) ORDER BY \(key) DESC, \(id) DESC \(limit)" }
        return (parts, limit, values)
    }

    /// One page, and where the next one begins.
    func page<Element>(
        _ request: ListRequest, in transaction: Transaction, _ element: (Row) throws -> Element
    ) throws -> (rows: [Element], next: ListCursor?) {
        let (parts, limit, values) = statements(request)
        let union = parts.map { "SELECT * FROM (\($0)) AS part" }.joined(separator: " UNION ALL ")
        let sql =
            parts.count == 1
            ? parts[0] : "SELECT * FROM (\(union)) AS parts ORDER BY list_key DESC, list_id DESC \(limit)"
        let rows = try transaction.rows(sql, values)
        let shown = rows.prefix(request.limit)
        guard rows.count > shown.count, let last = shown.last else { return (try shown.map(element), nil) }
        return (
            try shown.map(element),
            ListCursor(key: try last.integer("list_key"), id: try last.text("list_id"))
        )
    }

    /// How many rows there are, counted up to `Limits.counted`, as the part `show` of a list.
    func count(_ show: String, in transaction: Transaction) throws -> ListCount {
        let (counts, values) = each(conditions) {
            "(SELECT COUNT(*) FROM (SELECT 1 FROM \(source) \($0) LIMIT \(Limits.counted + 1)) AS part)"
        }
        let row = try transaction.row("SELECT \(counts.joined(separator: " + ")) AS total", values)
        let total = try row?.integer("total") ?? 0
        return ListCount(show: show, total: min(Int(total), Limits.counted), isMore: total > Limits.counted)
    }

    /// One statement for each part, and the values of all of them.
    private func each(
        _ conditions: SQLConditions, _ statement: (_ clause: String) -> String
    ) -> ([String], [SQLValue]) {
        guard !parts.isEmpty else { return ([statement(conditions.clause)], conditions.values) }
        var values = conditions.values
        var statements: [String] = []
        for part in parts {
            // Values of the parts follow those that all have; each part takes its own numbers.
            var own = SQLConditions(after: conditions, values: values)
            own.add(part.condition, part.values)
            values = own.values
            statements.append(statement(own.clause))
        }
        return (statements, values)
    }
}
