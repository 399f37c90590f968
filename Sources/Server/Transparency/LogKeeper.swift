import CoreMetrics
import Logging
import ServiceLifecycle

/// Asks witnesses again that were away when an act wanted their signatures, since nothing else would.
///
/// It also says in the metrics how far the log is published.
struct LogKeeper: Service {
    let log: TransparencyLog
    let clock: ServerClock
    let metrics: MetricsRegistry
    let logger: Logger
    /// Between two looks.
    private static let pause: Duration = .seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last = ""
            while (try? await clock.sleep(Self.pause)) != nil {
                do {
                    try await look()
                    if !last.isEmpty { logger.notice("the log's newest checkpoint is published again") }
                    last = ""
                } catch is CancellationError {
                    return
                } catch {
                    // Once for each trouble, however long it lasts.
                    if "\(error)" != last { logger.error("the log's checkpoint cannot be published", error: error) }
                    last = "\(error)"
                }
            }
        }
    }

    /// One look; the metrics are set also when witnesses are away.
    func look() async throws {
        let caughtUp: Result<Void, any Error>
        do { caughtUp = .success(try await log.catchUp()) } catch { caughtUp = .failure(error) }
        for (name, size) in [("sealed", await log.size), ("published", await log.publishedSize)] {
            Meter(label: "log_entries", dimensions: [("state", name)], factory: metrics).set(Int64(size))
        }
        try caughtUp.get()
    }
}
