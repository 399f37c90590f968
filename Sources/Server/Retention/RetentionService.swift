import ServiceLifecycle
import Storage

/// Removes what was kept for its time, at start and every hour, a bounded number of rows at a time.
struct RetentionService: Service {
    let environment: Environment
    /// What the operator has set.
    let days: ServerConfiguration.KeepDays
    /// Rows of one transaction, and transactions of one rule and hour.
    private static let rows = 500
    private static let rounds = 40
    private static let pause: Duration = .seconds(3_600)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // What cannot be removed now is removed in an hour: a full disk must not stop the server.
                try? await sweep()
                try await environment.clock.sleep(Self.pause)
            }
        }
    }

    /// Applies every rule.
    func sweep() async throws {
        let now = environment.now()
        try await endShares(now)
        var changed = 0
        for rule in RetentionStore.Rule.allCases {
            for _ in 0..<Self.rounds {
                let count = try await environment.database.write { transaction in
                    try RetentionStore(transaction: transaction).apply(rule, days, now: now, limit: Self.rows)
                }
                changed += count
                if count < Self.rows { break }
            }
        }
        // Without a certified key this waits: what lapsed counts for nothing meanwhile.
        for _ in 0..<Self.rounds {
            let count = try? await SigningDecisions(environment: environment).refuseLapsed()
            if count != SigningDecisions.batch { break }
        }
        if changed > 0 { try await environment.database.scrub() }
    }

    /// Links that are over: their sealed presentations go at once.
    private func endShares(_ now: Int64) async throws {
        for _ in 0..<Self.rounds {
            let blobs = try await environment.database.write { try ShareStore(transaction: $0).finished(now: now) }
            for blob in blobs { try await environment.blobs.delete(blob) }
            if blobs.isEmpty { break }
        }
    }
}
