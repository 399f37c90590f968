import Dispatch
import Foundation
import Glibc

/// A real server process of this very program, over a directory of its own.
final class DemoServer {
    let url: String
    let directory: String
    private let process = Process()
    private let output = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    private(set) var setUpCode = ""

    /// Starts the process and waits until it says that it listens.
    ///
    /// - Parameters:
    ///   - program: this very program; tests name it.
    ///   - settings: further flags.
    ///   - isSetUp: whether the organisation is there already, so that no set-up code is printed.
    ///   - onStart: gets the process as soon as there is one, before it listens.
    init(
        directory: String, port: Int, program: String = CommandLine.executablePath, settings: [String] = [],
        isSetUp: Bool = false, onStart: (Int32) -> Void = { _ in }
    ) throws {
        self.directory = directory
        url = "http://localhost:\(port)"
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments =
            [
                "serve", "--data", directory, "--port", String(port), "--public-url", url, "--log-level", "warning",
            ] + settings
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("COUNTERSIGN_") }
        process.standardOutput = output
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        onStart(process.processIdentifier)
        let code = try read(until: isSetUp ? "Serving " : "--code ")
        if !isSetUp { setUpCode = code }
    }

    /// The word behind a mark in what the server prints once it listens; its output ends only when it does.
    private func read(until mark: String) throws -> String {
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw DemoFailure(step: "server", reason: "it ended at its start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            guard let found = text.range(of: mark),
                let end = text[found.upperBound...].firstIndex(where: \.isWhitespace)
            else { continue }
            return String(text[found.upperBound..<end])
        }
    }

    /// Kills it, as a power cut or an operator in despair does.
    func kill() {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        wait()
    }

    /// Stops it as an operator does, and waits for its end.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        wait()
    }

    /// The process, for those who look at it from outside.
    var processIdentifier: Int32 { process.processIdentifier }

    /// Waits until it has ended.
    ///
    /// `waitUntilExit` would keep a processor busy all the time: on another thread than the
    /// one that started the process its run loop has nothing to wait for.
    func wait() {
        ended.wait()
        ended.signal()
    }

    deinit { stop() }
}

extension CommandLine {
    /// The path of the running program.
    static var executablePath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? arguments[0]
    }
}
