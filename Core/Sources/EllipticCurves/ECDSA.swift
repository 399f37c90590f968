import Encodings

/// ECDSA (FIPS 186-5 section 6) on any of our curves; r and s are as long as the order, big-endian.
enum ECDSA<Curve: ShortWeierstrassCurve> {
    typealias Scalar = Curve.Scalar

    /// The leftmost bits of a digest as a scalar (FIPS 186-5 section 6.4.1; RFC 6979 section 2.3.2).
    static func scalar(digest: Bytes) -> Scalar {
        Scalar(reducing: number(leftmostBitsOf: digest))
    }

    /// As many of the leftmost bits as the order has, or all if there are fewer (`bits2int` of RFC 6979).
    static func number(leftmostBitsOf bytes: Bytes) -> Curve.Order.Number {
        let count = min(bytes.count, Scalar.byteCount)
        let surplus = max(0, 8 * count - Curve.Order.bitCount)
        return Curve.Order.Number(bigEndian: bytes, byteCount: count).shiftedRight(by: surplus)
    }

    /// Whether r and s are a signature over a message with this digest (section 6.4.2).
    ///
    /// Not constant time.
    static func isValid(_ signature: Bytes, digest: Bytes, point: AffinePoint<Curve>) -> Bool {
        guard signature.count == 2 * Scalar.byteCount,
            let r = Scalar(bigEndian: signature), let s = Scalar(bigEndian: signature, at: Scalar.byteCount),
            !r.isZero, !s.isZero
        else { return false }
        let inverse = s.inverse()
        let sum = JacobianPoint<Curve>.sum(
            (scalar(digest: digest) * inverse).number, JacobianPoint(Curve.generator),
            (r * inverse).number, JacobianPoint(point))
        return hasX(sum, congruentTo: r.number)
    }

    /// The order is a little below the prime: an x coordinate may be r, or r plus the order.
    private static func hasX(_ point: JacobianPoint<Curve>, congruentTo r: Curve.Order.Number) -> Bool {
        if let x = Curve.Field(r), point.hasX(x) { return true }
        let (larger, carry) = r.adding(Curve.Order.words)
        guard carry == 0, let x = Curve.Field(larger) else { return false }
        return point.hasX(x)
    }

    /// A signature over a message with this digest (section 6.4.1).
    ///
    /// - Parameters:
    ///   - key: the private key, from 1 to the order minus 1.
    ///   - nonce: a number of the same range, secret and never used for another digest.
    /// - Returns: `nil` in the case, which nobody will see, that r or s is 0; then another nonce is needed.
    static func signature(digest: Bytes, key: Scalar, nonce: Curve.Order.Number) -> Bytes? {
        let r = Curve.residue(Curve.generatorMultiples.product(nonce).affine.x)
        let s = Scalar(reducing: nonce).inverse() * (scalar(digest: digest) + r * key)
        guard !r.isZero, !s.isZero else { return nil }
        return r.bigEndian + s.bigEndian
    }
}
