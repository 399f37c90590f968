import Encodings
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Logging
import NIOCore
import Synchronization
import Testing

@testable import Server

@Suite("Every error is a problem document")
struct ProblemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let method: HTTPRequest.Method
        let path: String
        var token: String?
        let kind: ProblemKind
        var testDescription: String { "\(method) \(path.prefix(40)) is \(kind.slug)" }
    }

    static let cases = [
        Case(method: .get, path: "/nowhere", kind: .notFound),
        Case(method: .get, path: "/api", kind: .notFound),
        Case(method: .get, path: "/problems/none-such", kind: .notFound),
        Case(method: .put, path: "/api/sample", kind: .methodNotAllowed),
        Case(method: .post, path: "/healthz", kind: .methodNotAllowed),
        Case(method: .options, path: "/api/things/1", kind: .methodNotAllowed),
        Case(method: .get, path: "/api/broken", kind: .internal),
        Case(method: .get, path: "/api/me", kind: .unauthenticated),
        Case(method: .get, path: "/api/me", token: "nobody", kind: .unauthenticated),
        Case(method: .delete, path: "/api/me", token: "member", kind: .forbidden),
        Case(method: .get, path: "/api/things/" + String(repeating: "x", count: 1_401), kind: .notFound),
        Case(method: .get, path: "/" + String(repeating: "x", count: 3_000), kind: .targetTooLong),
    ]

    @Test("refused requests say which problem it is", arguments: cases)
    func refused(_ example: Case) async throws {
        try await withServer { client in
            var headers = HTTPFields()
            if let token = example.token { headers[.authorization] = "Bearer " + token }
            try await client.execute(uri: example.path, method: example.method, headers: headers) { response in
                let details = try problem(response)
                #expect(details.type == example.kind.path)
                #expect(response.status == example.kind.status)
                #expect((response.headers[.wwwAuthenticate] == "Bearer") == (response.status == .unauthorized))
                #expect((response.headers[.allow] != nil) == (example.kind == .methodNotAllowed))
            }
        }
    }

    @Test("a wrong method is told the right ones")
    func allow() async throws {
        try await withServer { client in
            try await client.execute(uri: "/api/me", method: .post) {
                #expect($0.headers[.allow] == "DELETE, GET, HEAD")
            }
        }
    }

    @Test("an unknown error tells the log what it is and the caller nothing")
    func unknown() async throws {
        let lines = Mutex<[String]>([])
        let log = LineLogHandler(format: .json) { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        try await withServer(log: log) { client in
            try await client.execute(uri: "/api/broken", method: .get) { response in
                #expect(!response.text.contains("secret"))
                let details = try problem(response)
                let id = try #require(details.instance)
                let entry = lines.withLock { $0 }.first { $0.contains("the-secret-inside") }
                #expect(try #require(entry).contains(id))
            }
        }
    }

    @Test("the access log has templates and no path, query or token")
    func accessLog() async throws {
        let lines = Mutex("")
        let log = LineLogHandler(format: .text) { line in
            lines.withLock { $0 += String(decoding: line, as: UTF8.self) }
        }
        try await withServer(log: log) { client in
            let headers: HTTPFields = [.authorization: "Bearer token-secret"]
            try await client.execute(uri: "/api/things/path-secret?q=query-secret", method: .get, headers: headers) {
                #expect($0.status == .ok)
            }
            try await client.execute(uri: "/path-secret", method: .get) { #expect($0.status == .notFound) }
        }
        let text = lines.withLock { $0 }
        #expect(text.contains("route=/api/things/{id} status=200"))
        #expect(text.contains("route=none status=404"))
        #expect(!text.contains("secret"))
    }

    @Test("requests for files of pages leave a line only where that is asked for", arguments: [false, true])
    func assets(_ isAskedFor: Bool) async throws {
        var routes = RouteTable()
        routes.openRaw(.get, "/assets/{file+}", "Files", answers: "text/plain") { call in
            if call.rest.first == "same" { return Response(status: .notModified) }
            if call.rest.first == "missing" { throw Problem(.notFound) }
            return .text("file")
        }
        routes.openRaw(.get, "/page", "A page", answers: "text/html") { _ in .text("page") }
        let lines = Mutex<[String]>([])
        let log = LineLogHandler(format: .text) { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        let shell = Shell(authenticator: RoleAuthenticator(), logsAssets: isAskedFor)
        try await withServer(shell, routes: routes, log: log) { client in
            for path in ["/assets/shell/style.css", "/assets/same", "/assets/missing", "/page"] {
                _ = try await client.execute(uri: path, method: .get)
            }
        }
        let logged = lines.withLock { $0 }.filter { $0.contains("request") && $0.contains("status=") }
        #expect(logged.count == (isAskedFor ? 4 : 2), "\(logged)")
        // What went wrong is always there.
        #expect(logged.contains { $0.contains("status=404") } && logged.contains { $0.contains("route=/page") })
    }

    @Test("every kind of problem has its page", arguments: ProblemKind.allCases)
    func page(_ kind: ProblemKind) async throws {
        #expect(kind.slug.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-") })
        try await withServer { client in
            try await client.execute(uri: kind.path, method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.text.contains(kind.title))
                #expect(response.text.contains(kind.explanation))
            }
            try await client.execute(uri: "/problems", method: .get) { #expect($0.text.contains(kind.path)) }
        }
    }

    @Test(
        "every answer has the security headers", arguments: ["/healthz", "/api/things/1", "/nowhere", "/openapi.json"])
    func headers(_ path: String) async throws {
        try await withServer { client in
            try await client.execute(uri: path, method: .get) { response in
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                #expect(response.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
                #expect(response.headers[.strictTransportSecurity] != nil)
                #expect(response.headers[.requestID]?.isEmpty == false)
                let isPrivate = path.hasPrefix("/api") || path == "/nowhere"
                #expect((response.headers[.cacheControl] == "no-store") == isPrivate)
            }
        }
    }

    @Test("HEAD answers like GET without the body")
    func head() async throws {
        try await withServer { client in
            try await client.execute(uri: "/healthz", method: .head) {
                #expect($0.status == .ok)
                #expect($0.body.readableBytes == 0)
            }
        }
    }

    @Test("a check that fails makes the server not ready, without saying why")
    func readiness() async throws {
        let good = ReadinessCheck("database") {}
        let bad = ReadinessCheck("log") { throw Unexpected() }
        try await withServer(makeShell(readiness: [good])) { client in
            try await client.execute(uri: "/readyz", method: .get) { #expect($0.text == "database: ok\nready\n") }
        }
        try await withServer(makeShell(readiness: [good, bad])) { client in
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "5")
                #expect(response.text.contains("log: failed") && !response.text.contains("secret"))
            }
        }
    }
}
