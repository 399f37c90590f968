import Dispatch

/// A PostgreSQL database, for any number of processes.
///
/// Reads run on connections of their own; writes are committed in groups (see ``GroupCommit``), one group at a time
/// over all processes (see ``PostgresWriter``). A connection that was cut is made again when it is next needed.
package final class PostgresDatabase: Database {
    private let readers: PostgresReaders
    private let committer: GroupCommit
    private let lockTimes = LockTimes()

    package let notices: (any Notices)?

    package var figures: WriteFigures {
        var figures = WriteFigures(counts: committer.counts)
        (figures.lockWaited, figures.lockHeld) = lockTimes.seconds
        return figures
    }

    private init(url: String, connections: Int, queueLimit: Int, batchLimit: Int) {
        readers = PostgresReaders(url: url, count: connections, queueLimit: queueLimit)
        notices = PostgresNotices(url: url)
        let writer = PostgresWritingThread(url: url, lockTimes: lockTimes)
        committer = GroupCommit(queueLimit: queueLimit, batchLimit: batchLimit) { writer.drain($0) }
    }

    /// Connects, and proves that commits will be durable and that texts are kept and ordered byte by byte.
    ///
    /// - Parameters:
    ///   - url: `postgres://USER@HOST:PORT/DATABASE`; a password belongs into libpq's password file.
    ///   - connections: how many reads may run at once.
    ///   - queueLimit: how many writes, and how many reads, may wait; further ones are refused with
    ///     `StorageError.busy`.
    ///   - batchLimit: how many writes one commit may hold.
    package static func open(
        _ url: String, connections: Int = 8, queueLimit: Int = 8_192, batchLimit: Int = 1_024
    ) async throws(StorageError) -> PostgresDatabase {
        let database = PostgresDatabase(
            url: url, connections: connections, queueLimit: queueLimit, batchLimit: batchLimit)
        do {
            try await database.read { try requireFitSettings($0) }
        } catch {
            throw error as? StorageError ?? .ioError(detail: String(describing: type(of: error)))
        }
        return database
    }

    private static func requireFitSettings(_ transaction: Transaction) throws(StorageError) {
        let settings = try transaction.row(
            """
            SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
                current_setting('synchronous_commit') AS synchronous_commit,
                current_setting('server_encoding') AS server_encoding,
                'a' < 'B' AS ignores_case
            """)
        guard let settings else { throw .corrupt(detail: "no answer to a question for settings") }
        for (name, wanted) in [("fsync", ["on"]), ("full_page_writes", ["on"])] + [synchronous] {
            let found = try settings.text(name)
            guard wanted.contains(found) else {
                throw .notDurable(detail: "\(name) is \(found), not \(wanted.joined(separator: " or "))")
            }
        }
        let encoding = try settings.text("server_encoding")
        guard encoding == "UTF8" else { throw .unfit(detail: "its encoding is \(encoding), not UTF8") }
        guard try settings.integer("ignores_case") == 0 else {
            throw .unfit(detail: "it sorts by a language's rules; create it with LC_COLLATE 'C' TEMPLATE template0")
        }
    }

    private static let synchronous = ("synchronous_commit", ["on", "local", "remote_write", "remote_apply"])

    package func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        guard !committer.isClosed else { throw StorageError.closed }
        return try await readers.read(body)
    }

    /// Reads each time: another process may have written.
    package func pointRead<T: Sendable>(
        _ key: String, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T { try await read(body) }

    @discardableResult
    package func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await committer.write(body)
    }

    package func migrate(_ histories: [MigrationHistory]) async throws {
        // A writer holds a lock that all processes share, so another process that migrates waits here.
        try await write { try MigrationRun(transaction: $0).run(histories) }
    }

    /// Does nothing: when rows are really gone is PostgreSQL's own business.
    package func scrub() async throws {}

    /// How many writes wait for their turn.
    var waitingWrites: Int { committer.waiting }

    package func close() async throws {
        guard committer.stop() else { return }
        // Behind everything that was accepted.
        await committer.finish()
        readers.close()
    }
}
