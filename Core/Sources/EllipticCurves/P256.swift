public import Encodings

/// ECDSA with P-256 and SHA-256: verification only, in pure Swift.
///
/// For places where no cryptographic library is at hand: the page that checks a document with the network off, and
/// tests that want a second opinion. Nothing here is secret and nothing is constant time. `ECPrivateKey` signs.
public enum P256 {
    /// Whether `signature` is valid (FIPS 186-5 section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: r and s, 32 bytes each, big-endian. Both (r, s) and (r, n - s) are valid, as the standard says.
    ///   - message: what was signed, not hashed.
    ///   - publicKey: the uncompressed point, 65 bytes.
    /// - Returns: `false` for a wrong length, r or s being 0 or not below the order, or a point not on the curve too.
    public static func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        isValidSignature(signature, digest: SHA256.hash(message), publicKey: publicKey)
    }

    /// Whether `signature` is valid over a message with this digest (FIPS 186-5 section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: r and s, as above.
    ///   - digest: of the message, with any hash function of at least 32 bytes; ECDSA takes its first 32.
    ///   - publicKey: the uncompressed point, 65 bytes.
    /// - Returns: `false` for a shorter digest too.
    public static func isValidSignature(_ signature: Bytes, digest: Bytes, publicKey: Bytes) -> Bool {
        guard digest.count >= 32, let point = AffinePoint<Curve>(uncompressed: publicKey) else { return false }
        return ECDSA<Curve>.isValid(signature, digest: digest, point: point)
    }

    /// Whether `publicKey` is an uncompressed point of the curve (SP 800-186 appendix D.1.1).
    ///
    /// The order is prime, so nothing else is to be checked.
    public static func isOnCurve(publicKey: Bytes) -> Bool {
        AffinePoint<Curve>(uncompressed: publicKey) != nil
    }

    typealias Field = Montgomery<Prime>
    typealias Scalar = Montgomery<Order>
}
