import GRDBSQLite

/// A connection of SQLite's C interface, as durable as the server's.
@safe final class SQLiteConnection {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard unsafe sqlite3_open(path, &opened) == SQLITE_OK, let opened = unsafe opened else {
            throw BenchError("\(path) cannot be opened")
        }
        unsafe handle = opened
        for setting in FloorStore.sqliteSettings { try execute(setting) }
    }

    deinit { unsafe sqlite3_close(handle) }

    /// SQLite's words for what went wrong last.
    fileprivate var refusal: String { unsafe String(cString: sqlite3_errmsg(handle)) }

    func execute(_ sql: String) throws {
        guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError("SQLite refuses: \(refusal)")
        }
    }

    func prepared(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let made = unsafe statement
        else { throw BenchError("SQLite refuses: \(sql)") }
        return unsafe SQLiteStatement(made, of: self)
    }
}

/// A statement with at most one number in it.
@safe final class SQLiteStatement {
    private let handle: OpaquePointer
    /// Held, because SQLite closes no connection that has statements.
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        unsafe self.handle = handle
        self.connection = connection
    }

    deinit { unsafe sqlite3_finalize(handle) }

    func run(_ number: Int64) throws {
        if unsafe sqlite3_bind_parameter_count(handle) > 0 { unsafe sqlite3_bind_int64(handle, 1, number) }
        guard unsafe sqlite3_step(handle) == SQLITE_DONE else {
            throw BenchError("SQLite does not write: \(connection.refusal)")
        }
        unsafe sqlite3_reset(handle)
    }
}
