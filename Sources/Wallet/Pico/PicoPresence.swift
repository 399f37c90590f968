package import Pico
import Synchronization

/// What a person wants of a session that stays open: to be there, away for a while, or gone.
///
/// A session that waits learns of a change at once.
package final class PicoPresence: Sendable {
    private struct State {
        var wish = PicoContinuousState.active
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Present.
    package init() {}

    /// What is wanted now.
    package var wish: PicoContinuousState { state.withLock { $0.wish } }

    /// Changes it; nothing follows on `stopped`.
    package func want(_ wish: PicoContinuousState) {
        let waiter = state.withLock { state in
            guard state.wish != .stopped, state.wish != wish else { return nil as CheckedContinuation<Void, Never>? }
            state.wish = wish
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until something else is wanted, or the task is cancelled; one at a time.
    func changed(from old: PicoContinuousState) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.wish == old, !Task.isCancelled, state.waiter == nil else { return true }
                    state.waiter = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume()
        }
    }
}
