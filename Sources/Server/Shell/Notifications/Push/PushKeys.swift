import CryptoProvider
import Encodings

extension ServerKey {
    /// Makes the key by which push services know this server: browsers bind their subscriptions to it.
    static let notificationSecret = ServerKey(name: "notification-secret", kind: .secret)
}

/// What the secret of notices makes.
struct PushKeys: Sendable {
    private let secret: Bytes

    init(_ keys: SliceKeys) { secret = keys.secret(.notificationSecret) }

    /// The key that signs this server's statements for push services (RFC 8292).
    func signingKey() throws -> SigningKey {
        // One number in four thousand million is no secret key of P-256; the next one is.
        for attempt in 0..<8 as Range<UInt8> {
            let number = HMACSHA256.authenticate(
                Bytes(text: "countersign notifications v1 push key") + [0, attempt], key: secret)
            if let key = try? SigningKey(rawRepresentation: number) { return key }
        }
        throw KeyError.malformed
    }
}
