import Encodings
import Foundation
import Testing

/// Programs that know nothing of our code and judge what it makes.
enum OtherPrograms {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// A program that this test cannot do without is not there.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// A new folder, which the caller removes.
    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Runs a program found on PATH and waits for it.
    static func run(_ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        if !input.isEmpty { try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self))
    }

    /// Runs a Python program that may import joserfc; `input` is its standard input.
    static func python(_ program: String, input: String) throws -> String {
        guard try run(["python3", "-c", "import joserfc"]).status == 0 else {
            throw Missing(description: "needs python3 and joserfc: pip install joserfc (./test does it)")
        }
        let result = try run(["python3", "-c", program], input: input)
        guard result.status == 0 else { throw Missing(description: result.errors) }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs openssl.
    static func openssl(_ arguments: [String]) throws -> Result {
        guard try run(["openssl", "version"]).status == 0 else {
            throw Missing(description: "needs openssl: apt-get install openssl (./test does it)")
        }
        return try run(["openssl"] + arguments)
    }
}
