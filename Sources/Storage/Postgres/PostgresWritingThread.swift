import Dispatch
import Synchronization

/// The thread on which this process writes to PostgreSQL, with its connection.
final class PostgresWritingThread: Sendable {
    private let queue = DispatchQueue(label: "storage.postgres.writer")
    private let writer: Mutex<PostgresWriter>

    init(url: String) { writer = Mutex(PostgresWriter(url: url)) }

    func drain(_ committer: GroupCommit) {
        queue.async { self.writer.withLock { committer.drain($0) } }
    }
}
