import Encodings

@testable import EllipticCurves

/// A P-256 key of the tests, the same in every run, as the script of the fixtures makes it from a word.
///
/// Core never signs, so the tests bring their own: neither constant time nor quick.
struct TestKey {
    private let scalar: P256.Scalar
    let publicKey: Bytes

    init(_ seed: String) {
        let number = Words256(bigEndian: SHA256.hash(Bytes(text: seed)))
        scalar = P256.Scalar(reducing: number)
        publicKey = Self.multiple(number)
    }

    /// r and s over `message`, 64 bytes; the same in every run.
    func sign(_ message: Bytes) -> Bytes {
        let digest = SHA256.hash(message)
        let nonce = P256.Scalar(
            reducing: Words256(bigEndian: HMACSHA256.authenticate(digest, key: scalar.bigEndian)))
        let x = Array(Self.multiple(nonce.number)[1..<33])
        let r = P256.Scalar(reducing: Words256(bigEndian: x))
        let s = (P256.Scalar(reducing: Words256(bigEndian: digest)) + r * scalar) * nonce.inverse()
        return r.bigEndian + s.bigEndian
    }

    private static func multiple(_ number: Words256) -> Bytes {
        let generator = JacobianPoint(P256.Curve.generator)
        guard let point = JacobianPoint.sum(number, generator, .zero, generator).affine else { return [] }
        return [4] + point.x.bigEndian + point.y.bigEndian
    }
}

/// The Ed25519 key of the tests' log (RFC 8032 section 5.1.6).
struct TestLogKey {
    private static let order = Words256(0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000)

    private let scalar: Words256
    private let prefix: Bytes
    let publicKey: Bytes

    init(_ seed: String) {
        let hash = SHA512.hash(SHA256.hash(Bytes(text: seed)))
        var clamped = Array(hash[0..<32])
        clamped[0] &= 0xF8
        clamped[31] = clamped[31] & 0x7F | 0x40
        scalar = Words256(littleEndian: clamped, at: 0)
        prefix = Array(hash[32...])
        publicKey = Self.multiple(scalar)
    }

    func sign(_ message: Bytes) -> Bytes {
        let nonce = Self.reduced(SHA512.hash(prefix + message))
        let point = Self.multiple(nonce)
        let challenge = Self.reduced(SHA512.hash(point + publicKey + message))
        let secret = Self.reduced(Array(scalar.bigEndian.reversed()))
        let sum = Self.sum(Self.product(challenge, secret), nonce)
        return point + Array(sum.bigEndian.reversed())
    }

    private static func multiple(_ number: Words256) -> Bytes {
        let point = EdwardsPoint.sum(number, .generator, .zero, .generator)
        return Array(point.compressed.bigEndian.reversed())
    }

    /// A little-endian number modulo the order.
    private static func reduced(_ bytes: Bytes) -> Words256 {
        var rest = Words256.zero
        for byte in bytes.reversed() {
            for bit in (0..<8).reversed() {
                rest = sum(rest, rest)
                if byte >> bit & 1 == 1 { rest = sum(rest, Words256(1, 0, 0, 0)) }
            }
        }
        return rest
    }

    private static func product(_ left: Words256, _ right: Words256) -> Words256 {
        var result = Words256.zero
        for bit in (0..<256).reversed() {
            result = sum(result, result)
            if right.bits(at: bit, count: 1) == 1 { result = sum(result, left) }
        }
        return result
    }

    /// Both are below the order, which is below 2^253.
    private static func sum(_ left: Words256, _ right: Words256) -> Words256 {
        let sum = left.adding(right).sum
        return sum.isLess(than: order) ? sum : sum.subtracting(order).difference
    }
}
