import Dispatch
import Synchronization

/// Connections that read, each with a thread of its own that waits for the server's answers.
final class PostgresReaders: Sendable {
    private struct State {
        var free: [Reader]
        /// Those who wait for a connection, in the order in which they came.
        var waiting: [CheckedContinuation<Reader, any Error>] = []
        var isClosed = false
    }

    private final class Reader: Sendable {
        let queue: DispatchQueue
        let connection = Mutex<PostgresConnection?>(nil)

        init(number: Int) { queue = DispatchQueue(label: "storage.postgres.\(number)") }
    }

    private let url: String
    private let queueLimit: Int
    private let state: Mutex<State>

    init(url: String, count: Int, queueLimit: Int) {
        self.url = url
        self.queueLimit = queueLimit
        state = Mutex(State(free: (0..<count).map(Reader.init)))
    }

    /// Runs a closure inside a transaction that sees one unchanging state.
    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let reader = try await take()
        defer { giveBack(reader) }
        return try await withCheckedThrowingContinuation { continuation in
            reader.queue.async { [url] in
                continuation.resume(
                    with: Result { try reader.connection.withLock { try Self.read(body, url, &$0) } })
            }
        }
    }

    private static func read<T>(
        _ body: (Transaction) throws -> T, _ url: String, _ slot: inout PostgresConnection?
    ) throws -> T {
        if let connection = slot, connection.isAlive {
            do {
                return try read(body, connection)
            } catch StorageError.unreachable {
                // The line was cut, perhaps long ago. Reading again over a new one changes nothing.
            }
        }
        slot = nil
        let connection = try PostgresConnection(url)
        slot = connection
        return try read(body, connection)
    }

    private static func read<T>(_ body: (Transaction) throws -> T, _ connection: PostgresConnection) throws -> T {
        try connection.finishRollBack()
        let session = PostgresSession(connection)
        // A transaction that only read need not be committed, and a failed one cannot be.
        defer { connection.beginRollBack() }
        let value: T
        do {
            value = try body(Transaction(session: session))
        } catch {
            // The line may have been cut long ago, whatever the closure made of that.
            if let failure = session.failure, case .unreachable = failure { throw failure }
            throw error
        }
        if let failure = session.failure { throw failure }
        return value
    }

    private func take() async throws -> Reader {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<Reader, any Error>? = state.withLock { state in
                if state.isClosed { return .failure(StorageError.closed) }
                if let reader = state.free.popLast() { return .success(reader) }
                if state.waiting.count >= queueLimit { return .failure(StorageError.busy) }
                state.waiting.append(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    private func giveBack(_ reader: Reader) {
        let next = state.withLock { state -> CheckedContinuation<Reader, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free.append(reader)
            return nil
        }
        next?.resume(returning: reader)
    }

    /// Refuses further reads; those that wait still get their turn.
    func close() {
        state.withLock { $0.isClosed = true }
    }
}
