import Encodings
import HTTPTypes
import HandSignatures
import Hummingbird

/// The headers of pages, beyond those of every answer: only our own scripts, styles and requests, and no text that
/// becomes markup or script.
enum PageHeaders {
    static let policy = [
        "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", styles, "img-src 'self' blob: data:",
        "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "frame-src blob:", "form-action 'self'",
        "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types countersign",
    ].joined(separator: "; ")

    /// Ours, and that of documents that are signed by hand, which are shown in frames of pages.
    private static let styles =
        "style-src 'self'"
        + [WrittenText.styleSheet, WrittenText.laidOutStyleSheet].map { sheet in
            " 'sha256-" + String(decoding: Base64.encode(SHA256.hash(sheet), .standard), as: UTF8.self) + "'"
        }.joined()

    /// - Parameters:
    ///   - asks: what of the device the page may ask for, which the person allows or not.
    ///   - isIsolated: whether no other origin shares the page's process. Without that, other origins still cannot frame
    ///     it, hold a window of it, load what it loads or have it load anything of theirs.
    static func add(to response: inout Response, asks: Page.Asks = .nothing, isIsolated: Bool = true) {
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.openerPolicy] = "same-origin"
        if isIsolated { response.headers[.embedderPolicy] = "require-corp" }
        response.headers[.permissionsPolicy] =
            "publickey-credentials-get=(self), publickey-credentials-create=(self), microphone=(), "
            + (asks == .nothing ? "camera=(), " : "camera=(self), ")
            + (asks == .cameraAndPlace ? "geolocation=(self)" : "geolocation=()")
        // Kept for use without a network, but always asked for first.
        response.headers[.cacheControl] = "no-cache"
    }
}

extension HTTPField.Name {
    fileprivate static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy") ?? .via
    fileprivate static let embedderPolicy = HTTPField.Name("Cross-Origin-Embedder-Policy") ?? .via
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy") ?? .via
}
