public import Encodings

/// X25519 (RFC 7748 section 5): two keys on Curve25519 agree on a secret.
///
/// Takes the same steps whatever the secret is, like everything that handles private keys here.
public enum X25519 {
    /// The length of private keys, public keys and shared secrets, in bytes.
    public static let keyLength = 32

    /// The public key of a private one.
    ///
    /// - Parameter secret: any 32 bytes; five of its bits do not count.
    /// - Returns: `nil` for another length.
    public static func publicKey(of secret: Bytes) -> Bytes? {
        sharedSecret(of: secret, with: [9] + Bytes(repeating: 0, count: keyLength - 1))
    }

    /// What both sides compute.
    ///
    /// - Parameters:
    ///   - secret: 32 bytes.
    ///   - publicKey: 32 bytes; the topmost bit does not count, and numbers from the prime on count modulo the prime.
    /// - Returns: `nil` for other lengths, and for a point of small order, with which everybody gets zeros.
    public static func sharedSecret(of secret: Bytes, with publicKey: Bytes) -> Bytes? {
        guard secret.count == keyLength, publicKey.count == keyLength else { return nil }
        let number = ladder(clamped(secret), coordinate(publicKey)).number
        return number.isZero ? nil : Array(number.bigEndian.reversed())
    }

    /// The scalar that 32 bytes stand for: a multiple of eight from 2^254 on, below 2^255.
    private static func clamped(_ secret: Bytes) -> Words256 {
        var scalar = Words256(littleEndian: secret, at: 0)
        scalar.w0 &= ~7
        scalar.w3 = scalar.w3 & ~(1 << 63) | 1 << 62
        return scalar
    }

    private static func coordinate(_ publicKey: Bytes) -> Field25519 {
        var number = Words256(littleEndian: publicKey, at: 0)
        number.w3 &= ~(1 << 63)
        return Field25519(number)
    }

    /// Montgomery's ladder, with the names of the RFC.
    private static func ladder(_ scalar: Words256, _ x1: Field25519) -> Field25519 {
        let a24 = Field25519(Words256(121_665, 0, 0, 0))
        var (x2, z2, x3, z3) = (Field25519.one, Field25519.zero, x1, Field25519.one)
        var swap: UInt64 = 0
        for position in stride(from: 254, through: 0, by: -1) {
            let bit = scalar[position >> 6] >> UInt64(position & 63) & 1
            let mask = Mask(bit: swap ^ bit)
            swap = bit
            Field25519.exchange(&x2, &x3, where: mask)
            Field25519.exchange(&z2, &z3, where: mask)
            let (a, b) = (x2 + z2, x2 - z2)
            let (aa, bb) = (a.squared(), b.squared())
            let e = aa - bb
            let (da, cb) = ((x3 - z3) * a, (x3 + z3) * b)
            x3 = (da + cb).squared()
            z3 = x1 * (da - cb).squared()
            x2 = aa * bb
            z2 = e * (aa + a24 * e)
        }
        Field25519.exchange(&x2, &x3, where: Mask(bit: swap))
        Field25519.exchange(&z2, &z3, where: Mask(bit: swap))
        return x2 * z2.inverse()
    }
}
