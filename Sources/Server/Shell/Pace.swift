import Synchronization

/// By when the other side has to have sent, or taken, more.
///
/// Who does nothing may wait so long. What moves gives time back, never more than that: nobody gets far ahead and then
/// stops. While the server itself has work, no time runs.
final class Pace: Sendable {
    private struct State {
        /// How long the other side may still do nothing.
        var left: Duration
        /// Since when it is its turn.
        var since: Duration?
    }

    private let clock: ServerClock
    private let pause: Duration
    private let rate: Int
    private let end: Duration?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - pause: how long nothing may move.
    ///   - rate: bytes in a second that keep it going.
    ///   - time: how long all may take; `nil` for any time.
    init(pause: Duration, rate: Int, within time: Duration?, clock: ServerClock) {
        (self.clock, self.pause, self.rate) = (clock, pause, rate)
        let now = clock.uptime()
        end = time.map { now + $0 }
        state = Mutex(State(left: pause))
    }

    /// It is later as soon as something moves, and never earlier than it was while it was the other side's turn.
    var deadline: Duration {
        let now = clock.uptime()
        let due = state.withLock { state -> Duration in
            guard let since = state.since else { return now + pause }
            return since + state.left
        }
        return end.map { min($0, due) } ?? due
    }

    /// It is the other side's turn.
    func begin() {
        let now = clock.uptime()
        state.withLock { $0.since = now }
    }

    /// So many bytes have moved.
    func move(_ bytes: Int) {
        let now = clock.uptime()
        let gained = Duration.seconds(bytes) / rate
        state.withLock { state in
            let waited = now - (state.since ?? now)
            state.left = min(pause, state.left - waited + gained)
            state.since = now
        }
    }

    /// It is the server's turn.
    func rest() {
        let now = clock.uptime()
        state.withLock { state in
            state.left -= now - (state.since ?? now)
            state.since = nil
        }
    }
}

extension Limits.Body {
    /// How a body has to come: a large one goes on coming.
    func pace(_ clock: ServerClock) -> Pace {
        Pace(pause: isLarge ? Limits.bodyPause : time, rate: Limits.bodyRate, within: time, clock: clock)
    }
}
