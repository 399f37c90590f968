import BigInt
import EllipticCurves
import Encodings
import Foundation

/// A curve over the package `BigInt`, by the affine formulas of textbooks and bit by bit, as the original computed.
///
/// Each step divides, and its time depends on the secret.
struct BigIntPeer: CurvePeer {
    private let task: CurveTask
    private let curve: AffineBigCurve
    private let scalar: BigInt
    private let own: AffineBigCurve.Point
    private let other: AffineBigCurve.Point

    init(_ task: CurveTask) {
        self.task = task
        curve = AffineBigCurve(task.curve)
        scalar = Self.number(task.scalar[...])
        let half = task.curve.byteCount
        own = curve.product(scalar, curve.generator)
        other = (Self.number(task.point[1...half]), Self.number(task.point[(half + 1)...]))
    }

    func agree() throws -> Bytes {
        guard let product = curve.product(scalar, other) else { throw PeerError("the product is infinity") }
        return bytes(product.x)
    }

    func sign() throws -> Bytes {
        let nonce = BigInt(BigUInt.randomInteger(lessThan: (curve.order - 1).magnitude)) + 1
        guard let product = curve.product(nonce, curve.generator), let inverse = nonce.inverse(curve.order) else {
            throw PeerError("the nonce has no inverse")
        }
        let r = product.x.modulus(curve.order)
        return bytes(r) + bytes((inverse * (hash + r * scalar)).modulus(curve.order))
    }

    func isValid(_ signature: Bytes) -> Bool {
        let half = task.curve.byteCount
        let (r, s) = (Self.number(signature[..<half]), Self.number(signature[half...]))
        guard let inverse = s.inverse(curve.order) else { return false }
        let sum = curve.sum(
            curve.product((hash * inverse).modulus(curve.order), curve.generator),
            curve.product((r * inverse).modulus(curve.order), own))
        return sum.map { $0.x.modulus(curve.order) == r } ?? false
    }

    /// As many of the leftmost bits as the order has.
    private var hash: BigInt {
        let digest = task.hash
        return Self.number(digest[...]) >> max(0, 8 * digest.count - task.curve.bitCount)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> BigInt { BigInt(BigUInt(Data(bytes))) }

    private func bytes(_ number: BigInt) -> Bytes {
        let digits = Bytes(number.magnitude.serialize())
        return Bytes(repeating: 0, count: task.curve.byteCount - digits.count) + digits
    }
}

/// y² = x³ + a·x + b with numbers of any size.
struct AffineBigCurve {
    /// `nil` is infinity.
    typealias Point = (x: BigInt, y: BigInt)?

    let order: BigInt
    let generator: Point
    private let prime: BigInt
    private let a: BigInt

    /// `scalar` times the point: a doubling for each bit, and an addition for each 1.
    func product(_ scalar: BigInt, _ point: Point) -> Point {
        var result: Point = nil
        for bit in (0..<scalar.magnitude.bitWidth).reversed() {
            result = sum(result, result)
            if scalar.magnitude >> bit & 1 == 1 { result = sum(result, point) }
        }
        return result
    }

    func sum(_ left: Point, _ right: Point) -> Point {
        guard let left else { return right }
        guard let right else { return left }
        let isSame = left.x == right.x
        guard !isSame || left.y == right.y else { return nil }
        let rise = isSame ? 3 * left.x * left.x + a : right.y - left.y
        let run = isSame ? 2 * left.y : right.x - left.x
        guard let inverse = run.modulus(prime).inverse(prime) else { return nil }
        let slope = (rise * inverse).modulus(prime)
        let x = (slope * slope - left.x - right.x).modulus(prime)
        return (x, (slope * (left.x - x) - left.y).modulus(prime))
    }

    /// The numbers of SEC 2.
    init(_ curve: EllipticCurve) {
        let one = BigInt(1)
        func number(_ digits: String) -> BigInt { BigInt(digits, radix: 16) ?? 0 }
        switch curve {
        case .p192:
            prime = (one << 192) - (one << 64) - 1
            order = number("ffffffffffffffffffffffff99def836146bc9b1b4d22831")
            generator = (
                number("188da80eb03090f67cbf20eb43a18800f4ff0afd82ff1012"),
                number("07192b95ffc8da78631011ed6b24cdd573f977a11e794811")
            )
        case .p256:
            prime = (one << 256) - (one << 224) + (one << 192) + (one << 96) - 1
            order = number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
            generator = (
                number("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
                number("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
            )
        case .p384:
            prime = (one << 384) - (one << 128) - (one << 96) + (one << 32) - 1
            order = number(
                "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973")
            generator = (
                number(
                    "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"),
                number(
                    "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f")
            )
        case .p521:
            prime = (one << 521) - 1
            order =
                (one << 521)
                - number("5ae79787c40d069948033feb708f65a2fc44a36477663b851449048e16ec79bf7")
            generator = (
                number(
                    "0c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de"
                        + "3348b3c1856a429bf97e7e31c2e5bd66"),
                number(
                    "11839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761"
                        + "353c7086a272c24088be94769fd16650")
            )
        case .secp192k1:
            prime = (one << 192) - (one << 32) - 4553
            order = number("fffffffffffffffffffffffe26f2fc170f69466a74defd8d")
            generator = (
                number("db4ff10ec057e9ae26b07d0280b7f4341da5d1b1eae06c7d"),
                number("9b2f2f6d9c5628a7844163d015be86344082aa88d95e2f9d")
            )
        }
        a = curve == .secp192k1 ? 0 : -3
    }
}
