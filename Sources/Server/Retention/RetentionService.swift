import ServiceLifecycle
import Storage

/// Removes what was kept for its time, at start and every hour, a bounded number of rows at a time.
///
/// Then it removes from the database's files too what was deleted: by its own rules, and by acts before.
struct RetentionService: Service {
    let environment: Environment
    /// What the operator has set.
    private let days: @Sendable () -> ServerConfiguration.KeepDays
    /// Rows of one transaction, and transactions of one rule and hour.
    private static let rows = 500
    private static let rounds = 40
    private static let pause: Duration = .seconds(3_600)

    /// Keeps everything for the same number of days.
    init(environment: Environment, days: ServerConfiguration.KeepDays) {
        self.init(environment: environment) { days }
    }

    /// - Parameter days: asked at each sweep.
    init(environment: Environment, days: @escaping @Sendable () -> ServerConfiguration.KeepDays) {
        self.environment = environment
        self.days = days
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Rows that cannot be removed now are removed in an hour: a full disk must not stop the server.
                try? await sweep()
                try await environment.clock.sleep(Self.pause)
            }
        }
    }

    /// Applies every rule of every slice; one that fails keeps no other from its work.
    ///
    /// - Throws: at the end, what the first of them failed with.
    func sweep() async throws {
        let (now, days) = (environment.now(), days())
        var failure: (any Error)?
        for (slice, rule) in environment.slices.flatMap({ slice in slice.retention.map { (slice, $0) } }) {
            do {
                try await apply(rule, of: slice, days, now: now)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
        }
        // Not only after own changes: an act stands when its scrub fails or meets a reader (`scrubAfterAct`).
        try await environment.database.scrub()
        if let failure { throw failure }
    }

    private func apply(
        _ rule: RetentionRule, of slice: Slice, _ days: ServerConfiguration.KeepDays, now: Int64
    ) async throws {
        for _ in 0..<Self.rounds {
            switch rule {
            case .work(let batch, let work):
                guard try await work(environment.with(keys: slice.keys)) == batch else { return }
            case .rows(let rows):
                let count = try await environment.database.write { transaction in
                    try RetentionStore(transaction: transaction)
                        .apply(rows, moment: now - rows.time(days), limit: Self.rows)
                }
                guard count == Self.rows else { return }
            }
        }
    }
}
