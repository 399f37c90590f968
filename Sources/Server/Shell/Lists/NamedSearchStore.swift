import Interface
import Storage

/// The rows that have words which many rows have, in the order of their names.
///
/// Walking the list would take long: everyone called Young is at its end. The entries of one word are in the order of
/// the names that have it. Those of a beginning are sorted if they are few, or merged if its words are few.
struct NamedSearchStore {
    let transaction: Transaction
    let walk: ListSearch.Walk
    /// How many rows are asked for at once.
    let most: Int

    /// A row that has one of the words.
    struct Entry {
        /// Where it is in the order of names.
        let place: ListCursor
        /// Whether it has the other words too.
        let hasOthers: Bool
    }

    /// The next rows with one of the words; fewer than `most` at the end.
    ///
    /// Whether they have the other words is looked up in the index of words alone: rows of the list that lack one of
    /// them are not read.
    ///
    /// - Returns: nil if there are too many entries, of too many words: then rows with the words are met everywhere.
    func next(after cursor: ListCursor?) throws -> [Entry]? {
        guard let (lead, entries) = try lead(after: cursor) else { return nil }
        var all = SQLConditions()
        let source = entries(cursor, &all)
        let others = walk.words.filter { $0 != lead }.map { has($0, &all) }
        let isWanted = others.isEmpty ? "1 = 1" : others.joined(separator: " AND ")
        return try transaction.rows(
            """
            SELECT entries.sort, entries.item, CASE WHEN \(isWanted) THEN 1 ELSE 0 END AS has_others
            FROM (\(source)) AS entries ORDER BY entries.sort, entries.item
            """, all.values
        ).map { row in
            Entry(
                place: ListCursor(key: .name(try row.text("sort")), id: try row.text("item")),
                hasOthers: try row.integer("has_others") == 1)
        }
    }

    /// A statement that reads the entries of a word after a place, with its values added to those that there are.
    private typealias Entries = (ListCursor?, inout SQLConditions) -> String

    /// The word whose entries are read, and how.
    ///
    /// Of several words, it is the one whose next entries reach furthest, because it has the fewest in between. To
    /// count all entries of two frequent words would take longer than to read a page.
    private func lead(after cursor: ListCursor?) throws -> (word: ListSearch.Walk.Word, read: Entries)? {
        var few: [(word: ListSearch.Walk.Word, words: [String])] = []
        for word in walk.words {
            if let words = try fewWords(word) {
                few.append((word, words))
            } else if try count(word, upTo: Limits.sortedEntries + 1) <= Limits.sortedEntries {
                return (word, sorted(word))
            }
        }
        // To compare them takes a page of each of their words.
        few.sort { $0.words.count < $1.words.count }
        while few.count > 1, few.reduce(0, { $0 + $1.words.count }) > Limits.mergedWords { few.removeLast() }
        guard few.count > 1 else { return few.first.map { ($0.word, merged($0.words)) } }
        var all = SQLConditions()
        let ends = few.enumerated().map { place, one in
            """
            SELECT \(place) AS place, reached.sort, reached.item FROM (
                SELECT sort, item FROM (\(merged(one.words)(cursor, &all))) AS part ORDER BY sort, item LIMIT 1 OFFSET \(most - 1)
            ) AS reached
            """
        }
        let reached = try transaction.rows(
            "SELECT * FROM (\(ends.joined(separator: " UNION ALL "))) AS ends ORDER BY sort, item", all.values
        ).map { Int(try $0.integer("place")) }
        // A word without an end has no more entries than are read at once, so the search ends with it.
        return (few.indices.first { !reached.contains($0) } ?? reached.last).map {
            (few[$0].word, merged(few[$0].words))
        }
    }

    /// The entries of a word, sorted: of few.
    private func sorted(_ word: ListSearch.Walk.Word) -> Entries {
        { cursor, all in
            page(
                after: cursor, "list = ? AND word >= ? AND word < ?", list + SearchWordStore.range(word.beginning), &all
            )
        }
    }

    /// The words with a beginning, if they are few.
    private func fewWords(_ word: ListSearch.Walk.Word) throws -> [String]? {
        let words = try word.only.map { [$0] } ?? words(word.beginning)
        return words.count <= Limits.mergedWords ? words : nil
    }

    /// The entries of some words, merged.
    private func merged(_ words: [String]) -> Entries {
        { cursor, all in
            let parts = words.map { page(after: cursor, "list = ? AND word = ?", list + [.text($0)], &all) }
            if parts.count == 1 { return parts[0] }
            let union = parts.map { "SELECT * FROM (\($0)) AS part" }.joined(separator: " UNION ALL ")
            return page("(\(union)) AS parts")
        }
    }

    /// A condition that an entry's row has another word.
    ///
    /// It is looked up for one entry after the other: without the offset PostgreSQL, which plans for the average word, would
    /// read all entries of the other one.
    func has(_ word: ListSearch.Walk.Word, _ all: inout SQLConditions) -> String {
        guard let only = word.only else {
            let (sql, values) = SearchWordStore.condition(walk.list, item: "entries.item", words: [word.beginning])
            return all.bind(sql, values)
        }
        // The entries of both words are in the same order, so what is looked for lies side by side.
        return all.bind(
            """
            EXISTS (SELECT 1 FROM search_words WHERE search_words.list = ? AND search_words.word = ?
                AND search_words.sort = entries.sort AND search_words.item = entries.item LIMIT 1 OFFSET 0)
            """, list + [.text(only)])
    }

    /// The first entries after a place that meet a condition.
    private func page(
        after cursor: ListCursor?, _ condition: String, _ values: [SQLValue], _ all: inout SQLConditions
    ) -> String {
        var own = SQLConditions(renumbering: SQLConditions(), after: all.values)
        own.add(condition, values)
        if let cursor { own.add("(sort, item) > (?, ?)", [cursor.value, .text(cursor.id)]) }
        all = SQLConditions(after: all, values: own.values)
        return page("search_words \(own.clause)")
    }

    /// The first entries of a source in the order of names, each row once.
    private func page(_ source: String) -> String {
        "SELECT DISTINCT sort, item FROM \(source) ORDER BY sort, item LIMIT \(most)"
    }

    private var list: [SQLValue] { [.text(walk.list.rawValue)] }

    /// How many entries a beginning has, counted up to a limit.
    private func count(_ word: ListSearch.Walk.Word, upTo limit: Int) throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS total FROM (
                SELECT 1 FROM search_words WHERE list = $1 AND word >= $2 AND word < $3 LIMIT \(limit)) AS part
            """, list + SearchWordStore.range(word.beginning))?.integer("total") ?? 0
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
        let end = entries.count < most ? nil : entries.last?.place
        let wanted = entries.filter(\.hasOthers).map { SQLValue.text($0.place.id) }
        if wanted.isEmpty { return ([], end) }
        var all = conditions
        all.add("\(id) IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))", wanted)
        requireParts(&all)
        let limit = all.bind("LIMIT ?", [.integer(Int64(request.limit) + 1)])
        let rows = try transaction.rows(
            "\(selection) \(table) \(joins) \(all.clause) \(orderClause(order.withoutIndex)) \(limit)", all.values)
        return (rows, end)
    }
}
