import ServiceLifecycle
import Storage

/// Tells owners of tries at their PINs that nobody proved in time, and ends slots that had their last.
struct VaultTryWatch: Service {
    let environment: Environment
    private static let pause: Duration = .seconds(15)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Of what cannot be told now, the next look tells: a full disk must not stop the server.
                _ = try? await tell()
                try await environment.clock.sleep(Self.pause)
            }
        }
    }

    /// Tells of all that are due, and lets the guard destroy the keys of slots that had their last try.
    func tell() async throws {
        let now = environment.now()
        var count = VaultTryStore.together
        while count == VaultTryStore.together {
            let due = try await environment.database.write { transaction in
                let due = try VaultTryStore(transaction: transaction).takeDue(now: now)
                for account in Set(due.filter { !$0.isTold }.map(\.account)) {
                    try environment.notify(
                        .access, account, saying: NotificationDetail(.vaultTried), in: transaction, now: now)
                }
                return due
            }
            let pins = VaultGuard(environment: environment)
            for account in Set(due.map(\.account)) { try await pins.advance(account) }
            count = due.count
        }
    }
}
