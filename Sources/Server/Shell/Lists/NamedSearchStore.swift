import Interface
import Storage

/// The rows that have words which many rows have, in the order of their names.
///
/// Walking the list would take long: all who are called Young stand at its end. The entries of one word stand in the order
/// of the names that have it; those of a beginning are sorted while they are few, or merged while its words are few.
struct NamedSearchStore {
    let transaction: Transaction
    let walk: ListSearch.Walk
    /// How many rows are asked for at once.
    let most: Int

    /// The next rows with one of the words, to be looked at for the others; fewer than `most` at the end.
    ///
    /// - Returns: nil if there are too many entries, of too many words: then rows with the words are met everywhere.
    func next(after cursor: ListCursor?) throws -> [ListCursor]? {
        // Of several words the rarest leads to the fewest rows that lack the others.
        let entries = try walk.words.count == 1 ? fewWords() ?? fewEntries() : fewEntries() ?? fewWords()
        guard let (sql, values) = entries?(cursor) else { return nil }
        return try transaction.rows(sql, values).map {
            ListCursor(key: .name(try $0.text("sort")), id: try $0.text("item"))
        }
    }

    /// A statement that reads the entries after a place.
    private typealias Entries = (ListCursor?) -> (sql: String, values: [SQLValue])

    /// The entries of the word that has the fewest, sorted, if they are few.
    private func fewEntries() throws -> Entries? {
        var rarest: (word: String, count: Int64)?
        for word in walk.words {
            let count = try entries(word, upTo: Limits.sortedEntries + 1)
            if count < rarest?.count ?? .max { rarest = (word, count) }
        }
        guard let rarest, rarest.count <= Limits.sortedEntries else { return nil }
        return { cursor in
            var all = SQLConditions()
            all.add("list = ? AND word >= ? AND word < ?", list + SearchWordStore.range(rarest.word))
            after(cursor, &all)
            return (page("search_words \(all.clause)"), all.values)
        }
    }

    /// The entries of the words with one of the beginnings, merged, if these are few.
    private func fewWords() throws -> Entries? {
        for beginning in walk.words {
            let words = try words(beginning)
            guard words.count <= Limits.mergedWords else { continue }
            return { cursor in
                var values: [SQLValue] = []
                let parts = words.map { word in
                    var all = SQLConditions(renumbering: SQLConditions(), after: values)
                    all.add("list = ? AND word = ?", list + [.text(word)])
                    after(cursor, &all)
                    values = all.values
                    return "SELECT * FROM (\(page("search_words \(all.clause)"))) AS part"
                }
                return (page("(\(parts.joined(separator: " UNION ALL "))) AS parts"), values)
            }
        }
        return nil
    }

    /// The first entries of a source in the order of names, each row once.
    private func page(_ source: String) -> String {
        "SELECT DISTINCT sort, item FROM \(source) ORDER BY sort, item LIMIT \(most)"
    }

    private var list: [SQLValue] { [.text(walk.list.rawValue)] }

    private func after(_ cursor: ListCursor?, _ conditions: inout SQLConditions) {
        guard let cursor else { return }
        conditions.add("(sort, item) > (?, ?)", [cursor.value, .text(cursor.id)])
    }

    /// How many entries a beginning has, counted up to a limit.
    private func entries(_ beginning: String, upTo limit: Int) throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS total FROM (
                SELECT 1 FROM search_words WHERE list = $1 AND word >= $2 AND word < $3 LIMIT \(limit)) AS part
            """, list + SearchWordStore.range(beginning))?.integer("total") ?? 0
    }

    /// The words with a beginning, one more than are merged at most: each leads to the next one.
    private func words(_ beginning: String) throws -> [String] {
        let next = "SELECT MIN(word) AS word FROM search_words WHERE list = $1 AND word < $3 AND word"
        return try transaction.rows(
            """
            WITH RECURSIVE alike (word) AS (
                \(next) >= $2 UNION ALL SELECT (\(next) > alike.word) FROM alike WHERE alike.word IS NOT NULL)
            SELECT word FROM alike WHERE word IS NOT NULL LIMIT \(Limits.mergedWords + 1)
            """, list + SearchWordStore.range(beginning)
        ).map { try $0.text("word") }
    }
}

extension KeysetStore {
    /// The rows of a page of a search by name that the words themselves lead to, and where it ends.
    ///
    /// - Returns: nil if the list has another order, or the words lead nowhere soon.
    func named(
        _ walk: ListSearch.Walk, _ request: ListRequest, in transaction: Transaction
    ) throws -> (rows: [Row], end: ListCursor?)? {
        guard order.sort == .name, walk.item == id else { return nil }
        // A row with the only word may be of another part; one with one of several words seldom has the others.
        let most = walk.words.count == 1 ? min(2 * request.limit + 1, Limits.namedEntries) : Limits.namedEntries
        let store = NamedSearchStore(transaction: transaction, walk: walk, most: most)
        guard let entries = try store.next(after: request.cursor) else { return nil }
        if entries.isEmpty { return ([], nil) }
        var all = conditions
        all.add("\(id) IN (\(entries.map { _ in "?" }.joined(separator: ", ")))", entries.map { .text($0.id) })
        if walk.words.count > 1 {
            let words = walk.condition
            all.add(words.sql, words.values)
        }
        requireParts(&all)
        let limit = all.bind("LIMIT ?", [.integer(Int64(request.limit) + 1)])
        let rows = try transaction.rows(
            "\(selection) \(table) \(joins) \(all.clause) \(orderClause(order.withoutIndex)) \(limit)", all.values)
        return (rows, entries.count < most ? nil : entries.last)
    }
}
