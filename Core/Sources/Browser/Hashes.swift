import BrowserCalls
import Encodings

extension Browser {
    /// Digests and the names of keys.
    static let hashes = [
        Function("sha256", [], blobs: 1...1, sha256),
        Function("thumbprint", ["key"], thumbprint),
    ]

    /// Blob → `{digest}`.
    private static func sha256(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("digest", .base64URL(SHA256.hash(call.blobs[0])))])
    }

    /// `{key}` → `{thumbprint}`: SHA-256 of the key's JWK (RFC 7638).
    private static func thumbprint(_ call: Call) throws(BrowserError) -> Answer {
        Answer([("thumbprint", .base64URL(try call.key("key").thumbprint))])
    }
}
