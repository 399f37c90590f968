internal import Foundation
internal import Synchronization

/// The threads of `BlockingWork` and what they share with those who ask.
///
/// Threads hold it; `BlockingWork` stops it when nobody holds that any more.
final class WorkerThreads: Sendable {
    private struct Job: Sendable {
        /// Does the work and returns what tells the asker; by then the thread counts as free again.
        let run: @Sendable () -> @Sendable () -> Void
        let cancel: @Sendable () -> Void
        let arrived: ContinuousClock.Instant
    }

    private struct State {
        var waiting = FairQueue<Job>()
        var running: [WorkOwner: Int] = [:]
        var runningInAll = 0
        var started = 0
        var nextNumber: UInt64 = 0
        var isStopped = false
        var observer: @Sendable (BlockingWork.Report) -> Void = { _ in }
    }

    private let state = Mutex(State())
    /// Counts waiting jobs; only our own threads ever wait for it.
    private let signal = DispatchSemaphore(value: 0)
    private let bounds: BlockingWork.Bounds

    init(_ bounds: BlockingWork.Bounds) { self.bounds = bounds }

    var load: (waiting: Int, running: Int) { state.withLock { ($0.waiting.count, $0.runningInAll) } }

    func observe(_ observer: @escaping @Sendable (BlockingWork.Report) -> Void) {
        state.withLock { $0.observer = observer }
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Result<Value, BlockingWork.Refusal> {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let job = Job(
                    run: {
                        let value = body()
                        return { continuation.resume(returning: .success(value)) }
                    },
                    cancel: { continuation.resume(returning: .failure(.cancelled)) }, arrived: .now)
                if let refusal = enqueue(job, number: number, owner: .current) {
                    continuation.resume(returning: .failure(refusal))
                }
                // The handler may have run before there was anything to take out.
                if Task.isCancelled { cancel(number) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Ends the threads once they have nothing left to do.
    func stop() {
        let started = state.withLock { state in
            state.isStopped = true
            return state.started
        }
        for _ in 0..<started { signal.signal() }
    }

    private func enqueue(_ job: Job, number: UInt64, owner: WorkOwner) -> BlockingWork.Refusal? {
        let (refusal, startsThread, observer) = state.withLock { state in
            let free = bounds.threads - state.runningInAll
            let own = state.running[owner, default: 0] + state.waiting.count(of: owner)
            let refusal: BlockingWork.Refusal? =
                own >= bounds.most(of: owner)
                ? .ownerFull : state.waiting.count >= bounds.waiting + free ? .full : nil
            guard refusal == nil else { return (refusal, false, state.observer) }
            state.waiting.append(job, number: number, owner: owner)
            guard state.started < bounds.threads else { return (nil, false, state.observer) }
            state.started += 1
            return (nil, true, state.observer)
        }
        guard refusal == nil else {
            if let refusal { observer(.refused(refusal)) }
            return refusal
        }
        if startsThread {
            let thread = Thread { self.work() }
            thread.name = "work"
            thread.start()
        }
        signal.signal()
        return nil
    }

    private func cancel(_ number: UInt64) {
        guard let job = state.withLock({ $0.waiting.remove(number) }) else { return }
        state.withLock { $0.observer }(.refused(.cancelled))
        job.cancel()
    }

    private func work() {
        while true {
            signal.wait()
            let (next, isStopped, observer) = state.withLock { state in
                guard let next = state.waiting.popFirst() else {
                    return ((job: Job, owner: WorkOwner)?.none, state.isStopped, state.observer)
                }
                state.runningInAll += 1
                state.running[next.owner, default: 0] += 1
                return (next, state.isStopped, state.observer)
            }
            if let (job, owner) = next {
                observer(.began(waited: job.arrived.duration(to: .now)))
                let tell = job.run()
                state.withLock { state in
                    state.runningInAll -= 1
                    let own = state.running[owner, default: 0]
                    state.running[owner] = own > 1 ? own - 1 : nil
                }
                tell()
            } else if isStopped {
                return
            }
        }
    }
}
