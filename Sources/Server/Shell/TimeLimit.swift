/// A bound on how long something may take.
enum TimeLimit {
    /// The result of `work`; after `limit` it is cancelled and `problem` thrown.
    ///
    /// Cancelling asks, it does not force: work that is just being stored is still waited for.
    static func run<Value: Sendable>(
        _ limit: Duration, clock: ServerClock, or problem: Problem,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try? await clock.sleep(limit)
                return nil
            }
            defer { group.cancelAll() }
            guard case .some(.some(let value)) = try await group.next() else { throw problem }
            return value
        }
    }
}
