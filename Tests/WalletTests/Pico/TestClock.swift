import Synchronization

@testable import Wallet

/// A clock that stands until the test moves it.
final class TestClock: Sendable {
    private struct State {
        var now: Int64 = 0
        var isFree = false
        var last = 0
        var sleepers: [Int: (time: Int64, wake: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [Int: (time: Int64, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    private let state = Mutex(State())

    var clock: PicoClock {
        PicoClock(now: { self.state.withLock(\.now) }, sleep: { try await self.sleep($0) })
    }

    /// Moves it, and wakes who waited until then.
    func move(to time: Int64) {
        let due = state.withLock { state in
            state.now = max(state.now, time)
            let due = state.sleepers.filter { $0.value.time <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    /// From now on every sleep is over at once: for the side that waits for one that has gone.
    func runFreely() {
        let all = state.withLock { state in
            state.isFree = true
            let all = state.sleepers.values.map(\.wake)
            state.now = max(state.now, state.sleepers.values.map(\.time).max() ?? 0)
            state.sleepers = [:]
            return all
        }
        for wake in all { wake.resume() }
    }

    /// Returns once somebody sleeps until this time, or when the test is cancelled: else its time limit would end nothing.
    func wait(forSleeperUntil time: Int64) async {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if Task.isCancelled || state.sleepers.values.contains(where: { $0.time == time }) { return true }
                    state.watchers[id] = (time, continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: id)?.wake }?.resume()
        }
    }

    private func sleep(_ time: Int64) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Way { case sleep, over, cancelled }
                let (way, watchers) = state.withLock { state in
                    if Task.isCancelled { return (Way.cancelled, [] as [CheckedContinuation<Void, Never>]) }
                    if state.isFree { state.now = max(state.now, time) }
                    if time <= state.now { return (.over, []) }
                    state.sleepers[id] = (time, continuation)
                    let watchers = state.watchers.filter { $0.value.time == time }
                    for id in watchers.keys { state.watchers[id] = nil }
                    return (.sleep, watchers.values.map(\.wake))
                }
                for watcher in watchers { watcher.resume() }
                switch way {
                case .sleep: break
                case .over: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }?.resume(throwing: CancellationError())
        }
    }
}
