import EllipticCurves
import Encodings

/// Sealing to a public key: HPKE in base mode with DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM, one message
/// (RFC 9180 section 6.1).
enum SealedToKey {
    /// How long an uncompressed point is.
    static var pointByteCount: Int { 65 }
    /// By how much it is longer than its plaintext: a point of 65 bytes and a tag.
    static var overhead: Int { pointByteCount + 16 }

    static func seal<Suite: VaultCryptoSuite>(
        _ plaintext: Bytes, to publicKey: Bytes, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        let peer = try Self.publicKey(publicKey)
        let ephemeral: ECPrivateKey
        do { ephemeral = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes) } catch {
            throw .suiteFailed
        }
        return try seal(plaintext, to: peer, ephemeral: ephemeral, label.bytes, binding, suite: suite)
    }

    static func seal<Suite: VaultCryptoSuite>(
        _ plaintext: Bytes, to peer: ECPublicKey, ephemeral: ECPrivateKey, _ info: Bytes, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        guard let shared = suite.sharedSecret(of: ephemeral, with: peer) else { throw .suiteFailed }
        let encapsulated = ephemeral.publicKey.x963
        let (key, nonce) = keys(shared, encapsulated + peer.x963, info: info, suite: suite)
        var sealed = encapsulated
        guard suite.sealAES256GCM(plaintext[...], key: key, nonce: nonce, additionalData: binding, appendingTo: &sealed)
        else { throw .suiteFailed }
        return sealed
    }

    static func open<Suite: VaultCryptoSuite>(
        _ sealed: Bytes, with privateKey: ECPrivateKey, _ label: VaultLabel, _ binding: Bytes, suite: Suite
    ) throws(VaultError) -> Bytes {
        guard sealed.count >= overhead else { throw .malformed }
        let encapsulated = Array(sealed[..<65])
        guard let shared = suite.sharedSecret(of: privateKey, with: try publicKey(encapsulated)) else {
            throw .suiteFailed
        }
        let (key, nonce) = keys(
            shared, encapsulated + privateKey.publicKey.x963, info: label.bytes, suite: suite)
        var plaintext: Bytes = []
        guard
            suite.openAES256GCM(
                sealed[65...], key: key, nonce: nonce, additionalData: binding, appendingTo: &plaintext)
        else { throw .cannotOpen }
        return plaintext
    }

    static func publicKey(_ bytes: Bytes) throws(VaultError) -> ECPublicKey {
        guard let key = try? ECPublicKey(.p256, x963: bytes) else { throw .malformed }
        return key
    }

    /// The key schedule (RFC 9180 sections 4.1 and 5.1).
    private static func keys<Suite: VaultCryptoSuite>(
        _ shared: Bytes, _ context: Bytes, info: Bytes, suite: Suite
    ) -> (key: Bytes, nonce: Bytes) {
        let kem = Bytes(text: "KEM") + [0x00, 0x10]
        let hpke = Bytes(text: "HPKE") + [0x00, 0x10, 0x00, 0x01, 0x00, 0x02]
        func extract(_ salt: Bytes, _ id: Bytes, _ label: String, _ input: Bytes) -> Bytes {
            let key = salt.isEmpty ? Bytes(repeating: 0, count: 32) : salt
            return suite.hmacSHA256(Bytes(text: "HPKE-v1") + id + Bytes(text: label) + input, key: key)
        }
        func expand(_ key: Bytes, _ id: Bytes, _ label: String, _ info: Bytes, _ count: Int) -> Bytes {
            let labelled = bigEndian(UInt64(count), count: 2) + Bytes(text: "HPKE-v1") + id + Bytes(text: label) + info
            return suite.expandSHA256(key, info: labelled, count: count)
        }
        let secret = expand(extract([], kem, "eae_prk", shared), kem, "shared_secret", context, 32)
        let schedule = [0] + extract([], hpke, "psk_id_hash", []) + extract([], hpke, "info_hash", info)
        let start = extract(secret, hpke, "secret", [])
        return (expand(start, hpke, "key", schedule, 32), expand(start, hpke, "base_nonce", schedule, 12))
    }
}
