public import EllipticCurves
public import Encodings

/// The cryptography that the Pico protocol asks of its surroundings (section 1).
///
/// AES-GCM and randomness have to come from outside: `Core` has neither. The rest is computed by `Core` unless a suite
/// with a library overrides it, which it should for P-256, P-384 and P-521. Both roles call only this.
public protocol PicoCryptoSuite: CryptoSuite {
    /// Encrypts with AES in GCM (SP 800-38D), without additional data.
    ///
    /// - Parameters:
    ///   - plaintext: any length.
    ///   - key: 16 bytes in the protocol, 32 in backups.
    ///   - iv: 16 bytes, which is not the usual length. The first counter block is then GHASH of the IV.
    /// - Returns: the ciphertext and the tag of 16 bytes behind it; `nil` if the suite cannot do it.
    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes?

    /// Decrypts what `sealAESGCM` gives.
    ///
    /// - Parameters:
    ///   - sealed: ciphertext and tag, at least 16 bytes.
    ///   - key: 16 or 32 bytes.
    ///   - iv: 1 to 64 bytes. A suite may refuse lengths below 12.
    /// - Returns: the plaintext; `nil` if the tag does not hold.
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes?

    /// So many bytes from a source fit for keys.
    func randomBytes(_ count: Int) -> Bytes

    /// HMAC with SHA-256 (RFC 2104), 32 bytes.
    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes

    /// The uncompressed public point of a private key: 4, x, y (SEC 1 section 2.3.3).
    ///
    /// - Parameter scalar: as long as the order.
    /// - Returns: `nil` for a number that is out of range.
    func publicPoint(of scalar: Bytes, on curve: EllipticCurve) -> Bytes?

    /// The x coordinate of the product of both keys, as long as the prime and with its leading zeros (section 1).
    ///
    /// - Returns: `nil` for keys of different curves.
    func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes?

    /// An ECDSA signature with SHA-256 over the message, as DER.
    ///
    /// The nonce has to be deterministic (RFC 6979) or hedged (section 13, number 21).
    ///
    /// - Returns: `nil` if the suite cannot do it.
    func signature(over message: Bytes, with key: ECPrivateKey) -> Bytes?

    /// Whether the DER signature with SHA-256 holds; both values of s are valid.
    func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool
}

extension PicoCryptoSuite {
    /// By `Core`'s own HMAC.
    public func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes { HMACSHA256.authenticate(message, key: key) }

    /// By `Core`'s own arithmetic, in constant time.
    public func publicPoint(of scalar: Bytes, on curve: EllipticCurve) -> Bytes? {
        try? ECPrivateKey(curve, scalar: scalar).publicKey.x963
    }

    /// By `Core`'s own arithmetic, in constant time.
    public func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? {
        try? key.sharedSecret(with: peer)
    }

    /// By `Core`'s own arithmetic, with the nonce of RFC 6979.
    public func signature(over message: Bytes, with key: ECPrivateKey) -> Bytes? {
        key.signature(over: message, with: .sha256)
    }

    /// By `Core`'s own arithmetic.
    public func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool {
        publicKey.isValidSignature(signature, over: message, with: .sha256)
    }
}

extension PicoCryptoSuite {
    /// Random bytes, of which there are certainly as many as asked for.
    func fresh(_ count: Int) throws(PicoError) -> Bytes {
        let bytes = randomBytes(count)
        guard bytes.count == count else { throw .suiteFailed }
        return bytes
    }

    /// A new key on the curve.
    ///
    /// - Throws: `suiteFailed` if the randomness is none.
    public func freshKey(on curve: EllipticCurve) throws(PicoError) -> ECPrivateKey {
        do {
            return try ECPrivateKey.generate(
                on: curve, randomBytes: randomBytes, publicPoint: { publicPoint(of: $0, on: curve) })
        } catch {
            throw .suiteFailed
        }
    }

    /// A key that was made earlier.
    ///
    /// - Parameter scalar: a number between 1 and the order minus 1, as long as the order, big-endian.
    /// - Throws: `scalarOutOfRange` for another length or number.
    public func privateKey(on curve: EllipticCurve, scalar: Bytes) throws(EllipticCurveError) -> ECPrivateKey {
        try ECPrivateKey(curve, scalar: scalar, publicPoint: { publicPoint(of: $0, on: curve) })
    }
}
