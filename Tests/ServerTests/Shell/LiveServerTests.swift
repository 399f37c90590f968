import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Logging
import NIOCore
import ServiceLifecycle
import Testing

@testable import Server

/// The real server on a real socket.
@Suite("The server on the wire", .timeLimit(.minutes(5)))
struct LiveServerTests {
    @Test("it says which port it got, and answers there")
    func port() async throws {
        try await withLiveServer { port in
            let request = Bytes(text: "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let text = try await exchange(port, [request])
            #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("ok\n"))
        }
    }

    @Test("a port that is taken is named, with what to do")
    func taken() async throws {
        try await withLiveServer { port in
            var configuration = ServerConfiguration()
            configuration.port = port
            let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
            var refused: ListenError?
            do {
                try await HTTPServer.run(
                    configuration: configuration, shell: makeShell(.system), routes: sampleRoutes(), logger: quiet,
                    stopsOnSignals: false)
            } catch let error as ListenError {
                refused = error
            }
            #expect(refused == .taken(host: "127.0.0.1", port: port))
            #expect(refused?.words.contains("port \(port) of 127.0.0.1 is taken") == true)
            #expect(refused?.words.contains("--port") == true)
        }
    }

    static let malformedRequests: [(String, ProblemKind)] = {
        let long = String(repeating: "x", count: 20_000)
        let many = (0..<100).map { "X\($0): 1\r\n" }.joined()
        return [
            ("rubbish\r\n\r\n", .badRequest),
            ("GET / HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n", .headersTooLarge),
            ("GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n", .headersTooLarge),
            ("POST /api/sample HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", .badRequest),
            ("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n", .badRequest),
            ("GET /healthz HTTP/1.0\r\nConnection: close\r\n\r\n", .badRequest),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n", .badRequest),
            ("GET /healthz HTTP/1.1\r\nHost: x\r\nhOST: y\r\nConnection: close\r\n\r\n", .badRequest),
        ]
    }()

    @Test("what is not HTTP is a problem too", arguments: malformedRequests)
    func malformed(_ request: String, _ kind: ProblemKind) async throws {
        try await withLiveServer { port in
            let text = try await exchange(port, [Bytes(text: request)])
            #expect(text.hasPrefix("HTTP/1.1 \(kind.status.code) "), "\(text.prefix(300))")
            #expect(text.contains("application/problem+json") && text.contains(kind.path))
        }
    }

    @Test("a body that turns out too large while it streams is refused before it ends")
    func streaming() async throws {
        try await withLiveServer { port in
            let head = """
                POST /api/sample HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\n
                """
            let chunk = Bytes(text: "8000\r\n") + Bytes(repeating: 0x20, count: 0x8000) + Bytes(text: "\r\n")
            let text = try await exchange(port, [Bytes(text: head)] + Array(repeating: chunk, count: 4), until: "}")
            #expect(text.contains("413") && text.contains(ProblemKind.tooLarge.path), "\(text)")
        }
    }

    @Test("an announced size beyond the limit is refused at once")
    func announced() async throws {
        try await withLiveServer { port in
            let head = """
                POST /api/sample HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 999999999\r\n\r\n
                """
            let text = try await exchange(port, [Bytes(text: head)], until: "}")
            #expect(text.contains("413") && text.contains(ProblemKind.tooLarge.path), "\(text)")
        }
    }

    /// The output of `openssl s_client` for a connection that asks the server for `/healthz`, and its exit status.
    private static func openssl(
        _ port: Int, trusting file: String, _ flags: [String]
    ) async throws -> (status: Int32, text: String) {
        try await OpenSSL.run(
            [
                "s_client", "-connect", "127.0.0.1:\(port)", "-servername", "localhost", "-verify_hostname",
                "localhost", "-verify_return_error", "-CAfile", file, "-quiet", "-ign_eof",
            ] + flags, input: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    }

    @Test("another program is served by TLS 1.2 and 1.3, under the certificate that was named, and by nothing older")
    func tls() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/countersign-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let served = try await OpenSSL.certificate("served", in: folder)
        let other = try await OpenSSL.certificate("other", in: folder)
        try await withLiveServer(tls: served) { port in
            for version in ["-tls1_2", "-tls1_3"] {
                let answer = try await Self.openssl(port, trusting: served.certificate, [version])
                #expect(answer.status == 0, "\(answer.text)")
                #expect(answer.text.contains("HTTP/1.1 200 ") && answer.text.contains("\r\n\r\nok\n"), "\(answer.text)")
            }
            let stranger = try await Self.openssl(port, trusting: other.certificate, [])
            #expect(stranger.status != 0 && stranger.text.contains("verify"), "\(stranger.text)")
            // So much is allowed to the client that only the server can refuse.
            let old = try await Self.openssl(
                port, trusting: served.certificate, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
            #expect(old.status != 0 && old.text.contains("alert protocol version"), "\(old.text)")
            let plain = try await exchange(port, [Bytes(text: "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")])
            #expect(!plain.contains("HTTP/1.1 200"))
        }
    }

    @Test("TLS files that cannot be used stop the start")
    func badTLS() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.tls = .init(certificate: "/nonexistent.pem", key: "/nonexistent.key")
        let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
        let files = configuration
        await #expect(throws: (any Error).self) {
            try await HTTPServer.run(
                configuration: files, shell: makeShell(), routes: sampleRoutes(), logger: quiet,
                stopsOnSignals: false)
        }
    }

    /// What runs beside the server, and ends though nobody asked it to.
    private struct Holder: Service {
        let key = "the-secret-inside"
        func run() async throws {}
    }

    @Test("a service that ends by itself is named in the error, and what it holds is not")
    func endedService() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
        let started = configuration
        let error = await #expect(throws: (any Error).self) {
            try await HTTPServer.run(
                configuration: started, shell: makeShell(), routes: sampleRoutes(), services: [Holder()],
                logger: quiet, stopsOnSignals: false)
        }
        let words = error.map { "\($0)" } ?? ""
        #expect(words.contains("Holder") && !words.contains("the-secret-inside"), "\(words)")
    }

    @Test("rubbish in a chunked body is a problem")
    func chunks() async throws {
        try await withLiveServer { port in
            let head = """
                POST /api/sample HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Transfer-Encoding: chunked\r\n\r\nzz\r\n
                """
            let text = try await exchange(port, [Bytes(text: head)], until: "}")
            #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains(ProblemKind.badRequest.path), "\(text)")
        }
    }

    @Test("a graceful stop ends live-update streams and then the server")
    func stop() async throws {
        let shell = makeShell(.system)
        var configuration = ServerConfiguration()
        configuration.port = 0
        let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: String?.self) { [configuration] group in
            group.addTask {
                try await testGracefulShutdown(stops) {
                    try await HTTPServer.run(
                        configuration: configuration, shell: shell, routes: sampleRoutes(), logger: quiet,
                        stopsOnSignals: false
                    ) { announce.yield($0) }
                }
                return nil
            }
            for await port in ports {
                group.addTask {
                    let request = "GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer member\r\n\r\n"
                    return try await exchange(port, [Bytes(text: request)])
                }
                break
            }
            while shell.events.count == 0, !Task.isCancelled { await Task.yield() }
            shell.events.publish(LiveEvent(kind: "document", id: "7", state: "issued"), to: .accounts(["a-member"]))
            stop.yield()
            var texts: [String] = []
            for try await text in group { if let text { texts.append(text) } }
            #expect(texts.count == 1 && texts[0].contains("text/event-stream") && texts[0].contains("\"id\":\"7\""))
        }
    }
}
