import EllipticCurves
import Encodings

/// The X25519 recipient type (c2sp.org/age).
enum X25519Wrapping {
    static let type = Bytes(text: "X25519")
    static let basePoint: Bytes = [9] + Bytes(repeating: 0, count: AgeLimits.key - 1)

    static func wrap<Suite: AgeCryptoSuite>(
        _ fileKey: AgeFileKey, to publicKey: Bytes, _ suite: Suite
    ) throws(AgeError) -> AgeStanza {
        var ephemeral = try suite.fresh(AgeLimits.key)
        defer { ephemeral.wipe() }
        guard let share = suite.x25519(ephemeral, publicKey: basePoint) else { throw .suiteFailed }
        guard var secret = suite.x25519(ephemeral, publicKey: publicKey) else { throw .invalidRecipient }
        defer { secret.wipe() }
        let body = try suite.wrap(fileKey, key: wrapKey(secret, share, publicKey, suite))
        return AgeStanza(arguments: [type, RawBase64.encode(share)], body: body)
    }

    static func unwrap<Suite: AgeCryptoSuite>(
        _ stanza: AgeStanza, _ identity: SecretBytes, _ suite: Suite
    ) throws(AgeError) -> AgeFileKey? {
        guard stanza.arguments[0] == type else { return nil }
        guard stanza.arguments.count == 2, let share = RawBase64.decode(stanza.arguments[1]),
            share.count == AgeLimits.key, stanza.body.count == AgeLimits.wrappedKey
        else { throw .malformedHeader }
        var scalar = identity.bytes
        defer { scalar.wipe() }
        guard let publicKey = suite.x25519(scalar, publicKey: basePoint) else { throw .suiteFailed }
        guard var secret = suite.x25519(scalar, publicKey: share) else { throw .malformedHeader }
        defer { secret.wipe() }
        return suite.unwrap(stanza.body, key: wrapKey(secret, share, publicKey, suite))
    }

    private static func wrapKey<Suite: AgeCryptoSuite>(
        _ secret: Bytes, _ share: Bytes, _ publicKey: Bytes, _ suite: Suite
    ) -> Bytes {
        suite.derive(secret, salt: share + publicKey, info: Bytes(text: "age-encryption.org/v1/X25519"))
    }
}
