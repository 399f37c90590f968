internal import Foundation
internal import Synchronization

/// Jobs in order of arrival for a fixed number of threads, with a bound on how many wait.
final class WorkerQueue: Sendable {
    private struct Job: Sendable {
        let number: UInt64
        /// Does the work and returns what tells the asker; by then the thread counts as free again.
        let run: @Sendable () -> @Sendable () -> Void
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running = 0
        var started = 0
        var nextNumber: UInt64 = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    /// Counts waiting jobs; only our own threads ever wait for it.
    private let signal = DispatchSemaphore(value: 0)
    private let threads: Int
    private let maximumWaiting: Int

    init(threads: Int, maximumWaiting: Int) {
        self.threads = threads
        self.maximumWaiting = maximumWaiting
    }

    /// How many jobs wait and how many run.
    var load: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, $0.running) } }

    /// Runs `body` on one of the threads.
    ///
    /// - Throws: `busy` at once when too many wait; `cancelled` when the task is cancelled before its turn. A job that
    ///   has begun runs to its end.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(PassphraseHashError) -> Value
    ) async throws(PassphraseHashError) -> Value {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        let result: Result<Value, PassphraseHashError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(
                    Job(
                        number: number,
                        run: {
                            let result = Result(catching: body)
                            return { continuation.resume(returning: result) }
                        },
                        cancel: { continuation.resume(returning: .failure(.cancelled)) }),
                    refuse: { continuation.resume(returning: .failure(.busy)) })
                // The handler may have run before there was anything to take out.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
        return try result.get()
    }

    /// Ends the threads once they have nothing left to do.
    func stop() {
        let started = state.withLock { state in
            state.isStopped = true
            return state.started
        }
        for _ in 0..<started { signal.signal() }
    }

    private func enqueue(_ job: Job, refuse: () -> Void) {
        enum Outcome { case accepted(startsThread: Bool), refused }
        let outcome: Outcome = state.withLock { state in
            let free = threads - state.running
            guard state.waiting.count < maximumWaiting + free else { return .refused }
            state.waiting.append(job)
            guard state.started < threads else { return .accepted(startsThread: false) }
            state.started += 1
            return .accepted(startsThread: true)
        }
        switch outcome {
        case .refused: refuse()
        case .accepted(let startsThread):
            if startsThread {
                let thread = Thread { self.work() }
                thread.name = "argon2"
                thread.start()
            }
            signal.signal()
        }
    }

    private func cancel(_ number: UInt64) {
        let job: Job? = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiting.remove(at: index)
        }
        job?.cancel()
    }

    private func work() {
        while true {
            signal.wait()
            let (job, isStopped): (Job?, Bool) = state.withLock { state in
                guard !state.waiting.isEmpty else { return (nil, state.isStopped) }
                state.running += 1
                return (state.waiting.removeFirst(), state.isStopped)
            }
            if let job {
                let tell = job.run()
                state.withLock { $0.running -= 1 }
                tell()
            } else if isStopped {
                return
            }
        }
    }
}
