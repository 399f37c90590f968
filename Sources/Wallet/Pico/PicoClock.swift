/// The time for runs of Pico, in milliseconds on a clock that only goes forward.
package struct PicoClock: Sendable {
    /// The time now.
    package let now: @Sendable () -> Int64
    /// Waits until a time; throws when the task is cancelled.
    package let sleep: @Sendable (_ until: Int64) async throws -> Void

    /// A clock of the caller's own.
    package init(now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (_ until: Int64) async throws -> Void)
    {
        self.now = now
        self.sleep = sleep
    }

    /// The system's clock.
    package static let system: PicoClock = {
        let start = ContinuousClock.now
        return PicoClock(
            now: {
                let time = (ContinuousClock.now - start).components
                return time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000
            },
            sleep: { try await Task.sleep(until: start + .milliseconds($0), clock: .continuous) })
    }()

    /// Does something, unless its time ends first.
    ///
    /// - Throws: `noAnswer` after the deadline, `cancelled`, and what the work throws.
    func run<Value: Sendable>(
        before deadline: Int64, _ work: @escaping @Sendable () async throws(PicoRunError) -> Value
    ) async throws(PicoRunError) -> Value {
        let result = await withTaskGroup(of: Result<Value, PicoRunError>?.self) { [sleep] group in
            group.addTask {
                do throws(PicoRunError) { return .success(try await work()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await sleep(deadline)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // Work that ended in the same moment counts; work that was cancelled does not.
            if let last = await group.next() ?? nil, case .success = last { return last }
            return .failure(Task.isCancelled ? .cancelled : .noAnswer)
        }
        return try result.get()
    }
}
