import Foundation
import HTTPTypes
import Hummingbird

/// What the library says of a request, with the address that it comes from.
struct VisitContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}

/// A request with the session that it is in, and what a form says.
struct Visit: Sendable {
    let request: Request
    let token: String
    let session: Session
    /// Where it comes from.
    var address = "unknown"
    var form: [String: String] = [:]

    /// What a form says in a field, without blanks around it.
    subscript(_ name: String) -> String { (form[name] ?? "").trimmingCharacters(in: .whitespaces) }

    /// What the browser calls itself, as the wallet shows it.
    var browser: String {
        let text = (request.headers[.userAgent] ?? "").filter { (" "..."~").contains($0) }.prefix(120)
        return text.isEmpty ? "unknown browser" : String(text)
    }

    /// Most bytes of a form.
    static let maximumForm = 16_384
    /// The name of the cookie.
    static let cookie = "bank"

    /// The session's token in a request.
    static func token(of request: Request) -> String? {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(cookie + "=") }.map { String($0.dropFirst(cookie.count + 1)) }
    }

    /// The fields of a form (application/x-www-form-urlencoded).
    static func fields(of body: String) -> [String: String] {
        func text(_ part: Substring) -> String { part.replacing("+", with: " ").removingPercentEncoding ?? "" }
        return body.split(separator: "&").reduce(into: [:]) { fields, pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[text(parts[0])] = text(parts[1]) }
        }
    }
}
