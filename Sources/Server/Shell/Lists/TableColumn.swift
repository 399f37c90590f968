import Foundation

/// A row of a list as a file.
protocol TableRow: Codable, Sendable {
    /// The columns, in their order; further ones come behind these, since programs read the file by place.
    static var columns: [TableColumn<Self>] { get }
}

/// A column of a file.
struct TableColumn<Row>: Sendable {
    /// In the first line: the name that the member has in JSON.
    let name: String
    /// The cell of a row.
    let text: @Sendable (Row) -> String

    /// Text; nothing where there is none.
    static func text(_ name: String, _ value: @escaping @Sendable (Row) -> String?) -> TableColumn {
        TableColumn(name: name) { value($0) ?? "" }
    }

    /// A whole number.
    static func number(_ name: String, _ value: @escaping @Sendable (Row) -> Int64) -> TableColumn {
        TableColumn(name: name) { String(value($0)) }
    }

    /// `true` or `false`.
    static func flag(_ name: String, _ value: @escaping @Sendable (Row) -> Bool) -> TableColumn {
        TableColumn(name: name) { String(value($0)) }
    }

    /// A moment, from seconds since 1970, as `2026-11-23T05:30:00Z` (RFC 3339).
    static func time(_ name: String, _ value: @escaping @Sendable (Row) -> Int64?) -> TableColumn {
        TableColumn(name: name) { value($0).map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) } ?? "" }
    }
}
