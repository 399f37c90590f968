import GRDB

/// SQLite's writing connection, on the pool's writing thread.
struct SQLiteWriter: WritingConnection {
    let connection: GRDB.Database

    init(_ connection: GRDB.Database) { self.connection = connection }

    var isInTransaction: Bool { connection.isInsideTransaction }

    let mustRepeat = false

    func begin(carefully: Bool) throws(StorageError) { try attempt { try connection.beginTransaction(.immediate) } }
    func commit() throws(StorageError) { try attempt { try connection.commit() } }
    // When this fails, SQLite has already rolled back or will when it opens the database again.
    func rollBack() { try? connection.rollback() }
    func beginWrite() throws(StorageError) -> any SQLSession {
        try control("SAVEPOINT one_write")
        return SQLiteSession(connection)
    }
    func endWrite() throws(StorageError) { try control("RELEASE SAVEPOINT one_write") }
    func undoWrite(_ session: any SQLSession) throws(StorageError) {
        try control("ROLLBACK TO SAVEPOINT one_write")
        try control("RELEASE SAVEPOINT one_write")
    }

    private func control(_ sql: String) throws(StorageError) {
        try attempt { try connection.cachedStatement(sql: sql).execute() }
    }

    private func attempt(_ body: () throws -> Void) throws(StorageError) {
        do { try body() } catch { throw StorageError(error) }
    }
}
