import Synchronization

/// Wakes the delivery of notices when something was put into the outbox.
final class NotificationBell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func ring() {
        let waiting = state.withLock { state in
            let waiting = state.waiting.take()
            if waiting == nil { state.isRung = true }
            return waiting
        }
        waiting?.resume()
    }

    /// Returns when it rings, or has rung since the last time, or after some time; only one task may wait.
    ///
    /// - Returns: whether it rang.
    func wait(atMost time: Duration, _ clock: ServerClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.rung()
                return true
            }
            group.addTask {
                try? await clock.sleep(time)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private func rung() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    // A ring that comes with the end of the wait is for the next one.
                    if Task.isCancelled { return true }
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
