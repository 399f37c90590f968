public import Encodings

/// Ed25519 (RFC 8032 section 5.1): verification only, in pure Swift.
///
/// Nothing here is secret and nothing is constant time; `Core` never signs.
public enum Ed25519 {
    /// Whether `signature` is valid (RFC 8032 section 5.1.7), by the equation without the cofactor: S·B = R + k·A.
    ///
    /// Every number and point must have its one canonical spelling: S below the order, y below the prime. A public key
    /// of small order is refused, because it would accept a signature for nearly every message. BoringSSL judges alike
    /// except for the public key: it takes the few that are of small order or whose y is not below the prime. No real
    /// key is one of those by chance.
    /// - Parameters:
    ///   - signature: R and S, 32 bytes each.
    ///   - message: what was signed, not hashed.
    ///   - publicKey: the compressed point, 32 bytes.
    /// - Returns: `false` for a wrong length or anything malformed too.
    public static func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard signature.count == 64, publicKey.count == 32 else { return false }
        let r = Words256(littleEndian: signature, at: 0)
        let s = Words256(littleEndian: signature, at: 32)
        guard s.isLess(than: order),
            let key = EdwardsPoint(compressed: Words256(littleEndian: publicKey, at: 0)), !key.hasSmallOrder
        else { return false }
        var hash = SHA512()
        hash.update(Array(signature[0..<32]))
        hash.update(publicKey)
        hash.update(message)
        let k = reduced(hash.finish())
        // The sum is written out and compared, so that R, too, has only one spelling.
        return EdwardsPoint.sum(s, .generator, k, key.negated()).compressed == r
    }

    /// The order of the base point, 2^252 + 27742317777372353535851937790883648493.
    private static let order = Words256(0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000)

    /// A little-endian number modulo the order, bit by bit: that is little beside the multiplication of points.
    private static func reduced(_ bytes: Bytes) -> Words256 {
        var rest = Words256.zero
        for byte in bytes.reversed() {
            for position in stride(from: UInt8(7), through: 0, by: -1) {
                rest = rest.adding(rest).sum
                rest.w0 |= UInt64(byte >> position & 1)
                let (difference, borrow) = rest.subtracting(order)
                if borrow == 0 { rest = difference }
            }
        }
        return rest
    }
}
