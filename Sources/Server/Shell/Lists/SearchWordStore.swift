import Foundation
import Storage

/// The words by which rows of a list are found: folded, so that case, accents and width of letters do not matter.
struct SearchWordStore {
    let transaction: Transaction

    /// Lists whose rows are found by words.
    enum List: String {
        case accounts, clients
    }

    /// The words of some texts, each once.
    ///
    /// Anything but letters and digits ends a word; only so many words, and so much of each, count.
    static func words(of texts: [String]) -> [String] {
        var words: [String] = []
        for text in texts {
            let folded = text.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                let word = String(word.prefix(Limits.wordLength))
                if words.count < Limits.words, !words.contains(word) { words.append(word) }
            }
        }
        return words
    }

    /// Puts a row's words in the place of those that it had.
    func set(_ list: List, _ item: String, _ texts: [String]) throws {
        try remove(list, item)
        for word in Self.words(of: texts) {
            try transaction.execute(
                "INSERT INTO search_words (list, item, word) VALUES ($1, $2, $3)",
                [.text(list.rawValue), .text(item), .text(word)])
        }
    }

    /// Forgets a row's words.
    func remove(_ list: List, _ item: String) throws {
        try transaction.execute(
            "DELETE FROM search_words WHERE list = $1 AND item = $2", [.text(list.rawValue), .text(item)])
    }

    /// A condition that the row `item` of a list has a word that begins with each of `words`, and its values.
    static func condition(_ list: List, item: String, words: [String]) -> (sql: String, values: [SQLValue]) {
        let each = words.map { _ in
            """
            EXISTS (SELECT 1 FROM search_words WHERE search_words.list = ? AND search_words.item = \(item)
                AND search_words.word >= ? AND search_words.word < ?)
            """
        }
        return (each.joined(separator: " AND "), words.flatMap { [.text(list.rawValue)] + range($0) })
    }

    /// A query of the rows `item` that have a word which begins with each of `words`, and its values.
    static func items(_ list: List, _ words: [String]) -> (sql: String, values: [SQLValue]) {
        // The longest word is the rarest, as far as one can know without counting.
        let driver = words.max { $0.utf8.count < $1.utf8.count } ?? ""
        let (others, values) = condition(list, item: "found.item", words: words.filter { $0 != driver })
        let sql =
            "SELECT found.item FROM search_words AS found WHERE found.list = ? AND found.word >= ? AND found.word < ?"
        return (others.isEmpty ? sql : sql + " AND " + others, [.text(list.rawValue)] + range(driver) + values)
    }

    /// Whether so few rows have the words that they can be sorted at once.
    func isRare(_ list: List, _ words: [String]) throws -> Bool {
        let (sql, values) = Self.items(list, words)
        var statement = SQLConditions()
        let counted = statement.bind(
            "SELECT COUNT(*) AS total FROM (\(sql) LIMIT ?) AS part",
            values + [
                .integer(Int64(Limits.counted) + 1)
            ])
        return try transaction.row(counted, statement.values)?.integer("total") ?? 0 <= Limits.counted
    }

    /// Gives words to the rows of a list that was there before there were words, once.
    ///
    /// - Parameter rows: the next rows in the order of their ids, with their texts; none when all rows have words.
    /// - Returns: the id of the last row, or `nil` when all rows have words.
    func fill(_ list: List, _ rows: [(id: String, texts: [String])]) throws -> String? {
        for row in rows { try set(list, row.id, row.texts) }
        guard let last = rows.last else {
            try transaction.execute(
                "INSERT INTO search_words (list, item, word) VALUES ('', $1, '') ON CONFLICT DO NOTHING",
                [.text(list.rawValue)])
            return nil
        }
        return last.id
    }

    /// Whether all rows of a list have words.
    func isFilled(_ list: List) throws -> Bool {
        try transaction.row(
            "SELECT item FROM search_words WHERE list = '' AND item = $1 AND word = ''", [.text(list.rawValue)]) != nil
    }

    /// First text of a prefix, and the first one after all of its texts, in the order of code points.
    private static func range(_ prefix: String) -> [SQLValue] {
        [.text(prefix), .text(prefix + "\u{10FFFF}")]
    }
}
