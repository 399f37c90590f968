/// The one connection of this process that writes to PostgreSQL.
///
/// All processes that share a database write one after the other, as one process does. So what a closure has read is
/// still true when it writes, and the log's positions have no gaps. A commit holds many writes (``GroupCommit``), so
/// taking turns costs a process its wait for the commits of others, not for each of their writes.
///
/// A statement that needs no answer is kept and sent with one that does, or with the commit. Writes that look at
/// nothing take the lock, run and commit in one round trip. If such a write turns out to have failed after later ones
/// were built on it, the group is run again, each statement by itself.
final class PostgresWriter: WritingConnection {
    private struct Queued {
        let statement: PostgresStatement
        let owner: Owner
    }

    /// The party at fault when a statement fails.
    private enum Owner: Equatable { case group, write(Int) }

    private let url: String
    private let lockTimes: LockTimes
    private let clock = ContinuousClock()
    private var connection: PostgresConnection?
    private var lastUse: ContinuousClock.Instant?
    /// When the lock was given to us.
    private var lockedAt: ContinuousClock.Instant?
    private var waited = Duration.zero
    /// Whether the server has begun the transaction and given the lock.
    private var isOpen = false
    private var isCareful = false
    private var queued: [Queued] = []
    /// Counts the writes of the group.
    private var write = 0
    private var hasSavepoint = false
    private(set) var mustRepeat = false
    /// Whether what all writes of the group need has failed.
    private var isLost = false

    init(url: String, lockTimes: LockTimes) {
        self.url = url
        self.lockTimes = lockTimes
    }

    /// The key of the lock that a writer holds: "countersi" in ASCII, as far as it fits.
    static let lock: Int64 = 0x63_6F75_6E74_6572
    /// How long to wait for the others.
    private static let patience = "10s"
    /// How many statements may wait to be sent.
    private static let queueLimit = 500
    /// After so long a silence the line may have been cut without a word.
    private static let silence = Duration.seconds(1)

    /// A transaction that the server does not know of yet cannot have been lost.
    var isInTransaction: Bool {
        guard !isLost else { return false }
        return isOpen ? connection?.isInTransaction ?? false : true
    }

    // MARK: Groups

    /// The server hears of it with the first statements.
    func begin(carefully: Bool) throws(StorageError) {
        (isOpen, isCareful, mustRepeat, queued, write) = (false, carefully, false, [], 0)
        (isLost, lockedAt) = (false, nil)
        if let connection, connection.isAlive {
            if let lastUse, clock.now - lastUse < Self.silence, connection.isSilent { return }
            // Asked before anything depends on it: what was sent over a cut line may or may not have been done.
            if (try? connection.control("SELECT 1")) != nil { return }
        }
        try connect()
    }

    private func connect() throws(StorageError) {
        connection = nil
        let new = try PostgresConnection(url)
        try new.control("SET lock_timeout = '\(Self.patience)'")
        connection = new
    }

    func commit() throws(StorageError) {
        guard isOpen || !queued.isEmpty else { return }
        let end = Queued(statement: PostgresStatement(sql: "COMMIT"), owner: .group)
        let answer = try send(queued + [end])
        isOpen = false
        countLock()
        // So a transaction ends that had failed unnoticed.
        guard answer?.command == "COMMIT" else { throw .transactionFailed }
    }

    func rollBack() {
        queued = []
        defer { countLock() }
        guard isOpen || connection?.isInTransaction == true else { return }
        isOpen = false
        // A connection that cannot roll back is closed; the server then does it.
        do { try connection?.control("ROLLBACK") } catch { connection = nil }
    }

    private func countLock() {
        guard let since = lockedAt else { return }
        lockTimes.add(waited: waited, held: clock.now - since)
        lockedAt = nil
    }

    // MARK: Writes

    func beginWrite() throws(StorageError) -> any SQLSession {
        write += 1
        hasSavepoint = false
        return PostgresWritingSession(self)
    }

    func endWrite() throws(StorageError) {
        if hasSavepoint { keep("RELEASE SAVEPOINT one_write") }
    }

    func undoWrite(_ session: any SQLSession) throws(StorageError) {
        if queued.last?.owner == .write(write) {
            // The session reports what fails here.
            try? session.settle()
            guard !mustRepeat, isInTransaction else { throw session.failure ?? .transactionFailed }
            queued.removeAll { $0.owner == .write(write) }
        }
        guard hasSavepoint else { return }
        keep("ROLLBACK TO SAVEPOINT one_write")
        keep("RELEASE SAVEPOINT one_write")
    }

    private func keep(_ sql: String) {
        queued.append(Queued(statement: PostgresStatement(sql: sql), owner: .write(write)))
    }

    // MARK: Statements

    /// Keeps a statement of the present write until an answer is next needed.
    func queue(_ statement: PostgresStatement) throws(StorageError) {
        queued.append(Queued(statement: statement, owner: .write(write)))
        if isCareful || queued.count >= Self.queueLimit { _ = try flush(nil) }
    }

    /// Sends what is kept, and one more of the present write.
    ///
    /// - Returns: the answer to it.
    func flush(_ last: PostgresStatement?) throws(StorageError) -> PostgresResult? {
        guard last != nil || !queued.isEmpty else { return nil }
        var statements = queued
        if !hasSavepoint {
            let place = statements.firstIndex { $0.owner == .write(write) } ?? statements.endIndex
            let savepoint = PostgresStatement(sql: "SAVEPOINT one_write")
            statements.insert(Queued(statement: savepoint, owner: .group), at: place)
        }
        if let last { statements.append(Queued(statement: last, owner: .write(write))) }
        let answer = try send(statements)
        return last == nil ? nil : answer
    }

    /// Sends statements, before the first of a group also what begins it.
    private func send(_ statements: [Queued]) throws(StorageError) -> PostgresResult? {
        guard !statements.isEmpty else { return nil }
        if isOpen { return try attempt(statements) }
        let opening = [
            // The lock comes before the first statement that reads: each statement sees what was committed before it.
            PostgresStatement(sql: "BEGIN ISOLATION LEVEL READ COMMITTED"),
            PostgresStatement(sql: "SELECT pg_advisory_xact_lock(\(Self.lock))", isAwaited: true),
        ].map { Queued(statement: $0, owner: .group) }
        do {
            return try attempt(opening + statements)
        } catch .unreachable where !isOpen && statements.last?.statement.sql != "COMMIT" {
            // It was cut while nothing was under way, and nothing can have been stored: try again over a new one.
            try connect()
            isLost = false
            return try attempt(opening + statements)
        }
    }

    private func attempt(_ statements: [Queued]) throws(StorageError) -> PostgresResult? {
        guard let connection else { throw .unreachable(detail: "not connected") }
        let (start, opens) = (clock.now, !isOpen)
        let answers: PostgresAnswers
        do {
            answers = try connection.pipeline(statements.map(\.statement)) { index in
                guard opens, index == 1 else { return }
                isOpen = true
                lockedAt = clock.now
                waited = clock.now - start
            }
        } catch {
            // Nobody knows what it still has to say.
            self.connection = nil
            isLost = true
            throw error
        }
        lastUse = clock.now
        queued = []
        if statements.prefix(answers.results.count).contains(where: { $0.statement.sql == "SAVEPOINT one_write" }) {
            hasSavepoint = true
        }
        guard let failure = answers.failure else { return answers.results.last }
        let owner = statements[answers.results.count].owner
        if owner == .group {
            isLost = true
        } else if owner != .write(write) || statements.last?.statement.sql == "COMMIT" {
            mustRepeat = true
        }
        throw failure
    }
}
