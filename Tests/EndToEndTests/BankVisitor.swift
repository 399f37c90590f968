import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A browser without scripts at the example bank: one cookie, forms, redirects.
actor BankVisitor {
    private let base: String
    /// Redirects are followed here, with the cookie.
    private static let http = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
    private var cookie: String?
    private(set) var cookieField = ""
    private(set) var page = ""
    private(set) var place = ""

    init(_ base: String) { self.base = base }

    @discardableResult
    func get(_ path: String) async throws -> String { try await go(.GET, path, nil) }

    /// Sends a form with the word that the last page had.
    ///
    /// - Parameter csrf: another word than that.
    @discardableResult
    func post(_ path: String, _ fields: [String: String] = [:], csrf: String? = nil) async throws -> String {
        var form = fields
        form["csrf"] = csrf ?? found(#/name="csrf" value="([0-9a-f]+)"/#) ?? ""
        let body = form.map { "\($0)=\(Self.quoted($1))" }.joined(separator: "&")
        return try await go(.POST, path, body)
    }

    /// What the page has there.
    func found(_ pattern: Regex<(Substring, Substring)>) -> String? {
        page.firstMatch(of: pattern).map { String($0.output.1) }
    }

    /// The same cookie in another hand.
    func stolen() -> BankVisitor { BankVisitor(base, cookie) }

    private init(_ base: String, _ cookie: String?) { (self.base, self.cookie) = (base, cookie) }

    func signIn(_ username: String) async throws {
        try await get("/sign-in")
        try await post("/sign-in", ["username": username, "password": "purple"])
    }

    /// Types a transfer and says that it is right.
    func pay(_ amount: String, remark: String = "") async throws {
        try await get("/transfer")
        let from = found(#/option value="(1\d{7})"/#) ?? ""
        try await post("/transfer", ["from": from, "payee": "08233593", "amount": amount, "remark": remark])
        guard place == "/transfer/check" else { return }
        try await post("/transfer/check")
    }

    /// The balance of the current account.
    func balance() async throws -> String {
        try await get("/")
        return found(#/class="balance">([^<]*)</#) ?? ""
    }

    private func go(_ method: HTTPMethod, _ path: String, _ body: String?) async throws -> String {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        if let cookie { request.headers.add(name: "cookie", value: cookie) }
        if let body {
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: body))
        }
        let answer = try await Self.http.execute(request, timeout: .seconds(60))
        if let field = answer.headers.first(name: "set-cookie") {
            cookieField = field
            cookie = String(field.prefix { $0 != ";" })
        }
        if let next = answer.headers.first(name: "location") { return try await go(.GET, next, nil) }
        page = String(buffer: try await answer.body.collect(upTo: 1 << 20))
        place = path
        return page
    }

    private static func quoted(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
