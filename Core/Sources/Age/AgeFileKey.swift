import EllipticCurves
import Encodings

/// The key of one file, 16 bytes: it alone opens the content.
struct AgeFileKey: Sendable {
    private let secret: SecretBytes

    /// Copies 16 bytes; `nil` for another number of them.
    init?(_ bytes: Bytes) {
        guard bytes.count == AgeLimits.fileKey else { return nil }
        secret = SecretBytes(bytes)
    }

    /// A new key.
    static func generate<Suite: AgeCryptoSuite>(_ suite: Suite) throws(AgeError) -> Self {
        var bytes = try suite.fresh(AgeLimits.fileKey)
        defer { bytes.wipe() }
        guard let key = Self(bytes) else { throw .suiteFailed }
        return key
    }

    /// A copy, which the caller wipes.
    var bytes: Bytes { secret.bytes }

    /// The authentication code of a header up to and with its "---".
    func mac<Suite: AgeCryptoSuite>(of header: Bytes, _ suite: Suite) -> Bytes {
        var key = derive(salt: [], "header", suite)
        defer { key.wipe() }
        return suite.hmacSHA256(header, key: key)
    }

    /// The key of the content.
    func payloadKey<Suite: AgeCryptoSuite>(nonce: Bytes, _ suite: Suite) -> SecretBytes {
        var key = derive(salt: nonce, "payload", suite)
        defer { key.wipe() }
        return SecretBytes(key)
    }

    private func derive<Suite: AgeCryptoSuite>(salt: Bytes, _ info: String, _ suite: Suite) -> Bytes {
        var key = secret.bytes
        defer { key.wipe() }
        return suite.derive(key, salt: salt, info: Bytes(text: info))
    }
}
