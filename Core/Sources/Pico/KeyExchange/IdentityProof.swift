import EllipticCurves
import Encodings

/// What a side says of itself, before it is checked: its identity key, a signature and a code of the key.
///
/// Both roles have the same form (sections 4.3 and 4.4); they differ in the keys that seal and authenticate it.
struct IdentityProof {
    /// The SubjectPublicKeyInfo, as it was received: the code of section 4 covers these bytes.
    let spki: Bytes
    let signature: Bytes
    let mac: Bytes

    /// The bytes that an identity key signs: the peer's nonce, the session id and the own ephemeral key.
    ///
    /// The version, addresses and the peer's ephemeral key are not in it, and nothing can change that under version 2
    /// (section 13, number 7).
    static func signedBytes(peerNonce: Bytes, sessionID: Int32, ephemeral: ECPublicKey) -> Bytes {
        peerNonce + PicoElements.signed(sessionID) + ephemeral.spki
    }

    /// The code of an identity key.
    static func mac<Suite: PicoCryptoSuite>(_ spki: Bytes, key: SecretBytes, suite: Suite) -> Bytes {
        var secret = key.bytes
        defer { secret.wipe() }
        return suite.hmacSHA256(spki, key: secret)
    }

    /// Reads the three elements; what is behind them is the caller's.
    init(_ elements: inout PicoElements) throws(PicoError) {
        spki = try elements.next(PicoLimits.publicKey)
        signature = try elements.next(PicoLimits.signature)
        mac = try elements.next(PicoLimits.digest)
        guard mac.count == PicoLimits.digest else { throw .malformed }
    }

    init(spki: Bytes, signature: Bytes, mac: Bytes) {
        self.spki = spki
        self.signature = signature
        self.mac = mac
    }

    func encoded() -> Bytes {
        PicoElements.write(spki) + PicoElements.write(signature) + PicoElements.write(mac)
    }

    /// Checks the signature and the code.
    ///
    /// Both are always computed, so that the time does not tell which one failed (section 13, number 14).
    ///
    /// - Throws: `invalidSignature` or `invalidMAC`.
    func verify<Suite: PicoCryptoSuite>(
        _ key: ECPublicKey, signed: Bytes, macKey: SecretBytes, suite: Suite
    ) throws(PicoError) {
        let isSigned = suite.isValidSignature(signature, over: signed, publicKey: key)
        let isAuthentic = Self.mac(spki, key: macKey, suite: suite).equalsInConstantTime(mac)
        guard isSigned else { throw .invalidSignature }
        guard isAuthentic else { throw .invalidMAC }
    }
}
