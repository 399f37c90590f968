import Dispatch
import Synchronization

/// Runs the tasks of a test, and looks each time one of them is told to go on whether a lock is free then.
///
/// Telling a task hands it to its executor at once, on the thread that tells: what that thread holds is still held.
final class LockProbe: TaskExecutor {
    private let look: @Sendable () -> Void
    private let (tasks, looker) = (DispatchQueue(label: "probe.tasks"), DispatchQueue(label: "probe.looker"))
    private let counts = Mutex((looks: 0, blocked: 0))

    /// - Parameter look: takes the lock and gives it back.
    init(_ look: @escaping @Sendable () -> Void) { self.look = look }

    /// How often it has looked.
    var looks: Int { counts.withLock(\.looks) }

    /// How often the lock was not to be had.
    var blocked: Int { counts.withLock(\.blocked) }

    func enqueue(_ job: consuming ExecutorJob) {
        let (job, looked) = (UnownedJob(job), DispatchSemaphore(value: 0))
        looker.async { [look] in
            look()
            looked.signal()
        }
        // Others hold it for no time at all.
        let isBlocked = looked.wait(timeout: .now() + 5) == .timedOut
        counts.withLock { $0 = ($0.looks + 1, $0.blocked + (isBlocked ? 1 : 0)) }
        tasks.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
