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
    private let isSecure: Bool
    /// What a cookie of ours begins with.
    private let start: String

    /// The prefix makes browsers insist on https, this host and the whole path (RFC 6265bis section 4.1.3.2).
    package let name: String

    /// The cookie of the server at `publicURL`.
    package init(publicURL: String) {
        self.publicURL = publicURL
        isSecure = publicURL.hasPrefix("https:")
        name = isSecure ? "__Host-countersign" : "countersign"
        start = name + "="
    }

    /// Whether the answer is to go to a page: then a token goes into the cookie, not into the body.
    package func isWanted(by request: Request) -> Bool {
        request.headers[.countersignSession] == "cookie" && isOwnOrigin(request)
    }

    /// The token that a page sends; `nil` when there is none, or it does not count for this request.
    package func token(of request: Request) -> String? {
        let isReading = request.method == .get || request.method == .head
        guard isReading ? isOwnOrigin(request) : isWanted(by: request) else { return nil }
        var found: Substring.UTF8View?
        for field in request.headers[values: .cookie] {
            var rest = field.utf8[...]
            while !rest.isEmpty {
                let cookie = rest.prefix { $0 != UInt8(ascii: ";") }
                rest = rest[cookie.endIndex...].dropFirst().drop { $0 == UInt8(ascii: " ") }
                guard cookie.starts(with: start.utf8) else { continue }
                // There are two: an attacker has planted one.
                guard found == nil else { return nil }
                found = cookie.dropFirst(start.utf8.count)
            }
        }
        guard let found, 1...Limits.token ~= found.count else { return nil }
        return String(Substring(found))
    }

    /// The field that hands the cookie out.
    package func field(token: String) -> String { "\(name)=\(token); Max-Age=\(Limits.sessionTime)" + attributes }

    /// The field that takes it back.
    package var clearingField: String { "\(name)=; Max-Age=0" + attributes }

    /// The name of the cookie for the language that the account keeps.
    ///
    /// It goes with the session, so the browser's own choice (``LanguageChoice/cookie``) is there again afterwards.
    package static let languageName = "account-language"

    /// The field that says the account's language, or with none takes it back.
    ///
    /// Scripts may remove it.
    package func languageField(_ language: String) -> String {
        let value = language.isEmpty ? "; Max-Age=0" : "\(language); Max-Age=\(Limits.sessionTime)"
        return "\(Self.languageName)=\(value); Path=/; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    private func isOwnOrigin(_ request: Request) -> Bool {
        // A field given twice comes joined, and equals none of these.
        let (origin, site) = (request.headers[.origin], request.headers[.fetchSite])
        return (origin == nil || origin == publicURL) && (site == nil || site == "same-origin" || site == "none")
    }
}

/// An answer that begins a session.
package protocol SessionBearing {
    /// The token, which a page gets as a cookie instead.
    var sessionToken: String { get set }
    /// The language that the account keeps, which a page gets as a cookie too; empty for none.
    var sessionLanguage: String { get }
}

extension NewSession: SessionBearing {
    package var sessionToken: String {
        get { token }
        set { token = newValue }
    }
    package var sessionLanguage: String { language ?? "" }
}

extension SetUpResult: SessionBearing {
    package var sessionLanguage: String { session.sessionLanguage }
    package var sessionToken: String {
        get { session.token }
        set { session.token = newValue }
    }
}

/// One that waits has no session yet: then its token is empty, and there is no cookie.
extension PicoSignInProgress: SessionBearing {
    package var sessionLanguage: String { session?.sessionLanguage ?? "" }
    package var sessionToken: String {
        get { session?.token ?? "" }
        set { session?.token = newValue }
    }
}

extension Call {
    /// The answer for a program as it is, for a page with the session's token in a cookie.
    func answer(_ value: some Codable & Sendable, _ status: HTTPResponse.Status) -> Response {
        if let nothing = value as? NoContent {
            var response = Response(status: .noContent)
            if nothing.endsSession, shell.cookie.isWanted(by: request) {
                response.headers[values: .setCookie] = [shell.cookie.clearingField, shell.cookie.languageField("")]
            }
            return response
        }
        // Asked in this order, so that most requests are answered without looking at what the value can do.
        guard shell.cookie.isWanted(by: request) else { return .json(value, status: status) }
        if let choice = value as? AccountLanguage {
            var response = Response.json(value, status: status)
            response.headers[.setCookie] = shell.cookie.languageField(choice.language)
            return response
        }
        guard var bearer = value as? any SessionBearing & Encodable, !bearer.sessionToken.isEmpty else {
            return .json(value, status: status)
        }
        let field = shell.cookie.field(token: bearer.sessionToken)
        bearer.sessionToken = ""
        var response = Response.json(bearer, status: status)
        // Another account's language goes with its session.
        response.headers[values: .setCookie] = [field, shell.cookie.languageField(bearer.sessionLanguage)]
        return response
    }
}

extension HTTPField.Name {
    static let countersignSession = HTTPField.Name(SessionCookie.headerName) ?? .via
    fileprivate static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .via
}
