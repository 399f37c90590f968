import Foundation
import Synchronization
import Workers

/// Stops a server's work before one of its jobs, so that a test does something else first.
///
/// The work needs a second thread for that.
final class WorkStop: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = Mutex(0)
    private let job: Int

    /// Stops before a job, counted from now on and from 1.
    init(_ work: BlockingWork, before job: Int) {
        self.job = job
        work.observe { report in
            guard case .began = report else { return }
            let number = self.begun.withLock { number in
                number += 1
                return number
            }
            if number == job { self.gate.wait() }
        }
    }

    /// Returns when the job is next.
    func reached() async {
        while begun.withLock({ $0 }) < job, !Task.isCancelled { await Task.yield() }
    }

    func go() { gate.signal() }
}
