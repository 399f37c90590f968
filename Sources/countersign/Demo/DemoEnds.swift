import Dispatch
import Foundation

/// Ends a demo as its user ends it: Ctrl-C or SIGTERM, in the middle of the story or after it.
///
/// Server and bank have groups of processes of their own, so a terminal's Ctrl-C does not reach them.
final class DemoEnds {
    private var sources: [any DispatchSourceSignal] = []

    /// Stops the server at the first signal, and then the demo ends everything; a second signal ends the demo at once.
    ///
    /// - Parameter server: its process.
    func stop(_ server: Int32) {
        sources = [SIGINT, SIGTERM].map { Self.stopping(server, at: $0) }
    }

    /// No longer listens.
    func cancel() { for each in sources { each.cancel() } }

    private static func stopping(_ server: Int32, at number: Int32) -> any DispatchSourceSignal {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            _ = kill(server, SIGTERM)
            _ = signal(number, SIG_DFL)
        }
        source.resume()
        return source
    }
}
