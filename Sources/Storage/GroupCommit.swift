import GRDB
import Synchronization

/// Runs the writes of many tasks one after another, each in a savepoint, and commits them together.
///
/// The cost of a durable commit is then shared by all writes that arrived during the one before. No timer decides when
/// a batch is closed: the next is taken the moment the last is durable.
final class GroupCommit: Sendable {
    /// A write that waits for its turn.
    ///
    /// Exactly one of the closures it leads to ends the caller's wait.
    struct Pending: Sendable {
        /// Runs the caller's closure and gives what tells the caller its result.
        let run: @Sendable (Transaction) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    /// What was done since opening, for metrics and tests.
    struct Counts: Sendable {
        var commits = 0
        var writes = 0
    }

    private struct State {
        var queue: [Pending] = []
        var isRunning = false
        var isClosed = false
        var counts = Counts()
        var version = 0
    }

    private let pool: DatabasePool
    private let queueLimit: Int
    private let batchLimit: Int
    private let state = Mutex(State())

    init(pool: DatabasePool, queueLimit: Int, batchLimit: Int) {
        self.pool = pool
        self.queueLimit = queueLimit
        self.batchLimit = batchLimit
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Grows with every commit that may have been made, before anybody hears of it.
    var version: Int { state.withLock { $0.version } }

    /// How many writes wait for their turn.
    var waiting: Int { state.withLock { $0.queue.count } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Puts a write into the queue, or fails it at once.
    func submit(_ write: Pending) {
        enum Verdict { case refused(StorageError), start, queued }
        let verdict = state.withLock { state -> Verdict in
            if state.isClosed { return .refused(.closed) }
            if state.queue.count >= queueLimit { return .refused(.busy) }
            state.queue.append(write)
            defer { state.isRunning = true }
            return state.isRunning ? .queued : .start
        }
        switch verdict {
        case .refused(let error): write.fail(error)
        case .start: pool.asyncWriteWithoutTransaction { self.drain($0) }
        case .queued: break
        }
    }

    /// Refuses further writes.
    ///
    /// - Returns: whether they were still accepted before.
    func stop() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }

    /// Works until the queue is empty.
    ///
    /// Runs on the writer's thread.
    func drain(_ connection: GRDB.Database) {
        while let batch = takeBatch() {
            let finish = commit(batch, connection)
            for step in finish { step() }
        }
    }

    private func takeBatch() -> [Pending]? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isRunning = false
                return nil
            }
            let batch = Array(state.queue.prefix(batchLimit))
            state.queue.removeFirst(batch.count)
            return batch
        }
    }

    /// Runs a batch in one transaction.
    ///
    /// - Returns: what tells each caller its result, to be called now that the outcome is durable.
    private func commit(_ batch: [Pending], _ connection: GRDB.Database) -> [@Sendable () -> Void] {
        var finish: [@Sendable () -> Void] = []
        defer { state.withLock { $0.version += 1 } }
        do {
            try connection.beginTransaction(.immediate)
            for write in batch { finish.append(try runInSavepoint(write, connection)) }
            try connection.commit()
            state.withLock { state in
                state.counts.commits += 1
                state.counts.writes += batch.count
            }
            return finish
        } catch {
            // When the rollback fails too, SQLite has already rolled back or will when it opens the database again.
            try? connection.rollback()
            let error = StorageError(error)
            return batch.map { write in { write.fail(error) } }
        }
    }

    /// Runs one write and takes back only its changes when it throws.
    ///
    /// - Throws: when the whole transaction is lost.
    private func runInSavepoint(
        _ write: Pending, _ connection: GRDB.Database
    ) throws -> @Sendable () -> Void {
        try connection.cachedStatement(sql: "SAVEPOINT one_write").execute()
        let session = SQLiteSession(connection)
        do {
            let finish = try write.run(Transaction(session: session))
            if let failure = session.failure { throw failure }
            try connection.cachedStatement(sql: "RELEASE SAVEPOINT one_write").execute()
            return finish
        } catch {
            // Out of space and broken disks end SQLite's transaction, and with it the writes of everybody before.
            guard connection.isInsideTransaction else { throw session.failure ?? error }
            try connection.cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT one_write").execute()
            try connection.cachedStatement(sql: "RELEASE SAVEPOINT one_write").execute()
            // Told with the others: it may have been refused because of a change that is not durable yet.
            return { write.fail(error) }
        }
    }
}
