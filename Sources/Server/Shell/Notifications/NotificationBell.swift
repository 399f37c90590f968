import Synchronization

/// Wakes the delivery of notices when something was put into the outbox.
final class NotificationBell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Bool, Never>?
    }
    private let state = Mutex(State())

    func ring() {
        let waiting = state.withLock { state in
            let waiting = state.waiting.take()
            if waiting == nil { state.isRung = true }
            return waiting
        }
        waiting?.resume(returning: true)
    }

    /// Returns when it rings, or has rung since the last time, or after some time; only one task may wait.
    ///
    /// - Returns: whether it rang.
    func wait(atMost time: Duration, _ clock: ServerClock) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.rung() }
            group.addTask {
                try? await clock.sleep(time)
                return false
            }
            var hasRung = await group.next() ?? false
            group.cancelAll()
            // A ring that comes with the end of the time has been taken: nobody else will hear of it.
            for await other in group where other { hasRung = true }
            return hasRung
        }
    }

    /// - Returns: whether it rang; `false` when the task was cancelled.
    private func rung() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // A ring that comes with the end of the wait is for the next one.
                    if Task.isCancelled { return false }
                    if state.isRung {
                        state.isRung = false
                        return true
                    }
                    state.waiting = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume(returning: false)
        }
    }
}
