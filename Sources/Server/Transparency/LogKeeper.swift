import Logging
import ServiceLifecycle

/// Asks witnesses again that were away when an act wanted their signatures: nobody else would.
struct LogKeeper: Service {
    let log: TransparencyLog
    let clock: ServerClock
    let logger: Logger
    /// Between two looks.
    private static let pause: Duration = .seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var last = ""
            while (try? await clock.sleep(Self.pause)) != nil {
                do {
                    try await log.catchUp()
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
}
