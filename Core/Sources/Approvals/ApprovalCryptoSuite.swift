public import EllipticCurves
public import Encodings

/// The public-key checks that approvals need beyond `CryptoSuite`.
///
/// Version 2 needs only P-256 with SHA-256. The original hashes with SHA-384, and its server signs with RSA.
public protocol ApprovalCryptoSuite: CryptoSuite {
    /// Whether `publicKey` is an uncompressed point of P-256, 65 bytes.
    func isOnP256(_ publicKey: Bytes) -> Bool

    /// Whether `signature` is a valid ECDSA signature with P-256 and SHA-384, whose first 32 bytes count (FIPS 186-5
    /// section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: r and s, 32 bytes each, big-endian.
    ///   - message: what was signed, not hashed.
    ///   - publicKey: the uncompressed point, 65 bytes.
    /// - Returns: `false` for anything malformed too.
    func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool

    /// Whether `signature` is a valid RSASSA-PKCS1-v1_5 signature with SHA-384 (RFC 8017 section 8.2.2).
    ///
    /// - Parameters:
    ///   - signature: as long as the modulus.
    ///   - message: what was signed, not hashed.
    ///   - modulus: big-endian, without leading zeros, 2048 to 4096 bits.
    ///   - exponent: big-endian, without leading zeros.
    /// - Returns: `false` for anything malformed too.
    func isValidRSAWithSHA384(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes
    ) -> Bool
}

extension ApprovalCryptoSuite {
    /// Our own arithmetic; a suite with a library overrides it.
    public func isValidRSAWithSHA384(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes
    ) -> Bool {
        RSAVerification.isValid(signature, over: message, modulus: modulus, exponent: exponent)
    }
}

/// What a page uses: it checks a challenge of an original server without a library.
extension PureSuite: ApprovalCryptoSuite {
    /// By `P256`.
    public func isOnP256(_ publicKey: Bytes) -> Bool { P256.isOnCurve(publicKey: publicKey) }

    /// By `P256`, over our own SHA-384.
    public func isValidP256WithSHA384(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        P256.isValidSignature(signature, digest: SHA384.hash(message), publicKey: publicKey)
    }
}
