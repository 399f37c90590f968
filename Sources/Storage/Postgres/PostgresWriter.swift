/// The one connection of this process that writes to PostgreSQL.
///
/// All processes that share a database write one after the other, as one process does: what a closure has read is
/// still so when it writes, and the log's positions have no gaps. A commit holds many writes (``GroupCommit``), so
/// taking turns costs a process its wait for the commits of others, not for each of their writes.
final class PostgresWriter: WritingConnection {
    private let url: String
    private var connection: PostgresConnection?

    init(url: String) { self.url = url }

    /// The key of the lock that whoever writes holds: "countersi" in ASCII, as far as it fits.
    static let lock: Int64 = 0x63_6F75_6E74_6572
    /// How long to wait for the others.
    private static let patience = "10s"

    var isInTransaction: Bool { connection?.isInTransaction ?? false }

    func begin() throws(StorageError) {
        if let connection, connection.isAlive {
            do {
                return try begin(connection)
            } catch .unreachable {
                // It was cut while nothing was under way. Nothing has been written yet: once more, over a new one.
            }
        }
        connection = nil
        let new = try PostgresConnection(url)
        try begin(new)
        connection = new
    }

    private func begin(_ connection: PostgresConnection) throws(StorageError) {
        // The lock comes before the first statement that reads: each statement sees what was committed before it.
        try connection.control(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '\(Self.patience)';
            SELECT pg_advisory_xact_lock(\(Self.lock))
            """)
    }

    func commit() throws(StorageError) { try control("COMMIT") }

    func rollBack() {
        // A connection that cannot roll back is closed; the server then does it.
        do { try control("ROLLBACK") } catch { connection = nil }
    }

    func control(_ sql: String) throws(StorageError) {
        guard let connection else { throw .unreachable(detail: "not connected") }
        try connection.control(sql)
    }

    func makeSession() throws(StorageError) -> any SQLSession {
        guard let connection else { throw .unreachable(detail: "not connected") }
        return PostgresSession(connection)
    }
}
