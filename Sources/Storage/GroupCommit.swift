import Synchronization

/// The connection that writes, as a group commit uses it: on one thread.
protocol WritingConnection {
    /// Whether a transaction is open: an engine may end one by itself, when its disk is full or the line is cut.
    var isInTransaction: Bool { get }
    /// Whether a write that had ended has failed since: then all of the group are to be run again, carefully.
    var mustRepeat: Bool { get }
    /// - Parameter carefully: whether each statement is done before the next is asked for.
    func begin(carefully: Bool) throws(StorageError)
    func commit() throws(StorageError)
    /// Leaves the connection without a transaction, or unusable.
    func rollBack()
    /// For one write, whose changes can be taken back alone.
    func beginWrite() throws(StorageError) -> any SQLSession
    func endWrite() throws(StorageError)
    /// Takes the changes of the write back that has begun; what it executed is done before, so that the session knows
    /// what has failed.
    func undoWrite(_ session: any SQLSession) throws(StorageError)
}

/// Runs the writes of many tasks one after another, each able to fail alone, and commits them together.
///
/// The cost of a durable commit is then shared by all writes that arrived during the one before. No timer decides when
/// a batch is closed: the next is taken the moment the last is durable.
final class GroupCommit: Sendable {
    /// A write that waits for its turn.
    ///
    /// Exactly one of the closures it leads to ends the caller's wait.
    private struct Pending: Sendable {
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
        /// Those who wait until the queue of a closed committer is empty.
        var finishing: [CheckedContinuation<Void, Never>] = []
    }

    private let queueLimit: Int
    private let batchLimit: Int
    private let wake: @Sendable (GroupCommit) -> Void
    private let state = Mutex(State())

    /// An empty queue.
    ///
    /// - Parameter wake: calls `drain` on the writer's thread, and does not wait for it.
    init(queueLimit: Int, batchLimit: Int, wake: @escaping @Sendable (GroupCommit) -> Void) {
        self.queueLimit = queueLimit
        self.batchLimit = batchLimit
        self.wake = wake
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Grows with every commit that may have been made, before anybody hears of it.
    var version: Int { state.withLock { $0.version } }

    /// How many writes wait for their turn.
    var waiting: Int { state.withLock { $0.queue.count } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Puts a closure into the queue and waits until it is durable.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                Pending(
                    run: { transaction in
                        let value = try body(transaction)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) }))
        }
    }

    private func submit(_ write: Pending) {
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
        case .start: wake(self)
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

    /// Waits until everything that was accepted has its outcome.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.finishing.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Works until the queue is empty.
    ///
    /// Runs on the writer's thread.
    func drain(_ connection: some WritingConnection) {
        while let batch = takeBatch() {
            let finish = commit(batch, connection)
            for step in finish { step() }
        }
    }

    private func takeBatch() -> [Pending]? {
        let (batch, finishing) = state.withLock { state -> ([Pending]?, [CheckedContinuation<Void, Never>]) in
            guard !state.queue.isEmpty else {
                state.isRunning = false
                defer { state.finishing = [] }
                return (nil, state.finishing)
            }
            guard state.queue.count > batchLimit else {
                defer { state.queue = [] }
                return (state.queue, [])
            }
            let batch = Array(state.queue.prefix(batchLimit))
            state.queue.removeFirst(batch.count)
            return (batch, [])
        }
        for continuation in finishing { continuation.resume() }
        return batch
    }

    /// Runs a batch in one transaction.
    ///
    /// - Returns: what tells each caller its result, to be called now that the outcome is durable.
    private func commit(_ batch: [Pending], _ connection: some WritingConnection) -> [@Sendable () -> Void] {
        defer { state.withLock { $0.version += 1 } }
        do {
            do {
                return try attempt(batch, connection, carefully: false)
            } catch  where connection.mustRepeat {
                connection.rollBack()
                return try attempt(batch, connection, carefully: true)
            }
        } catch {
            connection.rollBack()
            let error = StorageError(error)
            return batch.map { write in { write.fail(error) } }
        }
    }

    private func attempt(
        _ batch: [Pending], _ connection: some WritingConnection, carefully: Bool
    ) throws -> [@Sendable () -> Void] {
        var finish: [@Sendable () -> Void] = []
        let memory = GroupMemory()
        try connection.begin(carefully: carefully)
        for write in batch { finish.append(try runAlone(write, connection, memory)) }
        try connection.commit()
        state.withLock { state in
            state.counts.commits += 1
            state.counts.writes += batch.count
        }
        return finish
    }

    /// Runs one write and takes back only its changes when it throws.
    ///
    /// - Throws: when the whole transaction is lost.
    private func runAlone(
        _ write: Pending, _ connection: some WritingConnection, _ memory: GroupMemory
    ) throws -> @Sendable () -> Void {
        let session = try connection.beginWrite()
        let before = memory.numbers
        do {
            let finish = try write.run(Transaction(session: session, memory: memory))
            if let failure = session.failure { throw failure }
            try connection.endWrite()
            return finish
        } catch {
            // Out of space, broken disks and cut lines end the transaction, and with it the writes of everybody before.
            guard connection.isInTransaction, !connection.mustRepeat else { throw session.failure ?? error }
            let known = session.failure
            try connection.undoWrite(session)
            memory.numbers = before
            // A statement that it executed before it threw may have been the first to fail.
            let cause = known == nil ? session.failure ?? error : error
            // Told with the others: it may have been refused because of a change that is not durable yet.
            return { write.fail(cause) }
        }
    }
}
