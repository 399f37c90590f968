import Dispatch
import Foundation
import Glibc
import Synchronization

/// Programs that know nothing of our code, and judge, make or unpack what tests need.
///
/// They read and write files: a pipe may fill up, or stay open in a program that another test started at the same
/// moment, and then it is never at its end.
enum OtherProgram {
    /// The end of one, and all that it wrote.
    struct Outcome: Sendable {
        let status: Int32
        let output: Data
        let errors: Data
        /// Both as one text, complaints last.
        var text: String { String(decoding: output + errors, as: UTF8.self) }
    }

    /// It did not do its work.
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// How many seconds one may take.
    private static let limit = 60

    /// Runs one to its end, and keeps none of the few threads that all tests share.
    ///
    /// - Parameter program: its path, or its name on `PATH`.
    static func run(_ program: String, _ arguments: [String], input: Data = Data()) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try runHere(program, arguments, input) })
            }
        }
    }

    /// The output of one that must end well.
    @discardableResult
    static func output(of program: String, _ arguments: [String], input: Data = Data()) async throws -> Data {
        let outcome = try await run(program, arguments, input: input)
        guard outcome.status == 0 else {
            throw Failure(
                description: "\(program): status \(outcome.status): \(String(decoding: outcome.errors, as: UTF8.self))")
        }
        return outcome.output
    }

    private static func runHere(_ program: String, _ arguments: [String], _ input: Data) throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let inputFile = folder.appendingPathComponent("input")
        let outputFile = folder.appendingPathComponent("output")
        let errorFile = folder.appendingPathComponent("errors")
        try input.write(to: inputFile)
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        let source = try FileHandle(forReadingFrom: inputFile)
        defer { try? source.close() }
        let output = try FileHandle(forWritingTo: outputFile)
        defer { try? output.close() }
        let errors = try FileHandle(forWritingTo: errorFile)
        defer { try? errors.close() }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = source
        process.standardOutput = output
        process.standardError = errors
        // `waitUntilExit` would keep a processor busy: the run loop of a thread like this one has nothing to wait for.
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try start(process)
        guard ended.wait(timeout: .now() + .seconds(limit)) == .success else {
            process.terminate()
            // It may have got our mask of signals, which blocks all but this one.
            if ended.wait(timeout: .now() + .seconds(2)) == .timedOut { _ = kill(process.processIdentifier, SIGKILL) }
            let complaint = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
            throw Failure(description: "\(program) took more than \(limit) seconds: \(complaint)")
        }
        return Outcome(
            status: process.terminationStatus, output: try Data(contentsOf: outputFile),
            errors: try Data(contentsOf: errorFile))
    }

    private static let starting = Mutex(())

    /// Starts a process, while no other is started.
    ///
    /// Foundation learns of its end from a socket that nobody else holds. A process that is started at the same moment
    /// may inherit it, and then the first one's end is known when both have ended.
    static func start(_ process: Process) throws {
        try starting.withLock { _ in try process.run() }
    }
}
