public import Encodings

/// A hash function of the SHA-2 family (FIPS 180-4).
public enum DigestAlgorithm: Sendable, Equatable {
    /// 32 bytes.
    case sha256
    /// 48 bytes.
    case sha384
    /// 64 bytes.
    case sha512
}

/// An elliptic curve of SP 800-186 with its number in COSE (RFC 9053 section 7.1).
public enum COSECurve: Int64, Sendable, Equatable {
    /// P-256.
    case p256 = 1
    /// P-384.
    case p384 = 2
    /// P-521.
    case p521 = 3

    /// The length of a coordinate, in bytes.
    public var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }
}

/// The public-key checks that passkeys need beyond `CryptoSuite`: other curves, other hash functions, RSA.
public protocol PasskeyCryptoSuite: CryptoSuite {
    /// The digest of `bytes`.
    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes

    /// Whether `publicKey` is an uncompressed point of the curve, other than the point at infinity.
    ///
    /// - Parameter publicKey: 4, x and y (SEC 1 section 2.3.3).
    func isOnCurve(_ publicKey: Bytes, _ curve: COSECurve) -> Bool

    /// Whether `signature` is a valid ECDSA signature (FIPS 186-5 section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: r and s, each as long as a coordinate, big-endian.
    ///   - message: what was signed, not hashed.
    ///   - publicKey: the uncompressed point.
    /// - Returns: `false` for anything malformed too.
    func isValidECDSA(
        _ signature: Bytes, over message: Bytes, publicKey: Bytes, curve: COSECurve, digest: DigestAlgorithm
    ) -> Bool

    /// Whether `signature` is a valid RSASSA-PKCS1-v1_5 signature (RFC 8017 section 8.2.2).
    ///
    /// - Parameters:
    ///   - signature: as long as the modulus.
    ///   - message: what was signed, not hashed.
    ///   - modulus: big-endian, without leading zeros, 2048 to 4096 bits.
    ///   - exponent: big-endian, without leading zeros.
    /// - Returns: `false` for anything malformed too.
    func isValidRSA(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes, digest: DigestAlgorithm
    ) -> Bool
}
