import Interface
import Storage

/// A list in the database: in one order, page by page after a place, which stays right while rows are added.
///
/// A page costs the same wherever it is: an index on the columns of its conditions, the key and the id leads to its
/// first row. How lists are searched is in `KeysetSearchStore.swift`.
struct KeysetStore {
    /// What a row has: a column list.
    let columns: String
    /// The table whose rows are listed: conditions, order and id name its columns alone.
    let table: String
    /// The joins that show a row: `LEFT JOIN` by unique keys, so that rows are neither added nor left out.
    let joins: String
    /// What it is sorted by; the column is given as `list_key`.
    let order: ListOrder
    /// The column that tells rows with the same key apart, given as `list_id`.
    let id: String
    private(set) var conditions = SQLConditions()
    /// Conditions, exactly one of which a row meets: each is walked along its own index.
    private(set) var parts: [(condition: String, values: [SQLValue])] = []
    /// How rows with the searched words are found.
    private(set) var search: ListSearch?

    init(_ columns: String, from table: String, joining joins: String = "", order: ListOrder, id: String) {
        (self.columns, self.table, self.joins, self.order, self.id) = (columns, table, joins, order, id)
    }

    /// Adds a condition that every row meets; each `?` in it is the next of `values`.
    mutating func require(_ condition: String, _ values: [SQLValue] = []) {
        conditions.add(condition, values)
    }

    /// Adds a condition to those of which each row meets exactly one.
    mutating func requireOneOf(_ condition: String, _ values: [SQLValue] = []) {
        parts.append((condition, values))
    }

    /// Keeps the rows whose `item` has words that begin with each of `words`.
    ///
    /// - Parameter other: by what else the column may name an item.
    mutating func search(
        _ list: SearchWordStore.List, item: String, orBy other: ListSearch.OtherName? = nil, words: [String],
        by searches: ListSearches, in transaction: Transaction
    ) throws {
        guard !words.isEmpty else { return }
        search = try searches.search(words) {
            let search = try SearchWordStore(transaction: transaction).search(list, item: item, words: words)
            return other.map(search.also) ?? search
        }
    }

    /// The columns of a page, with what its cursor is made of.
    var selection: String { "SELECT \(columns), \(order.column) AS list_key, \(id) AS list_id FROM" }

    /// The statements that read a page, one for each part, their common limit, and their values.
    ///
    /// - Parameter further: more conditions that every row meets.
    func statements(
        _ request: ListRequest, _ further: (inout SQLConditions) -> Void = { _ in }
    ) -> (parts: [String], limit: String, values: [SQLValue]) {
        var all = conditions
        after(request.cursor, &all)
        further(&all)
        // One more tells whether there is another page.
        let limit = all.bind("LIMIT ?", [.integer(Int64(request.limit) + 1)])
        let (parts, values) = each(all) { "\(selection) \(table) \(joins) \($0) \(orderClause()) \(limit)" }
        return (parts, limit, values)
    }

    /// Keeps what comes after a place.
    func after(_ cursor: ListCursor?, _ conditions: inout SQLConditions) {
        guard let cursor else { return }
        conditions.add("(\(order.column), \(id)) \(order.after) (?, ?)", [cursor.value, .text(cursor.id)])
    }

    /// Sorts by the list's order, or by columns that hold the same.
    func orderClause(_ key: String? = nil, _ id: String? = nil) -> String {
        "ORDER BY \(key ?? order.column) \(order.direction), \(id ?? self.id) \(order.direction)"
    }

    /// One page, and where the next one begins.
    ///
    /// A page of a search for words that many rows have may be short, or empty, and be followed by another.
    func page<Element>(
        _ request: ListRequest, in transaction: Transaction, _ element: (Row) throws -> Element
    ) throws -> (rows: [Element], next: ListCursor?) {
        let (rows, end) = try rows(request, in: transaction)
        let shown = rows.prefix(request.limit)
        var next = try rows.count > shown.count ? shown.last.map(order.cursor) : end
        next?.scope = request.scope
        return (try shown.map(element), next)
    }

    private func rows(
        _ request: ListRequest, in transaction: Transaction
    ) throws -> (rows: [Row], end: ListCursor?) {
        switch search {
        case nil: (try merged(statements(request), in: transaction), nil)
        case .found(let found): (try self.found(found, request, in: transaction), nil)
        case .walked(let walk): try walked(walk, request, in: transaction)
        }
    }

    /// The rows of all parts, in one order.
    func merged(
        _ page: (parts: [String], limit: String, values: [SQLValue]), in transaction: Transaction
    ) throws -> [Row] {
        let union = page.parts.map { "SELECT * FROM (\($0)) AS part" }.joined(separator: " UNION ALL ")
        let sql =
            page.parts.count == 1
            ? page.parts[0] : "SELECT * FROM (\(union)) AS parts \(orderClause("list_key", "list_id")) \(page.limit)"
        return try transaction.rows(sql, page.values)
    }

    /// How many rows there are, counted up to `Limits.counted`, as the part `show` of a list that is not searched.
    func count(_ show: String, in transaction: Transaction) throws -> ListCount {
        let (sql, values) = counting()
        return ListCount(show: show, upTo: try transaction.row(sql, values)?.integer("total") ?? 0)
    }

    /// The statement that counts a list that is not searched, as `total`, and its values.
    func counting() -> (sql: String, values: [SQLValue]) {
        // In the list's order and without the joins, only the index of the list is read. PostgreSQL leaves out a join
        // that adds nothing, but still reads the columns that the join uses.
        let (counts, values) = each(conditions) {
            "(SELECT COUNT(*) FROM (SELECT 1 FROM \(table) \($0) \(orderClause()) LIMIT \(Limits.counted + 1)) AS part)"
        }
        return ("SELECT \(counts.joined(separator: " + ")) AS total", values)
    }

    /// One statement for each part, and the values of all of them.
    func each(
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

extension ListCount {
    /// - Parameter total: as counted, at most one more than `Limits.counted`.
    init(show: String, upTo total: Int64) {
        self.init(show: show, total: min(Int(total), Limits.counted), isMore: total > Limits.counted)
    }
}
