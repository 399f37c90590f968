import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Testing

@testable import Server

@Suite("A browser that meets an error")
struct ProblemPageTests {
    static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    struct Case: CustomTestStringConvertible, Sendable {
        let method: HTTPRequest.Method
        let path: String
        let status: HTTPResponse.Status
        var testDescription: String { "\(method) \(path.prefix(40)) is \(status.code)" }
    }

    static let cases = [
        Case(method: .get, path: "/nowhere", status: .notFound),
        Case(method: .get, path: "/assets/nothing.js", status: .notFound),
        Case(method: .post, path: "/help", status: .methodNotAllowed),
        Case(method: .get, path: "/api/account", status: .unauthorized),
        Case(method: .get, path: "/" + String(repeating: "x", count: 3_000), status: .uriTooLong),
    ]

    @Test("gets a page that says where to go, under the policy of pages", arguments: cases)
    func page(_ example: Case) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let response = try await test.client.execute(
                uri: example.path, method: example.method, headers: [.accept: Self.browser])
            #expect(response.status == example.status)
            #expect(response.headers[.contentType] == "text/html; charset=utf-8")
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(
                response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
            #expect((response.headers[.allow] != nil) == (example.status == .methodNotAllowed))
            #expect(response.text.hasPrefix("<!doctype html>"))
            #expect(response.text.contains("<a class=\"button\" href=\"/\">"))
            #expect(response.text.contains("Error \(example.status.code)"))
            #expect(response.text.contains(response.headers[.requestID] ?? "no id"))
            #expect(!response.text.contains("{{"))
        }
    }

    @Test(
        "is told from a program by what it accepts",
        arguments: [
            nil, "*/*", "application/json, */*", "application/problem+json", "text/html;q=0",
            "text/html;q=0.5, application/json",
        ])
    func programs(_ accept: String?) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            var headers = HTTPFields()
            headers[.accept] = accept
            let response = try await test.client.execute(uri: "/nowhere", method: .get, headers: headers)
            #expect(try problem(response).type == "/problems/not-found")
        }
    }

    @Test("is told of a failing server, and never the cause")
    func trouble() async throws {
        let shown = Shell(
            authenticator: RoleAuthenticator(),
            problemPage: { problem, _, instance in
                Response.text("\(ProblemPage(problem).title) \(instance)", mediaType: "text/html; charset=utf-8")
            })
        try await withServer(shown) { client in
            try await client.execute(uri: "/api/broken", method: .get, headers: [.accept: Self.browser]) { response in
                #expect(response.text.hasPrefix("Something went wrong in the server"))
                #expect(!response.text.contains("secret"))
            }
        }
    }

    @Test("gets the problem document when no page can be made")
    func noPage() async throws {
        let failing = Shell(authenticator: RoleAuthenticator(), problemPage: { _, _, _ in throw Unexpected() })
        try await withServer(failing) { client in
            let response = try await client.execute(uri: "/nowhere", method: .get, headers: [.accept: Self.browser])
            #expect(try problem(response).type == "/problems/not-found")
        }
    }

    @Test("is told how long to wait")
    func waiting() {
        let page = ProblemPage(Problem(.tooManyRequests, retryAfter: 7))
        #expect(page.text.contains("Wait 7 seconds") && page.reloads)
        #expect(ProblemPage(Problem(.tooManyRequests, retryAfter: 1)).text.contains("Wait 1 second and"))
    }

    @Test("gets words for people with every kind of problem", arguments: ProblemKind.allCases)
    func words(_ kind: ProblemKind) {
        let page = ProblemPage(Problem(kind))
        #expect(!page.title.isEmpty && page.text.hasSuffix("."))
        for technical in ["Bearer", "JSON", "/api/", "'"] { #expect(!page.text.contains(technical)) }
    }
}
