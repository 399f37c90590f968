import Storage
import Synchronization

/// The way of live updates to the other processes: events that come together travel together.
///
/// Each message costs the database as much as a read. So those that are told before the task that sends them runs go
/// together, in the order of the calls.
final class EventOutbox: Sendable {
    /// A message, as JSON.
    struct Item: Sendable {
        let text: String
        /// Whether it may travel with others; what ends streams travels alone, in the form that every version reads.
        let isEvent: Bool
    }

    private struct State {
        var waiting: [Item] = []
        var isSending = false
    }

    private let notices: any Notices
    private let state = Mutex(State())

    init(_ notices: any Notices) { self.notices = notices }

    func send(_ item: Item) {
        let isFirst = state.withLock { state -> Bool in
            state.waiting.append(item)
            defer { state.isSending = true }
            return !state.isSending
        }
        // Queued, so that those who are about to tell something come before it.
        if isFirst { Task { self.sendWaiting() } }
    }

    private func sendWaiting() {
        while let items = take() {
            for message in Self.packed(items) { notices.send(message) }
        }
    }

    /// All that wait; `nil`, and nobody sends any more, when none does.
    private func take() -> [Item]? {
        state.withLock { state -> [Item]? in
            guard !state.waiting.isEmpty else {
                state.isSending = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The items as messages: neighbouring events as one, as far as a message goes.
    static func packed(_ items: [Item], limit: Int = NoticeLimits.message) -> [String] {
        var messages: [String] = []
        var run: [String] = []
        var length = 0
        func close() {
            if let first = run.first {
                messages.append(run.count == 1 ? first : opening + run.joined(separator: ",") + closing)
            }
            (run, length) = ([], 0)
        }
        for item in items {
            guard item.isEvent else {
                close()
                messages.append(item.text)
                continue
            }
            // With its comma.
            let more = item.text.utf8.count + 1
            if opening.utf8.count + length + more + closing.utf8.count > limit { close() }
            run.append(item.text)
            length += more
        }
        close()
        return messages
    }

    /// As the compiler writes `EventHub.Message.many`.
    private static let (opening, closing) = (#"{"many":{"_0":["#, "]}}")
}
