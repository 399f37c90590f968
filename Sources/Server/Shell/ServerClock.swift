import Foundation

/// The one clock of the server.
///
/// Tests give their own, so that nothing has to wait.
package struct ServerClock: Sendable {
    /// Seconds since 1970, for everything that is stored, signed or shown.
    package var now: @Sendable () -> Int64
    /// Time since some fixed moment, never set back: for rates, durations and time-outs.
    package var uptime: @Sendable () -> Duration
    /// Waits; throws `CancellationError` when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// A clock from its parts.
    package init(
        now: @escaping @Sendable () -> Int64,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
    }

    /// The machine's clock.
    package static let system: ServerClock = {
        let start = ContinuousClock.now
        return ServerClock(
            now: { Int64(Date().timeIntervalSince1970) },
            uptime: { start.duration(to: .now) },
            sleep: { try await Task.sleep(for: $0) })
    }()
}

extension Duration {
    /// The length in seconds.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}
