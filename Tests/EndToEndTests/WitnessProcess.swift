import Encodings
import Foundation
import Glibc

/// A witness as a separate process: `countersign witness serve`, or another program.
final class WitnessProcess {
    /// Its verifier key, for policies.
    let key: String
    /// Where it listens.
    let port: Int
    private let process = Process()

    /// Its address.
    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts a witness that watches one log, by one of its keys or by several, and waits until it listens.
    ///
    /// - Parameter port: where it was before, if others rely on it.
    convenience init(directory: String, name: String, logKey: String..., port: Int = 0) throws {
        try self.init(
            Program.countersign,
            ["witness", "serve", "--data", directory, "--name", name, "--port", "\(port)", "--json"]
                + logKey.flatMap { ["--log-key", $0] })
    }

    /// Starts a program that prints its key and port as one line of JSON once it listens.
    init(_ program: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("COUNTERSIGN_") }
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while line.last != 0x0A {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Program.Missing(description: "the witness ended at its start") }
            line += data
        }
        let json = try JSON.parse(Array(line.dropLast()))
        guard let key = json["key"]?.string, let listening = json["port"]?.integer else {
            throw Program.Missing(description: "the witness says something else than its key and port")
        }
        self.key = String(decoding: key, as: UTF8.self)
        port = Int(listening)
    }

    /// Kills it.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit { kill() }
}
