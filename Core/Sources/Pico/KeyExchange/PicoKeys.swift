import EllipticCurves
import Encodings

/// The five keys of a run, wiped when nobody needs them any more (section 4.2).
///
/// The derivation looks like HKDF and is not: each block covers the previous block, then the nonces, then the counter, and
/// the nonces are salt and info at once.
struct PicoKeys: Sendable {
    /// kPM, 32 bytes: authenticates the Pico's identity key.
    let picoMAC: SecretBytes
    /// kPE, 16 bytes: seals PicoAuth.
    let picoEncryption: SecretBytes
    /// kSM, 32 bytes: authenticates the service's identity key.
    let serviceMAC: SecretBytes
    /// kSE, 16 bytes: seals ServiceAuth and Status.
    let serviceEncryption: SecretBytes
    /// kSH, 16 bytes: seals continuous authentication, in both directions.
    let shared: SecretBytes

    /// - Parameters:
    ///   - secret: the shared secret, as long as the prime and with its leading zeros.
    ///   - picoNonce, serviceNonce: as they were sent, any length.
    init<Suite: PicoCryptoSuite>(secret: Bytes, picoNonce: Bytes, serviceNonce: Bytes, suite: Suite) {
        let nonces = picoNonce + serviceNonce
        var derivation = suite.hmacSHA256(secret, key: nonces)
        var stream: Bytes = []
        stream.reserveCapacity(4 * PicoLimits.digest)
        var block: Bytes = []
        for counter: UInt8 in 1...4 {
            var input = block + nonces + [counter]
            block = suite.hmacSHA256(input, key: derivation)
            stream += block
            input.wipe()
        }
        picoMAC = SecretBytes(Array(stream[0..<32]))
        picoEncryption = SecretBytes(Array(stream[32..<48]))
        serviceMAC = SecretBytes(Array(stream[48..<80]))
        serviceEncryption = SecretBytes(Array(stream[80..<96]))
        shared = SecretBytes(Array(stream[96..<112]))
        derivation.wipe()
        block.wipe()
        stream.wipe()
    }

    /// Agrees with the peer's ephemeral key.
    ///
    /// - Throws: `unsupportedCurve` if the two keys are on different curves, `invalidKey` if the peer sent our own key back,
    ///   `suiteFailed`.
    static func agree<Suite: PicoCryptoSuite>(
        own: ECPrivateKey, peer: ECPublicKey, picoNonce: Bytes, serviceNonce: Bytes, suite: Suite
    ) throws(PicoError) -> PicoKeys {
        guard peer.curve == own.curve else { throw .unsupportedCurve }
        guard peer != own.publicKey else { throw .invalidKey }
        guard var secret = suite.sharedSecret(of: own, with: peer), secret.count == own.curve.byteCount else {
            throw .suiteFailed
        }
        defer { secret.wipe() }
        return PicoKeys(secret: secret, picoNonce: picoNonce, serviceNonce: serviceNonce, suite: suite)
    }
}
