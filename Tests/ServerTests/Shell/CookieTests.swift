import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Testing

@testable import Server

/// A route that begins a session, beside those of `sampleRoutes`.
private func cookieRoutes() -> RouteTable {
    var routes = sampleRoutes()
    routes.open(
        .post, "/api/sessions", "Sign in", rate: .signIn, takes: SignInNonceRequest.self, answers: NewSession.self
    ) {
        request, _ in
        let account = Account(id: "a", username: "ada", name: "Ada", role: .member, isVerified: false, created: 0)
        let device = Device(id: "d", name: "d", signingKey: "", encryptionKey: "", created: 0, revoked: nil)
        return NewSession(token: request.username, expires: 1, account: account, device: device)
    }
    routes.open(
        .post, "/api/waits", "Wait for a session", rate: .asking, takes: SignInNonceRequest.self,
        answers: PicoSignInProgress.self
    ) { request, _ in
        guard request.username != "nobody" else { return PicoSignInProgress(state: .waiting) }
        let account = Account(id: "a", username: "ada", name: "Ada", role: .member, isVerified: false, created: 0)
        let session = NewSession(token: request.username, expires: 1, account: account, device: nil)
        return PicoSignInProgress(state: .signedIn, session: session)
    }
    routes.secured(.post, "/api/act", "Act", nil, answers: Listing<String>.self) { _, principal in
        Listing([principal.account])
    }
    return routes
}

private let page: HTTPFields = [.countersignSession: "cookie", .origin: "https://sign.example.test"]
private let name = "__Host-countersign"

@Suite("A page's session")
struct CookieTests {
    @Test("goes into a cookie that scripts and other sites never see, and not into the body")
    func handedOut() async throws {
        try await withServer(routes: cookieRoutes()) { client in
            let headers = page + [.contentType: "application/json"]
            let body = #"{"username":"member"}"#
            let response = try await client.execute(
                uri: "/api/sessions", method: .post, headers: headers, body: .init(string: body))
            let cookie = response.headers[values: .setCookie].first
            #expect(cookie == "\(name)=member; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure")
            #expect(response.text.contains(#""token":"""#))

            let program = try await client.execute(
                uri: "/api/sessions", method: .post, headers: [.contentType: "application/json"],
                body: .init(string: body))
            #expect(program.headers[.setCookie] == nil)
            #expect(program.text.contains(#""token":"member""#))
        }
    }

    @Test("goes into a cookie also when a page has waited for it, and while it waits there is none")
    func waitedFor() async throws {
        try await withServer(routes: cookieRoutes()) { client in
            let headers = page + [.contentType: "application/json"]
            let response = try await client.execute(
                uri: "/api/waits", method: .post, headers: headers, body: .init(string: #"{"username":"member"}"#))
            let cookie = response.headers[values: .setCookie].first
            #expect(cookie == "\(name)=member; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict; Secure")
            #expect(response.text.contains(#""token":"""#))

            let waiting = try await client.execute(
                uri: "/api/waits", method: .post, headers: headers, body: .init(string: #"{"username":"nobody"}"#))
            #expect(waiting.headers[.setCookie] == nil && waiting.text.contains(#""state":"waiting""#))
        }
    }

    struct Attempt: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPRequest.Method
        let headers: HTTPFields
        let isAccepted: Bool
    }

    @Test(
        "counts for reading from our own pages, and for acting only with the header that other sites cannot send",
        arguments: [
            Attempt(
                testDescription: "reading", method: .get, headers: [.cookie: "\(name)=member"], isAccepted: true),
            Attempt(
                testDescription: "among others", method: .get, headers: [.cookie: "a=b; \(name)=member; c=d"],
                isAccepted: true),
            Attempt(
                testDescription: "reading from another site", method: .get,
                headers: [.cookie: "\(name)=member", .site: "cross-site"], isAccepted: false),
            Attempt(
                testDescription: "planted twice", method: .get,
                headers: [.cookie: "\(name)=owner; \(name)=member"], isAccepted: false),
            Attempt(
                testDescription: "another name", method: .get, headers: [.cookie: "countersign=member"],
                isAccepted: false),
            Attempt(
                testDescription: "unknown", method: .get, headers: [.cookie: "\(name)=nobody"], isAccepted: false),
            Attempt(
                testDescription: "acting from our page", method: .post, headers: page + [.cookie: "\(name)=member"],
                isAccepted: true),
            Attempt(
                testDescription: "acting without the header", method: .post,
                headers: [.cookie: "\(name)=member", .origin: "https://sign.example.test"], isAccepted: false),
            Attempt(
                testDescription: "acting from another origin", method: .post,
                headers: [.countersignSession: "cookie", .origin: "https://evil.test", .cookie: "\(name)=member"],
                isAccepted: false),
            Attempt(
                testDescription: "acting from a page without origin", method: .post,
                headers: [.countersignSession: "cookie", .origin: "null", .cookie: "\(name)=member"],
                isAccepted: false),
            Attempt(
                testDescription: "acting from a neighbour", method: .post,
                headers: page + [.cookie: "\(name)=member", .site: "same-site"], isAccepted: false),
        ])
    func counts(_ attempt: Attempt) async throws {
        try await withServer(routes: cookieRoutes()) { client in
            let path = attempt.method == .get ? "/api/me" : "/api/act"
            let response = try await client.execute(uri: path, method: attempt.method, headers: attempt.headers)
            #expect(response.status == (attempt.isAccepted ? .ok : .unauthorized))
        }
    }

    @Test("is taken back once it is over")
    func cleared() async throws {
        try await withServer(routes: cookieRoutes()) { client in
            let response = try await client.execute(
                uri: "/api/me", method: .get, headers: [.cookie: "\(name)=nobody"])
            #expect(response.headers[.setCookie]?.hasPrefix("\(name)=; Max-Age=0;") == true)
        }
    }

    @Test("has a plain name where there is no TLS, which is on this machine only")
    func localName() {
        #expect(SessionCookie(publicURL: "http://localhost:8080").name == "countersign")
        #expect(!SessionCookie(publicURL: "http://localhost:8080").field(token: "t").contains("Secure"))
    }
}

extension HTTPField.Name {
    fileprivate static let site = HTTPField.Name("Sec-Fetch-Site") ?? .via
}

private func + (one: HTTPFields, other: HTTPFields) -> HTTPFields {
    var all = one
    for field in other { all.append(field) }
    return all
}
