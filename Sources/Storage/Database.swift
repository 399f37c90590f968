/// A relational database: transactions as synchronous closures, one interface for every engine.
///
/// Rules for closures:
/// 1. They run on a thread of the database, so they may block on SQL and must not wait for anything else.
/// 2. Everything that must hold together is in *one* closure.
/// 3. They may be rolled back after they returned (if the commit fails), so effects outside the database belong after
///    `write` has returned.
/// 4. They may be run a second time, when what was done the first time was taken back.
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

    /// What was written since opening.
    var figures: WriteFigures { get }

    /// Messages to and from the other processes that share the database; `nil` when there can be none.
    var notices: (any Notices)? { get }

    /// Removes what was deleted from the files too, as far as the engine can at once.
    ///
    /// SQLite overwrites what it deletes. Here it also drops older copies from its write-ahead log, unless something is
    /// reading at the same time. PostgreSQL keeps deleted rows until its next VACUUM, and copies in its write-ahead log
    /// for longer.
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
    /// May be done later, but before anything that comes behind it.
    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError)
    func changes(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int
    /// Has everything done that was executed.
    func settle() throws(StorageError)
    func query(_ sql: String, _ values: [SQLValue], limit: Int) throws(StorageError) -> [Row]
}

/// A transaction, usable only inside the closure that received it.
///
/// SQL is text in the common subset of SQLite and PostgreSQL with the placeholders `$1`, `$2`, …; values are never
/// written into the text. After a statement failed, the others of the transaction fail too, as PostgreSQL demands.
package struct Transaction {
    let session: any SQLSession
    var memory = GroupMemory()

    /// Runs a statement that gives no rows.
    ///
    /// PostgreSQL gets it with the next one whose answer is looked at, or with the commit, so its failure may be
    /// reported only there. Where an error is to be caught inside the transaction, `settle` comes before the `catch`.
    package func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) {
        try session.execute(sql, values)
    }

    /// Runs a statement that gives no rows, and waits for it.
    ///
    /// - Returns: how many rows it inserted, changed or deleted.
    package func changes(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        try session.changes(sql, values)
    }

    /// Waits until everything that was executed is done.
    ///
    /// - Throws: what one of the statements has failed with.
    package func settle() throws(StorageError) { try session.settle() }

    /// A number that was remembered in this transaction or in one that is committed with it; `nil` when there is none.
    ///
    /// For what only those change who remember it: then nobody needs to ask the database while others wait.
    package func remembered(_ name: String) -> Int64? { memory.numbers[name] }

    /// Remembers a number until the commit; forgotten, if this transaction is taken back.
    package func remember(_ number: Int64, as name: String) { memory.numbers[name] = number }

    /// The first row of an answer, or `nil`.
    package func row(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Row? {
        try session.query(sql, values, limit: 1).first
    }

    /// All rows of an answer.
    package func rows(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> [Row] {
        try session.query(sql, values, limit: .max)
    }
}

/// Numbers that the writes of one commit hand on to each other.
final class GroupMemory {
    var numbers: [String: Int64] = [:]
}

/// What was written since a database was opened.
package struct WriteFigures: Sendable {
    /// Acts that asked to be stored.
    package var writes = 0
    package var commits = 0
    /// Seconds for which the lock was waited for that all writers of a database share; 0 where there is no other.
    package var lockWaited = 0.0
    /// Seconds for which this process held it.
    package var lockHeld = 0.0

    /// Nothing yet.
    package init() {}

    init(counts: GroupCommit.Counts) {
        writes = counts.writes
        commits = counts.commits
    }
}

extension Database {
    /// Brings the schema up to date where the program has one history.
    package func migrate(_ migrations: [Migration]) async throws {
        try await migrate([MigrationHistory(name: "all", migrations: migrations)])
    }
}
