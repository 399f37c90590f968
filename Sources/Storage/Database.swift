/// A relational database: transactions as synchronous closures, one interface for every engine.
///
/// Rules for closures:
/// 1. They run on a thread of the database, so they may block on SQL and must not wait for anything else.
/// 2. Everything that must hold together is in *one* closure.
/// 3. They may be rolled back after they returned (when the commit fails), so effects on anything but the database
///    come after `write` returned.
package protocol Database: Sendable {
    /// Runs a closure that sees one unchanging state of the database.
    ///
    /// - Throws: what the closure throws, or a `StorageError`.
    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T

    /// As `read`, for a few rows that are found by their keys; the same value is given again while nothing was stored.
    ///
    /// - Parameter key: says all that the value depends on, beside what is stored. No two uses share one.
    func pointRead<T: Sendable>(
        _ key: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T

    /// Runs a closure whose changes are stored as a whole or not at all.
    ///
    /// It returns when the changes are durable: a power cut afterwards loses none of them.
    ///
    /// - Throws: what the closure throws, and then nothing was stored; `StorageError.busy` when too many writes wait.
    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T

    /// Brings the schema up to date; a second process that does the same waits.
    ///
    /// - Throws: `StorageError.migration` when what was run of a history is not its beginning.
    func migrate(_ histories: [MigrationHistory]) async throws

    /// Messages to and from the other processes that share the database; `nil` when there can be none.
    var notices: (any Notices)? { get }

    /// Removes what was deleted from the files too, as far as the engine can at once.
    ///
    /// SQLite overwrites what it deletes, and here lets go of older copies in its write-ahead log, unless somebody reads
    /// meanwhile. PostgreSQL keeps deleted rows until its next VACUUM, and copies in its write-ahead log for longer.
    func scrub() async throws

    /// Finishes the writes that were accepted, refuses new ones, and closes. Later calls do nothing.
    func close() async throws
}

/// A connection inside a transaction: what an engine implements.
protocol SQLSession: AnyObject {
    /// The error of the first statement that failed.
    var failure: StorageError? { get }
    /// Where the engine describes its tables.
    var dialect: SQLDialect { get }
    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int
    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row]
}

/// A transaction, usable only inside the closure that received it.
///
/// SQL is text in the common subset of SQLite and PostgreSQL with the placeholders `$1`, `$2`, …; values are never
/// written into the text. After a statement failed, the others of the transaction fail too, as PostgreSQL demands.
package struct Transaction {
    let session: any SQLSession

    /// Runs a statement that gives no rows.
    ///
    /// - Returns: how many rows it inserted, changed or deleted.
    @discardableResult
    package func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        try session.execute(sql, values)
    }

    /// The first row of an answer, or `nil`.
    package func row(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Row? {
        try session.query(sql, values, limit: 1).first
    }

    /// All rows of an answer.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> [Row] {
        try session.query(sql, values, limit: .max)
    }
}

extension Database {
    /// Brings the schema up to date where the program has one history.
    package func migrate(_ migrations: [Migration]) async throws {
        try await migrate([MigrationHistory(name: "all", migrations: migrations)])
    }
}
