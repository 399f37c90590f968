import Dispatch
import Foundation

/// Programs run as a user runs them: ours from the build folder, and independent ones from the system.
enum Program {
    /// What a finished program left.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder that the build put this test bundle and the command line into.
    static var buildFolder: URL {
        let bundle = ProcessInfo.processInfo.arguments.first { $0.hasSuffix(".xctest") }
        let start = bundle.map { URL(fileURLWithPath: $0) } ?? Bundle.main.bundleURL
        var folder = start
        while folder.path != "/" {
            if FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("countersign").path) {
                return folder
            }
            folder.deleteLastPathComponent()
        }
        return start
    }

    /// The repository: four folders above this file.
    static var repository: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Our command line.
    static var countersign: String { buildFolder.appendingPathComponent("countersign").path }

    /// Benchmarks and hammer.
    static var bench: String { buildFolder.appendingPathComponent("countersign-bench").path }

    /// The Python that `./test` prepared with the packages the tests need.
    static var python: String {
        ProcessInfo.processInfo.environment["TEST_PYTHON"]
            ?? repository.appendingPathComponent(".build-tools/python/bin/python3").path
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `Missing` when there is no such program: a check that is skipped in silence is no check.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: String = ""
    ) throws -> Outcome {
        guard let path = find(program) else {
            throw Missing(description: "\(program) is not here. ./test installs what the tests need.")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let folder = try TemporaryFolder()
        let outputFile = folder.url.appendingPathComponent("output")
        let errorFile = folder.url.appendingPathComponent("errors")
        let inputFile = folder.url.appendingPathComponent("input")
        try Data(input.utf8).write(to: inputFile)
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: outputFile, encoding: .utf8),
            errors: try String(contentsOf: errorFile, encoding: .utf8))
    }

    /// Runs our command line on a terminal, on which a person types: its output is all that the terminal is sent.
    ///
    /// - Parameter file: where standard output goes instead.
    static func onTerminal(_ arguments: [String], typed: String = "", outputTo file: String? = nil) throws -> Outcome {
        let line = ([countersign] + arguments).map { "'\($0)'" }.joined(separator: " ")
        return try run(
            "script", ["--quiet", "--return", "--command", line + (file.map { " > '\($0)'" } ?? ""), "/dev/null"],
            input: typed)
    }

    /// Runs something without keeping one of the few threads that all tests share.
    static func runAside(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            waiting.async {
                continuation.resume(with: Result { try run(program, arguments, environment: environment) })
            }
        }
    }

    /// Threads of its own: the server's wait for disks, and must not wait for programs.
    private static let waiting = DispatchQueue(label: "tests.programs", attributes: .concurrent)

    private static func find(_ program: String) -> String? {
        if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// A folder that is there as long as the value.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
