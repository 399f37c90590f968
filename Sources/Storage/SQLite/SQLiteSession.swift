import Foundation
import GRDB

/// SQL on one SQLite connection, inside one transaction or savepoint.
final class SQLiteSession: SQLSession {
    private let connection: GRDB.Database
    let dialect = SQLDialect.sqlite
    /// The error of the first statement that failed.
    private(set) var failure: StorageError?

    init(_ connection: GRDB.Database) {
        self.connection = connection
    }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) { _ = try changes(sql, values) }

    func settle() {}

    func changes(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int {
        try attempt { () throws in
            try prepare(sql, values).execute()
            return connection.changesCount
        }
    }

    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row] {
        try attempt { () throws in
            let statement = try prepare(sql, values)
            let columns = statement.columnNames
            let cursor = try GRDB.Row.fetchCursor(statement)
            var rows: [Row] = []
            while let row = try cursor.next() {
                // Rows beyond the limit are stepped over: a statement that writes does so while it is stepped.
                guard rows.count < limit else { continue }
                rows.append(
                    Row(columns: columns, values: (0..<columns.count).map { SQLValue(row[$0] as DatabaseValue) }))
            }
            return rows
        }
    }

    private func prepare(_ sql: String, _ values: [SQLValue]) throws -> Statement {
        let text = try SQLText.checked(sql)
        try text.check(values)
        let statement = try connection.cachedStatement(sql: sql)
        // SQLite takes `$2` for a name and numbers names by first use, which need not be their order.
        if text.isInOrder {
            try statement.setArguments(StatementArguments(values.map(\.databaseValue)))
        } else {
            let named = values.enumerated().map { (String($0.offset + 1), $0.element.databaseValue) }
            try statement.setArguments(StatementArguments(Dictionary(uniqueKeysWithValues: named)))
        }
        return statement
    }

    private func attempt<T>(_ body: () throws -> T) throws(StorageError) -> T {
        guard failure == nil else { throw .transactionFailed }
        do {
            return try body()
        } catch {
            let error = StorageError(error)
            failure = error
            throw error
        }
    }
}

extension SQLValue {
    init(_ value: DatabaseValue) {
        self =
            switch value.storage {
            case .null: .null
            case .int64(let integer): .integer(integer)
            case .double(let real): .real(real)
            case .string(let text): .text(text)
            case .blob(let data): .blob(Array(data))
            }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .real(let real): real.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}
