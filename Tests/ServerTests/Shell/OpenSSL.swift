import Foundation
import Testing

@testable import Server

/// OpenSSL's program, which knows nothing of our code.
enum OpenSSL {
    /// Runs it to its end.
    ///
    /// - Returns: its status, and what it wrote.
    static func run(_ arguments: [String], input: String = "") async throws -> (status: Int32, text: String) {
        let outcome = try await OtherProgram.run("openssl", arguments, input: Data(input.utf8))
        return (outcome.status, outcome.text)
    }

    /// A certificate for localhost that vouches for itself, and its key.
    static func certificate(_ name: String, in folder: String) async throws -> ServerConfiguration.TLSFiles {
        let (certificate, key) = ("\(folder)/\(name).pem", "\(folder)/\(name).key")
        let made = try await run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        #expect(made.status == 0, "\(made.text)")
        return ServerConfiguration.TLSFiles(certificate: certificate, key: key)
    }
}
