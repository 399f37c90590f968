import CryptoProvider
import Encodings

/// A browser's push subscription, checked: where messages go, and how they are encrypted for it alone.
struct PushSubscription: Sendable, Equatable {
    /// Where messages go, as the browser gave it.
    let address: EgressAddress
    /// The browser's public key.
    let key: P256PublicKey
    /// The secret that it shares with this server.
    let auth: Bytes

    /// The address as text.
    var endpoint: String { address.text }
    /// The address's origin, which the server's statement is for (RFC 8292 section 2).
    var origin: String { "https://\(address.host)" }

    /// Checks what a browser gave.
    ///
    /// - Parameters:
    ///   - endpoint: `https`, a name with a dot, no port, no user and no fragment.
    ///   - key: base64url of an uncompressed point of P-256.
    ///   - auth: base64url of 16 bytes.
    /// - Returns: `nil` for anything else.
    init?(endpoint: String, key: String, auth: String, suite: SwiftCryptoSuite) {
        guard endpoint.utf8.count <= Limits.pushEndpoint,
            let address = EgressAddress(endpoint, allowsPrivate: false), address.text == endpoint,
            endpoint.hasPrefix("https://\(address.host)/"),
            let bytes = Base64.decode(Bytes(text: key), .url), let point = P256PublicKey(x963: bytes),
            suite.isOnCurve(point), let auth = Base64.decode(Bytes(text: auth), .url),
            auth.count == WebPushEncryption.authLength
        else { return nil }
        (self.address, self.key, self.auth) = (address, point, auth)
    }
}
