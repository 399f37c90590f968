import Storage

/// The words by which rows of a list are found: folded, so that case, accents and width of letters do not matter.
struct SearchWordStore {
    let transaction: Transaction

    /// Lists whose rows are found by words.
    enum List: String {
        case accounts, clients, invitations
    }

    /// A row that gets its words.
    typealias FilledRow = (id: String, sort: String, texts: [String])

    /// The words of some texts, each once.
    ///
    /// Anything but letters and digits ends a word; only so many words, and so much of each, count.
    static func words(of texts: [String]) -> [String] {
        var words: [String] = []
        for text in texts {
            for word in FoldedWords.of(text) {
                let word = String(word.prefix(Limits.wordLength))
                if words.count < Limits.words, !words.contains(word) { words.append(word) }
            }
        }
        return words
    }

    /// Replaces a row's words.
    ///
    /// - Parameter sort: the row's ``SortName``.
    func set(_ list: List, _ item: String, sort: String, _ texts: [String]) throws {
        try remove(list, item)
        for word in Self.words(of: texts) {
            try transaction.execute(
                "INSERT INTO search_words (list, item, word, sort) VALUES ($1, $2, $3, $4)",
                [.text(list.rawValue), .text(item), .text(word), .text(sort)])
        }
    }

    /// Forgets a row's words.
    func remove(_ list: List, _ item: String) throws {
        try transaction.execute(
            "DELETE FROM search_words WHERE list = $1 AND item = $2", [.text(list.rawValue), .text(item)])
    }

    /// A condition that the row `item` of a list has a word that begins with each of `words`, and its values.
    ///
    /// It is looked up for one row after the other: the offset keeps PostgreSQL, which does not know how many words begin
    /// so, from reading all of them for a few rows.
    static func condition(_ list: List, item: String, words: [String]) -> (sql: String, values: [SQLValue]) {
        let each = words.map { _ in
            """
            EXISTS (SELECT 1 FROM search_words WHERE search_words.list = ? AND search_words.item = \(item)
                AND search_words.word >= ? AND search_words.word < ? LIMIT 1 OFFSET 0)
            """
        }
        return (each.joined(separator: " AND "), words.flatMap { [.text(list.rawValue)] + range($0) })
    }

    /// How rows that have a word which begins with each of `words` are found: by the rarest word, if it is rare enough.
    ///
    /// - Parameters:
    ///   - item: the column of the list that names what has words.
    ///   - words: one at least.
    func search(_ list: List, item: String, words: [String]) throws -> ListSearch {
        var rarest: (word: String, count: Int64)?
        var frequent: [ListSearch.Walk.Word] = []
        for word in words {
            let alike = try alike(list, word)
            let count = try count(list, word, alike, upTo: Limits.found + 1)
            frequent.append(ListSearch.Walk.Word(beginning: word, only: alike.first == alike.last ? alike.first : nil))
            if count < rarest?.count ?? .max { rarest = (word, count) }
        }
        if let rarest, rarest.count <= Limits.found {
            let (others, values) = Self.condition(list, item: "named.item", words: words.filter { $0 != rarest.word })
            // The limit says to planners that these are few: they are to be looked at first.
            let sql = """
                SELECT named.item FROM (
                    SELECT item FROM search_words WHERE list = ? AND word >= ? AND word < ?
                    LIMIT \(Int(rarest.count) * Limits.words)) AS named
                \(others.isEmpty ? "" : "WHERE \(others)")
                """
            return .found(
                ListSearch.Found(
                    item: item, sql: sql, values: [.text(list.rawValue)] + Self.range(rarest.word) + values))
        }
        return .walked(ListSearch.Walk(list: list, item: item, words: frequent))
    }

    /// How many items have a word that begins so, counted up to a limit.
    ///
    /// Entries are read in the order of words, at most as many as are needed to tell. An engine that is asked for
    /// different items at once would go through all items of the list.
    func count(_ list: List, _ word: String, upTo limit: Int) throws -> Int64 {
        try count(list, word, alike(list, word), upTo: limit)
    }

    private func count(_ list: List, _ word: String, _ alike: Alike, upTo limit: Int) throws -> Int64 {
        guard let first = alike.first else { return 0 }
        // Every entry of one word is of another item, and the index is all that is read. Of several words the first is what
        // was typed, if anybody has it: where enough do, nobody has to be told from anybody.
        let ofFirst =
            try transaction.row(
                """
                SELECT COUNT(*) AS total FROM (
                    SELECT 1 FROM search_words WHERE list = $1 AND word = $2 LIMIT \(limit)) AS part
                """, [.text(list.rawValue), .text(first)])?.integer("total") ?? 0
        if first == alike.last || ofFirst == limit { return ofFirst }
        // Few people have several such words: among somewhat more entries, enough nearly always belong to different items.
        for entries in [limit + limit / 8, 2 * limit, Limits.words * limit] {
            let row = try transaction.row(
                """
                SELECT COUNT(*) AS items, CAST(COALESCE(SUM(entries), 0) AS BIGINT) AS entries FROM (
                    SELECT item, COUNT(*) AS entries FROM (
                        SELECT item FROM search_words WHERE list = $1 AND word >= $2 AND word < $3 LIMIT $4) AS named
                    GROUP BY item) AS part
                """, [.text(list.rawValue)] + Self.range(word) + [.integer(Int64(entries))])
            let items = min(try row?.integer("items") ?? 0, Int64(limit))
            if try items == limit || row?.integer("entries") ?? 0 < entries { return items }
        }
        return Int64(limit)
    }

    /// The first and the last of the words that begin alike: the same where there is but one, `nil` where there is none.
    private typealias Alike = (first: String?, last: String?)

    private func alike(_ list: List, _ beginning: String) throws -> Alike {
        let row = try transaction.row(
            """
            SELECT
                (SELECT MIN(word) FROM search_words WHERE list = $1 AND word >= $2 AND word < $3) AS first,
                (SELECT MAX(word) FROM search_words WHERE list = $1 AND word >= $2 AND word < $3) AS last
            """, [.text(list.rawValue)] + Self.range(beginning))
        return (try row?.optionalText("first"), try row?.optionalText("last"))
    }

    /// Gives words to the rows of a list that was there before there were words, once, some at a time.
    ///
    /// - Parameter rows: the next rows after an id, in the order of their ids, with what they are sorted by and their
    ///   texts; none at the end.
    static func fill(
        _ list: List, in database: any Database,
        _ rows: @escaping @Sendable (_ last: String, Transaction) throws -> [FilledRow]
    ) async throws {
        guard try await database.read({ try !SearchWordStore(transaction: $0).isFilled(list) }) else { return }
        var last: String? = ""
        while let id = last {
            last = try await database.write { transaction in
                try SearchWordStore(transaction: transaction).fill(list, try rows(id, transaction))
            }
        }
    }

    /// - Returns: the id of the last row, or `nil` when all rows have words.
    private func fill(_ list: List, _ rows: [FilledRow]) throws -> String? {
        for row in rows { try set(list, row.id, sort: row.sort, row.texts) }
        guard let last = rows.last else {
            try transaction.execute(
                "INSERT INTO search_words (list, item, word) VALUES ('', $1, '') ON CONFLICT DO NOTHING",
                [.text(list.rawValue)])
            return nil
        }
        return last.id
    }

    /// Whether all rows of a list have words.
    private func isFilled(_ list: List) throws -> Bool {
        try transaction.row(
            "SELECT item FROM search_words WHERE list = '' AND item = $1 AND word = ''", [.text(list.rawValue)]) != nil
    }

    /// First text of a prefix, and the first one after all of its texts, in the order of code points.
    static func range(_ prefix: String) -> [SQLValue] {
        [.text(prefix), .text(prefix + "\u{10FFFF}")]
    }
}
