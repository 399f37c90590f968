import Foundation
import Synchronization
import Wallet

/// How far a transfer is, in one line of standard error; nothing where nobody watches.
final class VaultProgressBar: Sendable {
    private struct State {
        var drawn: ContinuousClock.Instant?
        var length = 0
        var start = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let name: String
    private let isShown: Bool

    /// - Parameters:
    ///   - name: of what is on its way.
    ///   - isPrinted: whether it goes to standard output. On a terminal the line would be drawn over it.
    init(_ name: String, _ output: OutputOptions, isPrinted: Bool = false) {
        self.name = name
        isShown = !output.json && isatty(STDERR_FILENO) == 1 && !(isPrinted && Terminal.isInteractive)
    }

    /// What the transfer tells.
    var progress: VaultProgress { VaultProgress { self.move($0, $1) } }

    private func move(_ done: UInt64, _ total: UInt64) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let line: String? = state.withLock { state in
            if let drawn = state.drawn, now - drawn < .milliseconds(100), done < total || total == 0 { return nil }
            state.drawn = now
            let seconds = max(0.001, (now - state.start) / Duration.seconds(1))
            let speed = VaultSizes.words(UInt64(Double(done) / seconds)) + "/s"
            let line = Self.line(name, done, total, speed)
            defer { state.length = line.count }
            return line + String(repeating: " ", count: max(0, state.length - line.count))
        }
        if let line { FileHandle.standardError.write(Data("\r\(line)".utf8)) }
    }

    /// A bar of twenty characters, as long as the length is known.
    static func line(_ name: String, _ done: UInt64, _ total: UInt64, _ speed: String) -> String {
        guard total > 0 else { return "\(name)  \(VaultSizes.words(done))  \(speed)" }
        let full = Int(min(20, done * 20 / total))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: 20 - full)
        return "\(name)  [\(bar)] \(done * 100 / total) %  \(VaultSizes.words(done))  \(speed)"
    }

    /// Takes the line away.
    func finish() {
        guard isShown else { return }
        let length = state.withLock { $0.length }
        guard length > 0 else { return }
        FileHandle.standardError.write(Data("\r\(String(repeating: " ", count: length))\r".utf8))
    }
}
