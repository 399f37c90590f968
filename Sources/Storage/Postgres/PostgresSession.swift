/// SQL on one PostgreSQL connection, inside one transaction or savepoint.
final class PostgresSession: SQLSession {
    private let connection: PostgresConnection
    let dialect = SQLDialect.postgres
    /// The error of the first statement that failed.
    private(set) var failure: StorageError?

    init(_ connection: PostgresConnection) { self.connection = connection }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int {
        try attempt(sql, values).changes
    }

    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row] {
        try attempt(sql, values).rows(limit: limit)
    }

    private func attempt(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> PostgresResult {
        guard failure == nil else { throw .transactionFailed }
        do {
            try SQLText(sql).check(values)
            return try connection.run(sql, values)
        } catch {
            failure = error
            throw error
        }
    }
}
