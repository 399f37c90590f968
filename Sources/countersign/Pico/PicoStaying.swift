import Dispatch
import Encodings
import Foundation
import Pico
import Synchronization
import Wallet

/// Continuous authentication on the command line: the wallet answers until the person stops it.
struct PicoStaying {
    let json: Bool

    func run(_ session: PicoSession, _ channel: RendezvousClient) async throws {
        let presence = PicoPresence()
        let signals = [SIGINT, SIGTERM].map { Self.stopping(presence, at: $0) }
        defer { for each in signals { each.cancel() } }
        Self.followInput(presence)
        if !json { Output.now("The wallet stays. Type pause, continue or stop; Ctrl-C also stops.") }
        let last = Mutex(PicoContinuousState?.none)
        do {
            try await PicoStay(over: channel).prove(session, presence: presence) { [json] state in
                let isNew = last.withLock { last in
                    defer { last = state }
                    return last != state
                }
                if isNew { Self.show(state, json: json) }
            }
        } catch {
            if !json { Terminal.note("The service was lost. It stays locked until you sign in again.") }
            throw error
        }
    }

    static func show(_ state: PicoContinuousState, json: Bool) {
        if json {
            Output.now(.members([("state", .text(state.name))]))
        } else {
            Output.now(state.words)
        }
    }

    /// Stops at the first signal; a second one ends the program as it always does.
    private static func stopping(_ presence: PicoPresence, at number: Int32) -> any DispatchSourceSignal {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            presence.want(.stopped)
            _ = signal(number, SIG_DFL)
        }
        source.resume()
        return source
    }

    /// Follows what is typed, on a thread that nobody waits for: reading blocks.
    private static func followInput(_ presence: PicoPresence) {
        Thread.detachNewThread {
            while let line = readLine() {
                switch line.trimmingCharacters(in: .whitespaces).lowercased() {
                case "pause", "p": presence.want(.paused)
                case "continue", "c": presence.want(.active)
                case "stop", "s": return presence.want(.stopped)
                default: Terminal.note("Type pause, continue or stop.")
                }
            }
        }
    }
}
