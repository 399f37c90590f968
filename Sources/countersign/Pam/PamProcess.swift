import Foundation
import Glibc

/// A process of this machine, which another one that gets its number later is not taken for.
struct PamProcess: Equatable {
    let number: Int32
    private let start: Substring

    /// A process that runs.
    init?(_ number: Int32) {
        guard let start = Self.start(number) else { return nil }
        (self.number, self.start) = (number, start)
    }

    var isRunning: Bool { Self.start(number) == start }

    /// Sends it a signal.
    ///
    /// - Returns: whether it runs, and takes it from this process.
    func send(_ signal: Int32) -> Bool { isRunning && kill(number, signal) == 0 }

    /// When it was started, in ticks since the machine was (proc(5)); `nil` if it has ended.
    private static func start(_ number: Int32) -> Substring? {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            // The name before this parenthesis may have any characters.
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z" else { return nil }
        return fields[19]
    }
}
