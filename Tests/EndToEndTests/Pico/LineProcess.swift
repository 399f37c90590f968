import Dispatch
import Encodings
import Foundation
import Glibc

/// A program that runs beside a test and says something line by line.
final class LineProcess: Sendable {
    /// Where it blocks while it waits for the program.
    private static let reading = DispatchQueue(label: "tests.lines", attributes: .concurrent)

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private let errors: FileHandle
    private let folder: TemporaryFolder
    private let ended = DispatchSemaphore(value: 0)

    init(_ program: String, _ arguments: [String]) throws {
        folder = try TemporaryFolder()
        try Data().write(to: folder.url.appendingPathComponent("errors"))
        errors = try FileHandle(forWritingTo: folder.url.appendingPathComponent("errors"))
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("COUNTERSIGN_") }
        process.standardOutput = output
        process.standardInput = input
        process.standardError = errors
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
    }

    /// The next line; empty when there is none.
    func line() async -> String {
        await withCheckedContinuation { continuation in
            Self.reading.async {
                var line: [UInt8] = []
                while line.last != 0x0A {
                    let byte = self.output.fileHandleForReading.readData(ofLength: 1)
                    guard !byte.isEmpty else { break }
                    line += byte
                }
                if line.last == 0x0A { line.removeLast() }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }

    /// The next line as JSON.
    func json() async throws -> JSON {
        let line = await line()
        guard !line.isEmpty else { throw Program.Missing(description: "it said nothing more: \(try complaint())") }
        return try JSON.parse(Bytes(text: line))
    }

    /// Types a line.
    func type(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits for its end.
    func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            Self.reading.async {
                self.ended.wait()
                self.ended.signal()
                continuation.resume(returning: self.process.terminationStatus)
            }
        }
    }

    /// What it wrote to standard error.
    func complaint() throws -> String { try folder.text("errors") }

    /// Sends it a signal.
    func signal(_ number: Int32) { _ = kill(process.processIdentifier, number) }

    deinit { if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) } }
}
