import Logging
import ServiceLifecycle
import UnixSignals

/// The wish of the operator that settings are read again: SIGHUP.
package struct ReloadSignal: Sendable {
    let arrivals: UnixSignalsSequence
    let read: @Sendable () throws -> ServerConfiguration

    /// Catches the signal from now on; before, it ends the process.
    ///
    /// - Parameter read: brings the settings as at a start.
    package init(read: @escaping @Sendable () throws -> ServerConfiguration) async {
        arrivals = await UnixSignalsSequence(trapping: .sighup)
        self.read = read
    }
}

/// Takes up changed settings at each signal, and says in the log what came of it.
struct ReloadService: Service {
    let server: CountersignServer
    let signal: ReloadSignal
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in signal.arrivals { await reload() }
        }
    }

    private func reload() async {
        do {
            let reloaded = try await server.reload(try signal.read())
            let changed = reloaded.changed.isEmpty ? "nothing has changed" : reloaded.changed.joined(separator: ", ")
            logger.notice("settings read again: \(changed)")
            if !reloaded.waiting.isEmpty {
                logger.warning("settings that wait for a restart: \(reloaded.waiting.joined(separator: ", "))")
            }
        } catch let error as ServerKeys.KeyError {
            logger.error("settings not read again, nothing was changed: \(error.words)")
        } catch {
            logger.error("settings not read again, nothing was changed: \(error)")
        }
    }
}
