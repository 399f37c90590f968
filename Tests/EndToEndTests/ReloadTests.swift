import Encodings
import Foundation
import Glibc
import Testing

@testable import Wallet
@testable import countersign

/// A real server reads its settings and its certificate again at SIGHUP, and goes on serving.
@Suite("SIGHUP", .blocking)
struct ReloadTests {
    /// A server process whose log is a file.
    private final class Server {
        let folder: TemporaryFolder
        let port: Int
        private let process = Process()
        private let database: ServerDatabase

        init(_ folder: TemporaryFolder, settings: [String]) throws {
            self.folder = folder
            port = try DemoServer.freePort()
            database = try ServerDatabase()
            process.executableURL = URL(fileURLWithPath: Program.countersign)
            process.arguments =
                ["serve", "--config", folder.path("server.json"), "--data", folder.path("server"), "--port", "\(port)"]
                + database.flags
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try Data().write(to: URL(fileURLWithPath: folder.path("log")))
            process.standardError = try FileHandle(
                forWritingTo: URL(fileURLWithPath: folder.path("log")))
            try write(settings)
            try process.run()
        }

        deinit {
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
        }

        var isRunning: Bool { process.isRunning }

        func write(_ settings: [String]) throws {
            try Data("{\n\(settings.joined(separator: ",\n"))\n}\n".utf8)
                .write(to: URL(fileURLWithPath: folder.path("server.json")))
        }

        func hangUp() { _ = Glibc.kill(process.processIdentifier, SIGHUP) }

        /// The log from its byte `start` on, once the words are in it.
        @discardableResult
        func log(from start: Int = 0, until words: String) async throws -> String {
            for _ in 0..<2_400 {
                let text = String(decoding: try folder.text("log").utf8.dropFirst(start), as: UTF8.self)
                if text.contains(words) { return text }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("no '\(words)' in the log: \(try folder.text("log"))")
            return ""
        }

        /// What the log says after one more signal.
        func reload(_ settings: [String], until words: String) async throws -> String {
            let start = try folder.text("log").utf8.count
            try write(settings)
            hangUp()
            return try await log(from: start, until: words)
        }

        /// The status of a page, asked over a connection of its own.
        func status(_ scheme: String, _ more: [String] = []) throws -> String {
            try Program.run(
                "curl",
                ["-s", "-o", "/dev/null", "-w", "%{http_code}", "\(scheme)://localhost:\(port)/healthz"] + more
            ).output
        }
    }

    @Test("takes up settings that can change, names those that wait, and refuses all when one is wrong")
    func settings() async throws {
        let folder = try TemporaryFolder()
        let server = try Server(folder, settings: ["\"log_level\": \"notice\""])
        try await server.log(until: "listening on")
        #expect(try server.status("http") == "200")
        // Not a line of requests yet.
        #expect(try !folder.text("log").contains("/healthz"))

        let changed = try await server.reload(
            ["\"log_level\": \"info\"", "\"keep_links\": 7", "\"live_updates\": 5"], until: "wait for a restart")
        #expect(changed.contains("settings read again: log-level from notice to info, keep-links from 30 to 7"))
        #expect(changed.contains("settings that wait for a restart: live-updates"))
        #expect(try server.status("http") == "200")
        try await server.log(until: "/healthz")

        // All or nothing: the level would be right.
        let refused = try await server.reload(
            ["\"log_level\": \"error\"", "\"keep_links\": 0"], until: "nothing was changed")
        #expect(refused.contains("keep_links") && refused.contains("from 1 to 3650"))
        let same = try await server.reload(
            ["\"log_level\": \"info\"", "\"keep_links\": 7"], until: "settings read again")
        #expect(same.contains("settings read again: nothing has changed"))

        // A key that others may read is refused as at a start.
        let key = folder.path("server/keys/label-secret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let exposed = try await server.reload(["\"log_level\": \"error\""], until: "nothing was changed")
        #expect(exposed.contains("others than the server's user may read 'keys/label-secret'"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let last = try await server.reload(["\"log_level\": \"debug\""], until: "log-level from info to debug")
        #expect(!last.contains("nothing was changed"))
        #expect(server.isRunning)
    }

    @Test("gives new connections another certificate, and keeps the old one when the new files do not fit")
    func certificate() async throws {
        let folder = try TemporaryFolder()
        func issue(_ name: String) throws {
            let made = try Program.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                    folder.path("\(name).key"), "-out", folder.path("\(name).pem"),
                ])
            #expect(made.status == 0, "\(made.errors)")
        }
        func install(_ certificate: String, key: String) throws {
            for (from, to) in [("\(certificate).pem", "chain.pem"), ("\(key).key", "key.pem")] {
                try Data(contentsOf: URL(fileURLWithPath: folder.path(from)))
                    .write(to: URL(fileURLWithPath: folder.path(to)))
            }
        }
        for name in ["one", "two"] { try issue(name) }
        try install("one", key: "one")
        let settings = [
            "\"tls_certificate\": \"\(folder.path("chain.pem"))\"", "\"tls_key\": \"\(folder.path("key.pem"))\"",
        ]
        let server = try Server(folder, settings: settings)
        try await server.log(until: "listening on")
        func isServed(_ name: String) throws -> Bool {
            try server.status("https", ["--cacert", folder.path("\(name).pem")]) == "200"
        }
        #expect(try isServed("one") && !isServed("two"))
        // A key that is not the certificate's.
        try install("two", key: "one")
        _ = try await server.reload(settings, until: "nothing was changed")
        #expect(try isServed("one") && !isServed("two"))
        try install("two", key: "two")
        let changed = try await server.reload(settings, until: "settings read again")
        #expect(changed.contains("another TLS certificate"))
        #expect(try isServed("two") && !isServed("one"))
    }
}
