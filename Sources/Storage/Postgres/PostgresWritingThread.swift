import Dispatch
import Synchronization

/// The thread on which this process writes to PostgreSQL, with its connection.
final class PostgresWritingThread: Sendable {
    private let queue = DispatchQueue(label: "storage.postgres.writer")
    private let writer: Mutex<PostgresWriter>

    init(url: String, lockTimes: LockTimes) { writer = Mutex(PostgresWriter(url: url, lockTimes: lockTimes)) }

    func drain(_ committer: GroupCommit) {
        queue.async { self.writer.withLock { committer.drain($0) } }
    }
}

/// For how long the writer's lock was waited for, and held.
final class LockTimes: Sendable {
    private let times = Mutex((waited: 0.0, held: 0.0))

    var seconds: (waited: Double, held: Double) { times.withLock { $0 } }

    func add(waited: Duration, held: Duration) {
        times.withLock { times in
            times.waited += waited / .seconds(1)
            times.held += held / .seconds(1)
        }
    }
}
