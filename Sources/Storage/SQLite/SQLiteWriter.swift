import GRDB

/// SQLite's writing connection, on the pool's writing thread.
struct SQLiteWriter: WritingConnection {
    let connection: GRDB.Database

    init(_ connection: GRDB.Database) { self.connection = connection }

    var isInTransaction: Bool { connection.isInsideTransaction }

    func begin() throws(StorageError) { try attempt { try connection.beginTransaction(.immediate) } }
    func commit() throws(StorageError) { try attempt { try connection.commit() } }
    // When this fails, SQLite has already rolled back or will when it opens the database again.
    func rollBack() { try? connection.rollback() }
    func control(_ sql: String) throws(StorageError) {
        try attempt { try connection.cachedStatement(sql: sql).execute() }
    }
    func makeSession() -> any SQLSession { SQLiteSession(connection) }

    private func attempt(_ body: () throws -> Void) throws(StorageError) {
        do { try body() } catch { throw StorageError(error) }
    }
}
