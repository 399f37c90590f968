import Storage

/// How a list is to be sorted: the values of the parameter `sort`.
enum ListSort: String, ListChoice {
    /// The newest first: how every list is sorted by default.
    case newest
    /// People by their names: family names first where they are known apart.
    case name
}

/// The sort key of a list: one stored column, which has an index, and its direction.
struct ListOrder {
    let sort: ListSort
    /// An integer for `newest`, a ``SortName`` for `name`.
    let column: String

    /// - Parameter time: the column with the time, in seconds.
    static func newest(_ time: String) -> ListOrder { ListOrder(sort: .newest, column: time) }

    var direction: String { sort == .newest ? "DESC" : "ASC" }
    /// Compares what comes after a place with the place.
    var after: String { sort == .newest ? "<" : ">" }
    /// Compares what comes up to a place, the place with it.
    var upTo: String { sort == .newest ? ">=" : "<=" }
    /// The same order by an expression that no index has.
    var withoutIndex: String { sort == .newest ? "\(column) + 0" : "\(column) || ''" }

    /// The place of a row that was selected with `list_key` and `list_id`.
    func cursor(_ row: Row) throws -> ListCursor {
        let key: ListCursor.Key =
            switch sort {
            case .newest: .time(try row.integer("list_key"))
            case .name: .name(try row.text("list_key"))
            }
        return ListCursor(key: key, id: try row.text("list_id"))
    }
}

/// The sort key of a person's row, stored beside the name: the name's words, folded.
///
/// Databases know languages differently, or not at all; code points they all compare alike.
enum SortName {
    /// After every name: where there is none any more.
    static let last = "\u{10FFFF}"

    /// - Parameter names: in the order in which they count.
    static func of(_ names: String...) -> String {
        let words = names.flatMap { FoldedWords.of($0) }.joined(separator: " ")
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(Limits.sortName)))
    }
}
