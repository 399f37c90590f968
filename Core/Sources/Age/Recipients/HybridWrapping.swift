import EllipticCurves
import Encodings

/// The MLKEM768-X25519 recipient type (c2sp.org/age): HPKE (RFC 9180) in base mode with X-Wing, HKDF-SHA-256 and
/// ChaCha20-Poly1305.
enum HybridWrapping {
    static let type = Bytes(text: "mlkem768x25519")

    static func wrap<Suite: AgeCryptoSuite>(
        _ fileKey: AgeFileKey, to publicKey: Bytes, _ suite: Suite
    ) throws(AgeError) -> AgeStanza {
        // Without any hybrid key a suite cannot even compute this one.
        guard suite.hybridPublicKey(of: Bytes(repeating: 0, count: AgeLimits.key)) != nil else { throw .unsupported }
        try checkShare(publicKey, suite, else: .invalidRecipient)
        guard let encapsulation = suite.hybridEncapsulate(to: publicKey) else { throw .invalidRecipient }
        guard encapsulation.bytes.count == AgeLimits.encapsulation else { throw .suiteFailed }
        let (key, nonce) = schedule(encapsulation.sharedSecret, suite)
        let body = try suite.wrap(fileKey, key: key, nonce: nonce)
        return AgeStanza(arguments: [type, RawBase64.encode(encapsulation.bytes)], body: body)
    }

    static func unwrap<Suite: AgeCryptoSuite>(
        _ stanza: AgeStanza, _ identity: SecretBytes, _ suite: Suite
    ) throws(AgeError) -> AgeFileKey? {
        guard stanza.arguments[0] == type else { return nil }
        guard stanza.arguments.count == 2, let encapsulation = RawBase64.decode(stanza.arguments[1]),
            encapsulation.count == AgeLimits.encapsulation, stanza.body.count == AgeLimits.wrappedKey
        else { throw .malformedHeader }
        try checkShare(encapsulation, suite, else: .malformedHeader)
        var seed = identity.bytes
        defer { seed.wipe() }
        guard var secret = suite.hybridDecapsulate(encapsulation, seed: seed) else { throw .unsupported }
        defer { secret.wipe() }
        let (key, nonce) = schedule(secret, suite)
        return suite.unwrap(stanza.body, key: key, nonce: nonce)
    }

    /// Refuses an X25519 part of small order, with which everybody agrees on zeros.
    ///
    /// X-Wing takes it. Whether a point is one does not depend on the private key, so any will do.
    private static func checkShare<Suite: AgeCryptoSuite>(
        _ bytes: Bytes, _ suite: Suite, else error: AgeError
    ) throws(AgeError) {
        let anyKey = Bytes(repeating: 1, count: AgeLimits.key)
        guard suite.x25519(anyKey, publicKey: Array(bytes.suffix(AgeLimits.key))) != nil else { throw error }
    }

    /// HPKE's key schedule (RFC 9180 section 5.1): the key and nonce of the first and only message.
    private static func schedule<Suite: AgeCryptoSuite>(_ secret: Bytes, _ suite: Suite) -> (key: Bytes, nonce: Bytes) {
        let noIdentity = extract([], "psk_id_hash", [], suite)
        let information = extract([], "info_hash", Bytes(text: "age-encryption.org/mlkem768x25519"), suite)
        let context = [0] + noIdentity + information
        let base = extract(secret, "secret", [], suite)
        return (
            expand(base, "key", context, count: AgeLimits.key, suite),
            expand(base, "base_nonce", context, count: 12, suite)
        )
    }

    /// LabeledExtract of section 4.
    private static func extract<Suite: AgeCryptoSuite>(
        _ salt: Bytes, _ label: String, _ material: Bytes, _ suite: Suite
    ) -> Bytes {
        suite.hmacSHA256(version + suiteID + Bytes(text: label) + material, key: salt)
    }

    /// LabeledExpand of section 4, for at most one block.
    private static func expand<Suite: AgeCryptoSuite>(
        _ key: Bytes, _ label: String, _ information: Bytes, count: Int, _ suite: Suite
    ) -> Bytes {
        let message = [0, UInt8(count)] + version + suiteID + Bytes(text: label) + information + [1]
        return Array(suite.hmacSHA256(message, key: key).prefix(count))
    }

    private static let version = Bytes(text: "HPKE-v1")
    /// X-Wing, HKDF-SHA-256, ChaCha20-Poly1305.
    private static let suiteID = Bytes(text: "HPKE") + [0x64, 0x7A, 0x00, 0x01, 0x00, 0x03]
}
