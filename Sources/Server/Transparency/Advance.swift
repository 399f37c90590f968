/// Lets callers wait until something covers a size; while one waits, one step after the other is taken.
///
/// The steps belong to no single request: one that is cancelled does not cancel the others.
actor Advance {
    private let step: @Sendable () async throws -> UInt64
    private let covered: Visible<UInt64>
    private var reached: UInt64 {
        get { covered.value }
        set { covered.value = newValue }
    }
    /// The size that callers are waiting for.
    private var wanted: UInt64 = 0
    private var isAdvancing = false
    private var waiters: [(size: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Those who wait for the end of a step, whatever comes of it, or until one of them has waited long enough.
    private var onlookers: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - reached: the size that is covered already.
    ///   - step: covers more, and says how much is covered then; if it cannot for long, it throws.
    init(from reached: UInt64, step: @escaping @Sendable () async throws -> UInt64) {
        covered = Visible(reached)
        self.step = step
    }

    /// Waits until `size` is covered.
    ///
    /// - Throws: what the step that was to cover it has thrown; the next caller has it tried again.
    nonisolated func reach(_ size: UInt64) async throws {
        guard covered.value < size else { return }
        try await wait(for: size)
    }

    private func wait(for size: UInt64) async throws {
        guard reached < size else { return }
        want(size)
        try await withCheckedThrowingContinuation { waiters.append((size, $0)) }
    }

    /// Has `size` covered, but waits for no more than the step that is under way, and not for one that hangs.
    ///
    /// The step may have begun too early to cover it, or fail.
    func awaitStep(towards size: UInt64, atMost patience: Duration) async {
        guard reached < size else { return }
        want(size)
        let timer = Task {
            do { try await Task.sleep(for: patience) } catch { return }
            endStep()
        }
        defer { timer.cancel() }
        await withCheckedContinuation { onlookers.append($0) }
    }

    private func want(_ size: UInt64) {
        wanted = max(wanted, size)
        guard !isAdvancing else { return }
        isAdvancing = true
        Task { await advance() }
    }

    private func advance() async {
        defer { isAdvancing = false }
        do {
            var stalls = 0
            while reached < wanted {
                let next = try await step()
                // Once is a race that another process won; twice, and going on would only keep a core busy.
                stalls = next > reached ? 0 : stalls + 1
                guard stalls < 2 else {
                    throw TransparencyLog.LogError.unwitnessed(["the policy in force has just changed"])
                }
                reached = max(reached, next)
                let ready = waiters.filter { $0.size <= reached }
                waiters.removeAll { $0.size <= reached }
                ready.forEach { $0.continuation.resume() }
                endStep()
            }
        } catch {
            wanted = reached
            let failed = waiters
            waiters = []
            failed.forEach { $0.continuation.resume(throwing: error) }
            endStep()
        }
    }

    private func endStep() {
        let all = onlookers
        onlookers = []
        all.forEach { $0.resume() }
    }
}
