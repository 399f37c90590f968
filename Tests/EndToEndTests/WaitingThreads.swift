import Foundation
import Synchronization
import Testing

/// Threads for tests that block while a program runs.
///
/// Swift's own are as many as the machine has cores. Where such tests keep them all, every other test stands still, its
/// server in this process too, while its deadlines go on.
final class WaitingThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Threads that wait for a job, and that nobody has woken yet.
        var idle = 0
    }

    static let shared = WaitingThreads()
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isAwaited = state.withLock { state in
            state.jobs.append(job)
            guard state.idle > 0 else { return false }
            state.idle -= 1
            return true
        }
        if isAwaited { wake.signal() } else { Thread.detachNewThread { self.work() } }
    }

    /// Does what there is, and waits for more; so there are as many threads as ever had something to do at once.
    private func work() {
        while true {
            let job = state.withLock { state in
                if state.jobs.isEmpty { state.idle += 1 }
                return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) } else { wake.wait() }
        }
    }

    /// Runs each test of a suite on them.
    struct Trait: SuiteTrait, TestTrait, TestScoping {
        let isRecursive = true

        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
        }
    }
}

extension Trait where Self == WaitingThreads.Trait {
    /// Its tests block while programs run, and keep no thread from others.
    static var blocking: Self { Self() }
}
