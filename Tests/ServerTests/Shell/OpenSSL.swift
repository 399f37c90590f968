import Foundation
import Testing

@testable import Server

/// OpenSSL's program, which knows nothing of our code.
enum OpenSSL {
    /// Runs it to its end.
    ///
    /// - Returns: its status, and what it wrote.
    static func run(_ arguments: [String], input: String = "") throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (source, output) = (Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try source.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// A certificate for localhost that vouches for itself, and its key.
    static func certificate(_ name: String, in folder: String) throws -> ServerConfiguration.TLSFiles {
        let (certificate, key) = ("\(folder)/\(name).pem", "\(folder)/\(name).key")
        let made = try run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        #expect(made.status == 0, "\(made.text)")
        return ServerConfiguration.TLSFiles(certificate: certificate, key: key)
    }
}
