import Encodings
import Interface
import Logging
import Synchronization

/// The newest lines of the server's log, for the main administrator's console.
///
/// They belong to this process and end with it; lines to be kept belong in the machine's own log. Requests have a part
/// of their own: there are so many that they would push everything else out.
package final class RecentLog: Sendable {
    /// The message of the line that every request leaves.
    static let requestMessage = "request"

    private struct Parts {
        var requests = Ring()
        var events = Ring()
    }

    private struct Ring {
        var lines: [ServerLogLine] = []
        var next = 0

        mutating func add(_ line: ServerLogLine) {
            if lines.count < Limits.recentLines { lines.append(line) } else { lines[next] = line }
            next = (next + 1) % Limits.recentLines
        }

        /// The newest first.
        var newest: [ServerLogLine] { (lines[next...] + lines[..<next]).reversed() }
    }

    private let parts = Mutex(Parts())

    package init() {}

    /// - Parameter time: in seconds since 1970.
    func add(_ event: LogEvent, _ pairs: [(String, String)], at time: Int64) {
        let message = "\(event.message)"
        let line = ServerLogLine(
            time: time, level: event.level.rawValue, message: message,
            details: pairs.map { ServerLogDetail(name: $0.0, value: String($0.1.prefix(Limits.recentLineValue))) })
        // Lines that anybody can cause by asking, such as a refusal, stay among the requests.
        let isOfRequest = event.level < .warning && pairs.contains { $0.0 == "request" }
        parts.withLock { parts in
            if isOfRequest || message == Self.requestMessage {
                parts.requests.add(line)
            } else {
                parts.events.add(line)
            }
        }
    }

    /// The newest first.
    func lines(_ part: ServerLogPart) -> [ServerLogLine] {
        parts.withLock { part == .requests ? $0.requests.newest : $0.events.newest }
    }
}
