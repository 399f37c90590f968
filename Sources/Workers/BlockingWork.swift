/// Threads of their own for work that keeps a processor for long: hashing, comparing, drawing, compressing.
///
/// Swift's cooperative pool has one thread for each core: what stays on one of them stalls everybody. And without a bound
/// anyone could ask for more work than will ever be done. So work waits here: in a fair order, a bounded number for each
/// owner and in all. Threads start with the first work and end with the last reference.
package final class BlockingWork: Sendable {
    /// How much there may be.
    package struct Bounds: Sendable, Equatable {
        /// How many jobs are done at once.
        package var threads: Int
        /// How many more may wait.
        package var waiting: Int
        /// How many an account may have, waiting and under way.
        package var perAccount: Int
        /// How many an address may have that nobody has signed in from, waiting and under way.
        package var perAddress: Int

        /// Bounds; without those for owners only the bound in all holds.
        package init(threads: Int, waiting: Int, perAccount: Int = .max, perAddress: Int = .max) {
            self.threads = max(1, threads)
            self.waiting = max(0, waiting)
            self.perAccount = perAccount
            self.perAddress = perAddress
        }

        func most(of owner: WorkOwner) -> Int {
            switch owner {
            case .account: perAccount
            case .address: perAddress
            case .program: .max
            }
        }
    }

    /// Why work is not done.
    package enum Refusal: Error, Equatable, Sendable, CaseIterable {
        /// Too much waits in all.
        case full
        /// Too much waits, or is under way, for this owner.
        case ownerFull
        /// The asking task was cancelled before its turn came.
        case cancelled
    }

    /// What an observer is told.
    package enum Report: Sendable, Equatable {
        /// A job has waited this long for its thread.
        case began(waited: Duration)
        case refused(Refusal)
    }

    private let threads: WorkerThreads

    /// Work within bounds; no thread runs yet.
    package init(_ bounds: Bounds) { threads = WorkerThreads(bounds) }

    deinit { threads.stop() }

    /// How many jobs wait and how many run.
    package var load: (waiting: Int, running: Int) { threads.load }

    /// Tells `observer` of each job that begins or is refused, on any thread.
    package func observe(_ observer: @escaping @Sendable (Report) -> Void) { threads.observe(observer) }

    /// The result of `body`, done on one of the threads.
    ///
    /// A job that has begun runs to its end. One that waits is forgotten when its task is cancelled.
    ///
    /// - Returns: `full` and `ownerFull` at once; `cancelled` when the task is cancelled before its turn.
    package func attempt<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Result<Value, Refusal> {
        await threads.run(body)
    }

    /// What `body` returns or throws.
    ///
    /// - Throws: `Refusal`, and what `body` throws.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await attempt { Result { try body() } }.get().get()
    }
}
