import Dispatch
import Foundation
import GRDB

/// A database in one file, for one process.
///
/// Write-ahead log with `synchronous = FULL`: a commit returns when the log is on the disk. Reads run beside writes, on
/// threads of their own; writes are committed in groups (see ``GroupCommit``).
package final class SQLiteDatabase: Database {
    private let pool: DatabasePool
    private let committer: GroupCommit
    private let pointReads = PointReads()

    /// None: the file is this process's alone.
    package let notices: (any Notices)? = nil

    package var figures: WriteFigures { WriteFigures(counts: committer.counts) }

    private init(pool: DatabasePool, queueLimit: Int, batchLimit: Int) {
        self.pool = pool
        committer = GroupCommit(queueLimit: queueLimit, batchLimit: batchLimit) { [pool] committer in
            pool.asyncWriteWithoutTransaction { committer.drain(SQLiteWriter($0)) }
        }
    }

    /// Opens the database, making the file when it is not there, and proves that commits will be durable.
    ///
    /// - Parameters:
    ///   - path: the file; SQLite puts two more beside it while it is open.
    ///   - queueLimit: how many writes may wait; further ones are refused with `StorageError.busy`.
    ///   - batchLimit: how many writes one commit may hold.
    ///   - busyTimeout: how many seconds to wait for another program that holds the file.
    package static func open(
        _ path: String, queueLimit: Int = 8_192, batchLimit: Int = 1_024, busyTimeout: Double = 5
    ) async throws(StorageError) -> SQLiteDatabase {
        do {
            return try await BlockingThreads.run {
                let pool = try openPool(path, busyTimeout: busyTimeout)
                return SQLiteDatabase(pool: pool, queueLimit: queueLimit, batchLimit: batchLimit)
            }
        } catch {
            throw StorageError(error)
        }
    }

    private static func openPool(_ path: String, busyTimeout: Double) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "storage"
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = 4
        configuration.foreignKeysEnabled = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA trusted_schema = OFF") }
        // SQLite makes the files beside it with the same permissions.
        try DurableFile.makePrivate(path)
        for beside in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + beside) {
            try DurableFile.makePrivate(path + beside)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { connection in
            // Only now: turning the write-ahead log on, GRDB sets NORMAL, which may lose the last commits.
            try connection.execute(sql: "PRAGMA synchronous = FULL")
            // Deleted data is overwritten: an erased person must not be found in free pages.
            _ = try String.fetchOne(connection, sql: "PRAGMA secure_delete = ON")
            let settings = [
                ("synchronous", "2"), ("journal_mode", "wal"), ("foreign_keys", "1"), ("secure_delete", "1"),
            ]
            for (pragma, expected) in settings {
                let found = try String.fetchOne(connection, sql: "PRAGMA \(pragma)") ?? "nothing"
                guard found == expected else {
                    throw StorageError.notDurable(detail: "\(pragma) is \(found), not \(expected)")
                }
            }
        }
        return pool
    }

    /// Runs a closure on one of four reading connections.
    package func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        guard !committer.isClosed else { throw StorageError.closed }
        do {
            return try await pool.read { try Self.run(body, $0) }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    /// Reads once for each commit: this process is the only one that writes.
    package func pointRead<T: Sendable>(
        _ key: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        // Asked before the rows are read: a write in between invalidates them.
        let version = committer.version
        if !committer.isClosed, let known: T = pointReads.find(key, version: version) { return known }
        let value = try await read(body)
        pointReads.insert(value, key, version: version)
        return value
    }

    static func run<T>(_ body: (Transaction) throws -> T, _ connection: GRDB.Database) throws -> T {
        let session = SQLiteSession(connection)
        let value = try body(Transaction(session: session))
        if let failure = session.failure { throw failure }
        return value
    }

    /// Puts a closure into the queue of the next group commit.
    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await committer.write(body)
    }

    /// Runs the migrations that are missing, all in one transaction.
    package func migrate(_ histories: [MigrationHistory]) async throws {
        // A write transaction holds SQLite's only write lock from its beginning: another process waits here.
        try await write { try MigrationRun(transaction: $0).run(histories) }
    }

    /// Folds the write-ahead log into the database and empties it.
    package func scrub() async throws {
        guard !committer.isClosed else { throw StorageError.closed }
        do {
            try await pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // A reader is active: the next one does it.
        } catch {
            throw StorageError(error)
        }
    }

    /// Finishes the queue, folds the write-ahead log into the database and closes the connections.
    package func close() async throws {
        guard committer.stop() else { return }
        do {
            try await BlockingThreads.run { [pool, committer] in
                try pool.writeWithoutTransaction { connection in
                    committer.drain(SQLiteWriter(connection))
                    try connection.checkpoint(.truncate)
                }
                try pool.close()
            }
        } catch {
            throw StorageError(error)
        }
    }

    /// How many writes wait for their turn.
    var waitingWrites: Int { committer.waiting }

    /// A setting of the writing connection, as text.
    ///
    /// Given with a value, it is changed first.
    @discardableResult
    func writerSetting(_ pragma: String) async throws -> String? {
        try await pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(pragma)") }
    }
}
