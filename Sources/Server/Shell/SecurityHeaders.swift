import HTTPTypes
import Hummingbird

/// What every answer says to browsers.
enum SecurityHeaders {
    /// A policy that allows nothing: what this server answers is data, not pages with parts.
    static let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds them; a policy that an answer brings itself stays.
    static func add(to response: inout Response, path: String, isSecure: Bool) {
        for field in isSecure ? secure : plain where !response.headers.contains(field.name) {
            response.headers.append(field)
        }
        // A browser drops its copy when the answer that it is still good says not to keep it.
        let isKept = response.status.kind == .successful || response.status == .notModified
        if path == "/api" || path.hasPrefix("/api/") || !isKept {
            response.headers[.cacheControl] = "no-store"
        }
    }

    private static let plain = [
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .contentSecurityPolicy, value: policy),
        HTTPField(name: .referrerPolicy, value: "no-referrer"),
        HTTPField(name: .resourcePolicy, value: "same-origin"),
    ]
    private static let secure = plain + [HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")]
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .via
    /// Who may load an answer into their pages.
    static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy") ?? .via
}
