import Dispatch
import Foundation
import Synchronization

/// Messages through PostgreSQL's NOTIFY, over connections of their own.
///
/// Those that wait are sent together, in one transaction that need not be durable: each by itself would cost the server
/// as much as an act that is stored. PostgreSQL passes equal ones of a transaction on once, which is as good.
final class PostgresNotices: Notices {
    private static let channel = "countersign"

    private let url: String
    /// Tells our own messages, which come back to us, from those of others.
    private let sender = UUID().uuidString
    private let queue = DispatchQueue(label: "storage.postgres.notices")
    private let connection = Mutex<PostgresConnection?>(nil)
    private let waiting = Mutex(Waiting())

    private struct Waiting {
        var messages: [String] = []
        var isSending = false
    }

    /// As many are sent together.
    private static let batch = 200

    init(url: String) { self.url = url }

    func send(_ message: String) {
        guard message.utf8.count <= NoticeLimits.message else { return }
        let isFirst = waiting.withLock { waiting in
            waiting.messages.append(message)
            defer { waiting.isSending = true }
            return !waiting.isSending
        }
        if isFirst { queue.async { self.sendWaiting() } }
    }

    private func sendWaiting() {
        while let messages = takeWaiting() {
            connection.withLock { slot in
                // A second time over a new connection, when the old one was cut; then they are lost.
                for _ in 0..<2 {
                    do {
                        let connection = if let slot, slot.isAlive { slot } else { try connect() }
                        slot = connection
                        _ = try connection.pipeline(messages.map(statement)).last()
                        return
                    } catch {
                        slot = nil
                    }
                }
            }
        }
    }

    /// The next batch; `nil`, and nobody sends any more, when none waits.
    private func takeWaiting() -> [String]? {
        waiting.withLock { waiting in
            guard !waiting.messages.isEmpty else {
                waiting.isSending = false
                return nil
            }
            let batch = Array(waiting.messages.prefix(Self.batch))
            waiting.messages.removeFirst(batch.count)
            return batch
        }
    }

    private func connect() throws(StorageError) -> PostgresConnection {
        let connection = try PostgresConnection(url)
        try connection.control("SET synchronous_commit = off")
        return connection
    }

    private func statement(_ message: String) -> PostgresStatement {
        PostgresStatement(
            sql: "SELECT pg_notify($1, $2)", values: [.text(Self.channel), .text("\(sender) \(message)")])
    }

    func arrivals() -> AsyncStream<NoticeArrival> {
        let (stream, continuation) = AsyncStream.makeStream(of: NoticeArrival.self)
        let isWanted = Flag()
        continuation.onTermination = { _ in isWanted.clear() }
        let (url, sender) = (url, sender)
        // It waits on a socket all its life: not on a thread that others need.
        Thread.detachNewThread {
            var pause = Self.shortPause
            var isFirst = true
            while isWanted.isSet {
                do {
                    let connection = try PostgresConnection(url)
                    try connection.control("LISTEN \(Self.channel)")
                    if !isFirst { continuation.yield(.interrupted) }
                    (isFirst, pause) = (false, Self.shortPause)
                    while isWanted.isSet {
                        for text in try connection.waitForNotifications(atMost: Self.look) {
                            let parts = text.split(separator: " ", maxSplits: 1)
                            guard parts.count == 2, parts[0] != sender else { continue }
                            continuation.yield(.message(String(parts[1])))
                        }
                    }
                } catch {
                    isFirst = false
                    Thread.sleep(forTimeInterval: pause)
                    pause = min(pause * 2, Self.longPause)
                }
            }
        }
        return stream
    }

    /// Seconds between attempts to connect.
    private static let (shortPause, longPause) = (0.1, 5.0)
    /// How often to look whether anybody still listens, in milliseconds.
    private static let look: Int32 = 500

    private final class Flag: Sendable {
        private let value = Atomic(true)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func clear() { value.store(false, ordering: .relaxed) }
    }
}
