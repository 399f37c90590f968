public import Encodings

/// ECDSA with P-256 and SHA-256: verification only, in pure Swift.
///
/// For places where no cryptographic library is at hand: the page that checks a document with the network off, and
/// tests that want a second opinion. Nothing here is secret and nothing is constant time; `Core` never signs.
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
        guard signature.count == 64, digest.count >= 32, let point = JacobianPoint<Curve>(uncompressed: publicKey),
            let r = Scalar(bigEndian: signature), let s = Scalar(bigEndian: signature, at: 32), !r.isZero, !s.isZero
        else { return false }
        let hash = Scalar(reducing: Words256(bigEndian: digest))
        let inverse = s.inverse()
        let sum = JacobianPoint<Curve>.sum((hash * inverse).number, Curve.generator, (r * inverse).number, point)
        return hasX(sum, congruentTo: r.number)
    }

    /// Whether `publicKey` is an uncompressed point of the curve (SP 800-186 appendix D.1.1).
    ///
    /// The order is prime, so nothing else is to be checked.
    public static func isOnCurve(publicKey: Bytes) -> Bool {
        JacobianPoint<Curve>(uncompressed: publicKey) != nil
    }

    /// The order is a little below the prime: an x coordinate may be r, or r plus the order.
    private static func hasX(_ point: JacobianPoint<Curve>, congruentTo r: Words256) -> Bool {
        if let x = Field(r), point.hasX(x) { return true }
        let (larger, carry) = r.adding(Order.words)
        guard carry == 0, let x = Field(larger) else { return false }
        return point.hasX(x)
    }

    typealias Field = Montgomery256<Prime>
    typealias Scalar = Montgomery256<Order>

    /// 2^256 - 2^224 + 2^192 + 2^96 - 1.
    enum Prime: Modulus256 {
        @inline(__always) static var words: Words256 { Words256(~0, 0xffff_ffff, 0, 0xffff_ffff_0000_0001) }
        @inline(__always) static var negatedInverse: UInt64 { 1 }
        @inline(__always) static var r: Words256 { Words256(1, 0xffff_ffff_0000_0000, ~0, 0xffff_fffe) }
        @inline(__always) static var rSquared: Words256 {
            Words256(3, 0xffff_fffb_ffff_ffff, 0xffff_ffff_ffff_fffe, 0x4_ffff_fffd)
        }
    }

    /// The number of points.
    enum Order: Modulus256 {
        @inline(__always) static var words: Words256 {
            Words256(0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, ~0, 0xffff_ffff_0000_0000)
        }
        @inline(__always) static var negatedInverse: UInt64 { 0xccd1_c8aa_ee00_bc4f }
        @inline(__always) static var r: Words256 {
            Words256(0x0c46_353d_039c_daaf, 0x4319_0552_58e8_617b, 0, 0xffff_ffff)
        }
        @inline(__always) static var rSquared: Words256 {
            Words256(0x8324_4c95_be79_eea2, 0x4699_799c_49bd_6fa6, 0x2845_b239_2b6b_ec59, 0x66e1_2d94_f3d9_5620)
        }
    }

    /// SP 800-186 section 3.2.1.3.
    enum Curve: ShortWeierstrassCurve {
        typealias Field = P256.Field

        static var b: Field {
            Field(
                reducing: Words256(
                    0x3bce_3c3e_27d2_604b,
                    0x651d_06b0_cc53_b0f6,
                    0xb3eb_bd55_7698_86bc,
                    0x5ac6_35d8_aa3a_93e7
                )
            )
        }

        static var generator: JacobianPoint<Curve> {
            JacobianPoint(
                x: Field(
                    reducing: Words256(
                        0xf4a1_3945_d898_c296,
                        0x7703_7d81_2deb_33a0,
                        0xf8bc_e6e5_63a4_40f2,
                        0x6b17_d1f2_e12c_4247
                    )
                ),
                y: Field(
                    reducing: Words256(
                        0xcbb6_4068_37bf_51f5,
                        0x2bce_3357_6b31_5ece,
                        0x8ee7_eb4a_7c0f_9e16,
                        0x4fe3_42e2_fe1a_7f9b
                    )
                )
            )
        }
    }
}
