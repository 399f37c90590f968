import Encodings

/// Writes the rows of a table into parts of a backup, each a mebibyte long or a little more.
///
/// Rows differ: a table may have a million short ones, and then a thousand that are as long as anybody may make them. So
/// what is read at once follows from how long the rows before were, and a part ends with the row that fills it.
struct TableParts {
    private let table: String
    private let sink: BackupSink
    /// How many rows to read next.
    private(set) var pageLength = 16
    /// What is not yet a part.
    private var content: Bytes = []
    private var number = 0

    /// Rows of a page: of the longest that there are, so many are still no more than some dozen mebibytes.
    private static let longestPage = 200
    private static let partLength = 1 << 20

    init(table: String, sink: BackupSink) { (self.table, self.sink) = (table, sink) }

    /// Adds the rows of a page.
    mutating func add(_ page: BackupRows) throws {
        var length = 0
        for row in page.rows {
            let line = try BackupRows.line(row, table: table) + [0x0A]
            // The names of the columns stand once in each part.
            if content.isEmpty { content = page.head }
            content += line
            length += line.count
            if content.count >= Self.partLength { try end() }
        }
        guard !page.rows.isEmpty else { return }
        pageLength = max(1, min(Self.longestPage, 2 * pageLength, Self.partLength * page.rows.count / length))
    }

    /// Ends the last part; a table without rows has one, with the names of its columns.
    mutating func finish(columns: [String]) throws {
        if number == 0, content.isEmpty { content = BackupRows(columns: columns).head }
        if !content.isEmpty { try end() }
    }

    private mutating func end() throws {
        try sink.add(BackupTables.partName(table, number), content)
        content = []
        number += 1
    }
}
