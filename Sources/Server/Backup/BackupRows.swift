import Encodings
import Storage

/// Rows as text: a line with the names of the columns, then a line for each row, JSON arrays all.
///
/// Both engines hold only text, whole numbers and nulls, and give them back as they were.
struct BackupRows {
    /// The columns, in the order of the values.
    let columns: [String]
    /// The rows.
    var rows: [[SQLValue]] = []

    /// The line with the names of the columns, which begins each part.
    var head: Bytes { JSON.array(columns.map(JSON.text)).serialized() + [0x0A] }

    /// Reads a part.
    init(_ bytes: Bytes, name: String) throws(BackupError) {
        guard bytes.last == 0x0A else { throw .damaged(name) }
        var lines = Array(bytes.dropLast()).split(at: 0x0A)[...]
        guard let first = lines.popFirst(), let names = try? JSON.parse(first).array, !names.isEmpty else {
            throw .damaged(name)
        }
        columns = names.map { String(decoding: $0.string ?? [], as: UTF8.self) }
        for line in lines {
            guard let row = Self.values(line), row.count == columns.count else { throw .damaged(name) }
            rows.append(row)
        }
    }

    /// Values as one line, without its end.
    static func line(_ row: [SQLValue], table: String) throws(BackupError) -> Bytes {
        var values: [JSON] = []
        for value in row {
            switch value {
            case .null: values.append(.null)
            case .integer(let number):
                guard number.magnitude <= UInt64(JSON.safeInteger) else { throw .unportable(table: table) }
                values.append(.integer(number))
            case .text(let text): values.append(.text(text))
            case .real, .blob: throw .unportable(table: table)
            }
        }
        return JSON.array(values).serialized()
    }

    /// The values of a line; `nil` when it is none.
    static func values(_ line: Bytes) -> [SQLValue]? {
        guard let values = try? JSON.parse(line, maximumLength: TarHeader.maximumSize, maximumDepth: 1).array else {
            return nil
        }
        var row: [SQLValue] = []
        for value in values {
            switch value {
            case .null: row.append(.null)
            case .integer(let number): row.append(.integer(number))
            case .string(let text): row.append(.text(String(decoding: text, as: UTF8.self)))
            default: return nil
            }
        }
        return row
    }

    init(columns: [String]) { self.columns = columns }

    /// The text in a column of a row; `nil` when there is none.
    func text(_ column: String, _ row: [SQLValue]) -> String? {
        guard let index = columns.firstIndex(of: column), case .text(let text) = row[index] else { return nil }
        return text
    }

    /// The number in a column of a row; `nil` when there is none.
    func integer(_ column: String, _ row: [SQLValue]) -> Int64? {
        guard let index = columns.firstIndex(of: column), case .integer(let number) = row[index] else { return nil }
        return number
    }
}
