import Synchronization

@testable import Storage

/// How many statements a database was asked.
final class StatementCount: Sendable {
    private let number = Mutex(0)

    func add() { number.withLock { $0 += 1 } }

    /// What was counted since the last time.
    func take() -> Int {
        number.withLock { number in
            defer { number = 0 }
            return number
        }
    }
}

/// A database that counts its statements.
final class CountingDatabase: Database {
    private let inner: any Database
    private let count: StatementCount

    init(inner: any Database, count: StatementCount) { (self.inner, self.count) = (inner, count) }

    var figures: WriteFigures { inner.figures }
    var notices: (any Notices)? { inner.notices }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await inner.read { [self] in try body(counting($0)) }
    }

    func pointRead<T: Sendable>(
        _ key: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await inner.pointRead(key) { [self] in try body(counting($0)) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await inner.write { [self] in try body(counting($0)) }
    }

    func migrate(_ histories: [MigrationHistory]) async throws { try await inner.migrate(histories) }
    func scrub() async throws { try await inner.scrub() }
    func close() async throws { try await inner.close() }

    private func counting(_ transaction: Transaction) -> Transaction {
        Transaction(session: CountingSession(inner: transaction.session, count: count), memory: transaction.memory)
    }
}

private final class CountingSession: SQLSession {
    private let inner: any SQLSession
    private let count: StatementCount

    init(inner: any SQLSession, count: StatementCount) { (self.inner, self.count) = (inner, count) }

    var failure: StorageError? { inner.failure }
    var dialect: SQLDialect { inner.dialect }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) {
        count.add()
        try inner.execute(sql, values)
    }

    func changes(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int {
        count.add()
        return try inner.changes(sql, values)
    }

    func settle() throws(StorageError) { try inner.settle() }

    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row] {
        count.add()
        return try inner.query(sql, values, limit: limit)
    }
}
