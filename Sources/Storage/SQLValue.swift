/// A value that goes into or comes out of the database: what SQLite and PostgreSQL both know.
package enum SQLValue: Sendable, Equatable {
    /// The absence of a value.
    case null
    /// A 64-bit integer. Truth values are 1 and 0, times are seconds since 1970.
    case integer(Int64)
    /// A double-precision number.
    case real(Double)
    /// Text without U+0000, which PostgreSQL does not store.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// One row of an answer.
///
/// Values are read by column name and type; any disagreement is a typed error.
package struct Row: Sendable {
    let columns: [String]
    let values: [SQLValue]

    /// The value of a column of any type.
    package func value(_ column: String) throws(StorageError) -> SQLValue {
        guard let index = columns.firstIndex(of: column) else { throw .noSuchColumn(column) }
        return values[index]
    }

    /// An integer, or `nil` for null.
    package func optionalInteger(_ column: String) throws(StorageError) -> Int64? {
        switch try value(column) {
        case .null: nil
        case .integer(let integer): integer
        case .real, .text, .blob: throw .wrongType(column: column)
        }
    }

    /// A number, or `nil` for null.
    ///
    /// An integer counts as one, as SQLite may store it so.
    package func optionalReal(_ column: String) throws(StorageError) -> Double? {
        switch try value(column) {
        case .null: nil
        case .real(let real): real
        case .integer(let integer): Double(integer)
        case .text, .blob: throw .wrongType(column: column)
        }
    }

    /// Text, or `nil` for null.
    package func optionalText(_ column: String) throws(StorageError) -> String? {
        switch try value(column) {
        case .null: nil
        case .text(let text): text
        case .integer, .real, .blob: throw .wrongType(column: column)
        }
    }

    /// Bytes, or `nil` for null.
    package func optionalBlob(_ column: String) throws(StorageError) -> [UInt8]? {
        switch try value(column) {
        case .null: nil
        case .blob(let bytes): bytes
        case .integer, .real, .text: throw .wrongType(column: column)
        }
    }

    /// An integer that is not null.
    package func integer(_ column: String) throws(StorageError) -> Int64 {
        guard let integer = try optionalInteger(column) else { throw .wrongType(column: column) }
        return integer
    }

    /// A number that is not null.
    package func real(_ column: String) throws(StorageError) -> Double {
        guard let real = try optionalReal(column) else { throw .wrongType(column: column) }
        return real
    }

    /// Text that is not null.
    package func text(_ column: String) throws(StorageError) -> String {
        guard let text = try optionalText(column) else { throw .wrongType(column: column) }
        return text
    }

    /// Bytes that are not null.
    package func blob(_ column: String) throws(StorageError) -> [UInt8] {
        guard let bytes = try optionalBlob(column) else { throw .wrongType(column: column) }
        return bytes
    }
}
