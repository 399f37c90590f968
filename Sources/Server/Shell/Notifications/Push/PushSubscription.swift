import CryptoProvider
import Encodings
import Interface

/// A browser's push subscription, checked: where messages go, and how they are encrypted for it alone.
struct PushSubscription: Sendable, Equatable {
    /// The push service.
    let domain: DomainName
    /// Path and query of the subscription.
    let path: String
    /// The browser's public key.
    let key: P256PublicKey
    /// The secret that it shares with this server.
    let auth: Bytes

    /// The address as the browser gave it.
    var endpoint: String { "https://\(domain.text)\(path)" }
    /// The address's origin, which the server's statement is for (RFC 8292 section 2).
    var origin: String { "https://\(domain.text)" }

    /// Checks what a browser gave.
    ///
    /// - Parameters:
    ///   - endpoint: `https`, a name with a dot, no port, no user and no fragment.
    ///   - key: base64url of an uncompressed point of P-256.
    ///   - auth: base64url of 16 bytes.
    /// - Returns: `nil` for anything else.
    init?(endpoint: String, key: String, auth: String, suite: SwiftCryptoSuite) {
        let scheme = "https://"
        guard endpoint.utf8.count <= Limits.pushEndpoint, endpoint.hasPrefix(scheme) else { return nil }
        let rest = endpoint.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(host.count)
        guard path.utf8.first == 0x2F, path.utf8.allSatisfy(Self.isOfAddress), let domain = DomainName(String(host)),
            domain.text == host,
            let bytes = Base64.decode(Bytes(text: key), .url), let point = P256PublicKey(x963: bytes),
            suite.isOnCurve(point), let auth = Base64.decode(Bytes(text: auth), .url),
            auth.count == WebPushEncryption.authLength
        else { return nil }
        (self.domain, self.path, self.key, self.auth) = (domain, String(path), point, auth)
    }

    /// Visible ASCII that an address may have unescaped, without the mark of a fragment (RFC 3986).
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !Bytes(text: "\"#<>\\^`{|}").contains(byte)
    }
}
