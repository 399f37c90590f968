import HTTPTypes
package import Hummingbird
import Interface

/// How pages carry a session: a cookie that no script can read and no other site can send.
///
/// It counts for reading; for acting only together with a header that other sites cannot add, and from our own origin.
/// Programs use `Authorization: Bearer` instead.
package struct SessionCookie: Sendable {
    /// The header by which a page says that it wants, or has, a cookie.
    package static let headerName = "Countersign-Session"

    private let publicURL: String

    /// The cookie of the server at `publicURL`.
    package init(publicURL: String) { self.publicURL = publicURL }

    private var isSecure: Bool { publicURL.hasPrefix("https:") }

    /// The prefix makes browsers insist on https, this host and the whole path (RFC 6265bis section 4.1.3.2).
    package var name: String { isSecure ? "__Host-countersign" : "countersign" }

    /// Whether the answer is to go to a page: then a token goes into the cookie, not into the body.
    package func isWanted(by request: Request) -> Bool {
        request.headers[values: .countersignSession] == ["cookie"] && isOwnOrigin(request)
    }

    /// The token that a page sends; `nil` when there is none, or it does not count for this request.
    package func token(of request: Request) -> String? {
        let isReading = request.method == .get || request.method == .head
        guard isReading ? isOwnOrigin(request) : isWanted(by: request) else { return nil }
        let tokens = request.headers[values: .cookie]
            .flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(name + "=") }
            .map { $0.dropFirst(name.utf8.count + 1) }
        // Two of them: somebody has planted one.
        guard tokens.count == 1, let token = tokens.first, 1...Limits.token ~= token.utf8.count else { return nil }
        return String(token)
    }

    /// The field that hands the cookie out.
    package func field(token: String) -> String { "\(name)=\(token); Max-Age=\(Limits.sessionTime)" + attributes }

    /// The field that takes it back.
    package var clearingField: String { "\(name)=; Max-Age=0" + attributes }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    private func isOwnOrigin(_ request: Request) -> Bool {
        let origins = request.headers[values: .origin]
        let sites = request.headers[values: .fetchSite]
        return origins.allSatisfy { $0 == publicURL } && sites.allSatisfy { $0 == "same-origin" || $0 == "none" }
    }
}

/// An answer that begins a session.
package protocol SessionBearing {
    /// The token, which a page gets as a cookie instead.
    var sessionToken: String { get set }
}

extension NewSession: SessionBearing {
    package var sessionToken: String {
        get { token }
        set { token = newValue }
    }
}

extension SetUpResult: SessionBearing {
    package var sessionToken: String {
        get { session.token }
        set { session.token = newValue }
    }
}

extension Call {
    /// The answer for a program as it is, for a page with the session's token in a cookie.
    func answer(_ value: some Codable & Sendable, _ status: HTTPResponse.Status) -> Response {
        guard !(value is NoContent) else { return Response(status: .noContent) }
        guard var bearer = value as? any SessionBearing & Encodable, shell.cookie.isWanted(by: request) else {
            return .json(value, status: status)
        }
        let field = shell.cookie.field(token: bearer.sessionToken)
        bearer.sessionToken = ""
        var response = Response.json(bearer, status: status)
        response.headers[.setCookie] = field
        return response
    }
}

extension HTTPField.Name {
    static let countersignSession = HTTPField.Name(SessionCookie.headerName) ?? .via
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .via
}
