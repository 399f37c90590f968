/// SQL on one PostgreSQL connection that reads.
///
/// Its transaction begins with the first statement, in the same round trip: most reads have only one.
final class PostgresSession: SQLSession {
    private let connection: PostgresConnection
    let dialect = SQLDialect.postgres
    /// The error of the first statement that failed.
    private(set) var failure: StorageError?
    private var isBegun = false

    init(_ connection: PostgresConnection) { self.connection = connection }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) { _ = try attempt(sql, values) }

    func changes(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int { try attempt(sql, values).changes }

    func settle() {}

    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row] {
        try attempt(sql, values).rows(limit: limit)
    }

    private func attempt(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> PostgresResult {
        guard failure == nil else { throw .transactionFailed }
        do {
            try SQLText.checked(sql).check(values)
            if isBegun { return try connection.run(sql, values) }
            isBegun = true
            return try connection.pipeline([.beginReading, PostgresStatement(sql: sql, values: values)]).last()
        } catch {
            failure = error
            throw error
        }
    }
}

/// SQL of one write among those that are committed together.
final class PostgresWritingSession: SQLSession {
    private let writer: PostgresWriter
    let dialect = SQLDialect.postgres
    /// The error of the first statement that is known to have failed.
    private(set) var failure: StorageError?

    init(_ writer: PostgresWriter) { self.writer = writer }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) {
        try attempt { () throws(StorageError) in
            try SQLText.checked(sql).check(values)
            try writer.queue(PostgresStatement(sql: sql, values: values))
        }
    }

    func changes(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int { try ask(sql, values).changes }

    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row] {
        try ask(sql, values).rows(limit: limit)
    }

    func settle() throws(StorageError) {
        try attempt { () throws(StorageError) in _ = try writer.flush(nil) }
    }

    private func ask(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> PostgresResult {
        try attempt { () throws(StorageError) in
            try SQLText.checked(sql).check(values)
            guard let answer = try writer.flush(PostgresStatement(sql: sql, values: values)) else {
                throw .corrupt(detail: "a statement has no answer")
            }
            return answer
        }
    }

    private func attempt<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
        guard failure == nil else { throw .transactionFailed }
        do {
            return try body()
        } catch {
            failure = error
            throw error
        }
    }
}
