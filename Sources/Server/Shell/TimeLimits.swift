import Synchronization

/// Bounds on how long things may take, kept by one timer for all of them.
///
/// A timer for each request would cost more than most requests do.
package final class TimeLimits: Sendable {
    private struct Running {
        var deadline: Duration
        /// Says a later deadline, if there is one.
        let pace: Pace?
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var next: UInt64 = 0
        /// A piece of work under way: when it has to end, and how it is asked to.
        var running: [UInt64: Running] = [:]
        /// The timer that wakes next.
        var timer: (deadline: Duration, task: Task<Void, Never>)?
    }

    private let clock: ServerClock
    private let state = Mutex(State())

    init(clock: ServerClock) { self.clock = clock }

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// The result of `work`; after `limit` it is cancelled and `problem` thrown.
    ///
    /// Cancelling asks, it does not force: work that is just being stored is still waited for.
    func run<Value: Sendable>(
        _ limit: Duration, or problem: @autoclosure () -> Problem, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await run(until: clock.uptime() + limit, nil, or: problem(), work)
    }

    /// What reads a body, within the time that the body has; a large one has to go on coming.
    ///
    /// - Parameter work: gets the pace, and says when it waits for the body and how much has come.
    /// - Throws: `Problem` `requestTimeout`.
    func run<Value: Sendable>(
        reading body: Limits.Body, _ work: @escaping @Sendable (Pace) async throws -> Value
    ) async throws -> Value {
        let pace = body.pace(clock)
        return try await run(until: pace.deadline, pace, or: Problem(.requestTimeout)) { try await work(pace) }
    }

    private func run<Value: Sendable>(
        until deadline: Duration, _ pace: Pace?, or problem: @autoclosure () -> Problem,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Begun here and not queued: most work has ended before it would have waited for a thread.
        let task = Task.immediate { try await work() }
        let id = begin(deadline, pace) { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        guard end(id) else { throw problem() }
        return try result.get()
    }

    /// Calls `cancel` once if a pace is not kept, until ``forget(_:)``.
    func watch(_ pace: Pace, cancel: @escaping @Sendable () -> Void) -> UInt64 {
        begin(pace.deadline, pace, cancel: cancel)
    }

    /// Ends what ``watch(_:cancel:)`` began.
    func forget(_ id: UInt64) { _ = end(id) }

    private func begin(_ deadline: Duration, _ pace: Pace?, cancel: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.next += 1
            state.running[state.next] = Running(deadline: deadline, pace: pace, cancel: cancel)
            if state.timer.map({ deadline < $0.deadline }) ?? true { set(deadline, &state) }
            return state.next
        }
    }

    /// - Returns: whether it ended within its limit.
    private func end(_ id: UInt64) -> Bool { state.withLock { $0.running.removeValue(forKey: id) != nil } }

    private func set(_ deadline: Duration, _ state: inout State) {
        state.timer?.task.cancel()
        let wait = deadline - clock.uptime()
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(wait)) != nil else { return }
            self?.expire(deadline)
        }
        state.timer = (deadline, task)
    }

    /// Asks everything to end whose time has come, and waits for what comes next.
    private func expire(_ deadline: Duration) {
        let due = state.withLock { state in
            for (id, one) in state.running where one.deadline <= deadline {
                if let later = one.pace?.deadline { state.running[id]?.deadline = later }
            }
            let due = state.running.filter { $0.value.deadline <= deadline }
            for id in due.keys { state.running[id] = nil }
            state.timer = nil
            if let next = state.running.values.map(\.deadline).min() { set(next, &state) }
            return due.values.map(\.cancel)
        }
        for cancel in due { cancel() }
    }
}
