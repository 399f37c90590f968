import HTTPTypes
import Hummingbird

/// What every answer says to browsers.
enum SecurityHeaders {
    /// A policy that allows nothing: what this server answers is data, not pages with parts.
    static let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Adds them; a policy that an answer brings itself stays.
    static func add(to response: inout Response, path: String, isSecure: Bool) {
        set(.xContentTypeOptions, "nosniff", &response)
        set(.contentSecurityPolicy, policy, &response)
        set(.referrerPolicy, "no-referrer", &response)
        set(.resourcePolicy, "same-origin", &response)
        if isSecure { set(.strictTransportSecurity, "max-age=31536000", &response) }
        if path == "/api" || path.hasPrefix("/api/") || response.status.kind != .successful {
            response.headers[.cacheControl] = "no-store"
        }
    }

    private static func set(_ name: HTTPField.Name, _ value: String, _ response: inout Response) {
        if !response.headers.contains(name) { response.headers.append(HTTPField(name: name, value: value)) }
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .via
    fileprivate static let resourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy") ?? .via
}
