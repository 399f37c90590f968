import CoreMetrics
package import CryptoProvider
package import Workers

extension Argon2Workers {
    /// Hashing on threads that everything else that keeps a processor for long shares.
    package static func withinLimits() -> Argon2Workers { Argon2Workers(on: BlockingWork(Limits.work)) }
}

extension BlockingWork {
    /// Tells `/metrics` how long jobs wait for their thread, and how many are refused and why.
    func report(to metrics: MetricsRegistry) {
        let waits = metrics.makeTimer(label: "work_wait_seconds", dimensions: [])
        let refusals = Refusal.allCases.map { refusal in
            (refusal, metrics.makeCounter(label: "work_refused_total", dimensions: [("reason", refusal.word)]))
        }
        observe { report in
            switch report {
            case .began(let waited): waits.recordNanoseconds(Int64(waited.inSeconds * 1e9))
            case .refused(let refusal): refusals.first { $0.0 == refusal }?.1.increment(by: 1)
            }
        }
    }
}

extension BlockingWork.Refusal: ProblemSource {
    package var problem: Problem {
        switch self {
        case .full:
            Problem(.busy, "Too much work is waiting. Try again in a moment.", cause: "work: the queue is full")
        case .ownerFull:
            Problem(
                .busy, "Too much of your own work is waiting. Try again when some of it is answered.",
                cause: "work: the owner's part of the queue is full")
        case .cancelled: Problem(.busy, cause: "work: cancelled before its turn")
        }
    }

    fileprivate var word: String {
        switch self {
        case .full: "full"
        case .ownerFull: "owner"
        case .cancelled: "cancelled"
        }
    }
}
