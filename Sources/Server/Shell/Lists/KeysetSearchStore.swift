import Interface
import Storage

/// How the rows of a list that have some words are found, so that no search takes long, for any words.
enum ListSearch {
    /// One of the words is rare: what has it is looked up and sorted.
    case found(Found)
    /// Many have each of the words: the list is walked in its order, some way for each page.
    case walked(Walk)

    /// A query of the items that have all words, as `item`.
    struct Found {
        /// The column of the list that names an item.
        let item: String
        let sql: String
        let values: [SQLValue]
    }

    /// Words that many rows have.
    struct Walk {
        let list: SearchWordStore.List
        /// The column of the list that names an item.
        let item: String
        let words: [Word]

        /// A condition that a row has all words, and its values.
        var condition: (sql: String, values: [SQLValue]) {
            SearchWordStore.condition(list, item: item, words: words.map(\.beginning))
        }

        /// The words to look for.
        struct Word: Equatable {
            /// How the words begin.
            let beginning: String
            /// The one word that begins so, such as the beginning itself; `nil` if there are several.
            let only: String?
        }
    }
}

extension ListSearch {
    /// A column that names an item too, where its id was not known yet.
    struct OtherName {
        /// The table of the items.
        let table: String
        /// The column by which words know them.
        let id: String
        /// The other column, unique and with an index.
        let column: String
    }

    /// The same, of rows that name an item by its id or by its other name.
    func also(_ other: OtherName) -> ListSearch {
        let (table, id, name) = (other.table, "\(other.table).\(other.id)", "\(other.table).\(other.column)")
        switch self {
        case .found(let found):
            let sql = """
                SELECT item FROM (\(found.sql)) AS by_id
                UNION ALL SELECT \(name) AS item FROM (\(found.sql)) AS by_name CROSS JOIN \(table)
                WHERE \(id) = by_name.item
                """
            return .found(Found(item: found.item, sql: sql, values: found.values + found.values))
        case .walked(let walk):
            let item = "COALESCE((SELECT \(id) FROM \(table) WHERE \(name) = \(walk.item)), \(walk.item))"
            return .walked(Walk(list: walk.list, item: item, words: walk.words))
        }
    }
}

/// What a list has found out about words: found once, not again for each part that it counts.
final class ListSearches {
    private var known: [[String]: ListSearch] = [:]

    func search(_ words: [String], _ make: () throws -> ListSearch) rethrows -> ListSearch {
        if let search = known[words] { return search }
        let search = try make()
        known[words] = search
        return search
    }
}

extension KeysetStore {
    /// The rows of a page, by way of the items that have the words.
    func found(_ found: ListSearch.Found, _ request: ListRequest, in transaction: Transaction) throws -> [Row] {
        var all = conditions
        let items = items(found, &all)
        requireParts(&all)
        after(request.cursor, &all)
        let limit = all.bind("LIMIT ?", [.integer(Int64(request.limit) + 1)])
        // Engines would walk the whole list along an index for these few.
        return try transaction.rows(
            "\(selection) \(items) \(all.clause) \(orderClause(order.withoutIndex)) \(limit)", all.values)
    }

    /// The items that have the words, joined with their rows in this order.
    private func items(_ found: ListSearch.Found, _ conditions: inout SQLConditions) -> String {
        let sql = conditions.bind(found.sql, found.values)
        conditions.add("\(found.item) = found.item")
        return "(SELECT DISTINCT item FROM (\(sql)) AS named) AS found CROSS JOIN \(table) \(joins)"
    }

    func requireParts(_ conditions: inout SQLConditions) {
        guard !parts.isEmpty else { return }
        conditions.add(parts.map { "(\($0.condition))" }.joined(separator: " OR "), parts.flatMap(\.values))
    }

    /// The rows of a page among the next ones of the list, and where these end; `nil` at the end of the list.
    ///
    /// By name those with a word may stand together far from the beginning, so the words lead to them where they can.
    func walked(
        _ walk: ListSearch.Walk, _ request: ListRequest, in transaction: Transaction
    ) throws -> (rows: [Row], end: ListCursor?) {
        if let page = try named(walk, request, in: transaction) { return page }
        // Rows that follow each other by name lie apart on the disk, and take longer.
        let rows = Limits.walked / walk.words.count / (order.sort == .name ? 2 : 1)
        let end = try end(rows, request, in: transaction)
        let page = statements(request) { all in
            if let end {
                // As one, so that an index bounds it: by the key alone all rows with the last key would be looked at.
                all.add("(\(order.column), \(id)) \(order.upTo) (?, ?)", [end.value, .text(end.id)])
            }
            let words = walk.condition
            all.add(words.sql, words.values)
        }
        return (try merged(page, in: transaction), end)
    }

    /// The last of the next `rows` rows, with words or without; `nil` when there are fewer.
    ///
    /// Parts are walked equally far: what comes after the first end of one of them is for the next page.
    private func end(_ rows: Int, _ request: ListRequest, in transaction: Transaction) throws -> ListCursor? {
        var all = conditions
        after(request.cursor, &all)
        let (ends, values) = each(all) {
            """
            SELECT * FROM (
                SELECT \(order.column) AS list_key, \(id) AS list_id FROM \(table) \($0) \(orderClause())
                LIMIT 1 OFFSET \(max(1, rows / max(1, parts.count)) - 1)
            ) AS part
            """
        }
        return try transaction.row(
            """
            SELECT * FROM (\(ends.joined(separator: " UNION ALL "))) AS ends \(orderClause("list_key", "list_id"))
            LIMIT 1
            """, values
        ).map(order.cursor)
    }

    /// How many rows each part of a list has, of those with the words.
    ///
    /// Where many rows have the word, only what the word itself tells is told; nothing where there are several.
    static func counts(_ lists: [(show: String, list: KeysetStore)], in transaction: Transaction) throws -> [ListCount]
    {
        switch lists.first?.list.search {
        case nil: try lists.map { try $0.list.count($0.show, in: transaction) }
        case .found(let found): try counts(found, lists, in: transaction)
        case .walked(let walk):
            // Where rows only name what has the word, it does not tell how many rows there are.
            try lists.filter {
                $0.list.parts.isEmpty && $0.list.conditions.clause.isEmpty && walk.words.count == 1
                    && walk.item == $0.list.id
            }.map { part in
                let total = try SearchWordStore(transaction: transaction)
                    .count(walk.list, walk.words[0].beginning, upTo: Limits.counted + 1)
                return ListCount(show: part.show, upTo: total)
            }
        }
    }

    /// All parts in one pass over the rows that were found, which differ in their conditions only.
    private static func counts(
        _ found: ListSearch.Found, _ lists: [(show: String, list: KeysetStore)], in transaction: Transaction
    ) throws -> [ListCount] {
        var all = SQLConditions()
        let items = lists[0].list.items(found, &all)
        let sums = lists.enumerated().map { index, part in
            var own = SQLConditions(renumbering: part.list.conditions, after: all.values)
            part.list.requireParts(&own)
            all = SQLConditions(after: all, values: own.values)
            let condition = own.clause.isEmpty ? "1 = 1" : String(own.clause.dropFirst("WHERE ".count))
            return "COALESCE(SUM(CASE WHEN \(condition) THEN 1 ELSE 0 END), 0) AS part_\(index)"
        }
        let row = try transaction.row("SELECT \(sums.joined(separator: ", ")) FROM \(items) \(all.clause)", all.values)
        return try lists.enumerated().map { index, part in
            ListCount(show: part.show, upTo: try row?.integer("part_\(index)") ?? 0)
        }
    }
}
