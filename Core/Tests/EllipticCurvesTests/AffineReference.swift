import Encodings

@testable import EllipticCurves

/// Points as schoolbooks have them: an inversion for each sum, bit after bit.
///
/// What our fast formulas are compared with.
enum AffineReference<Curve: ShortWeierstrassCurve> {
    typealias Field = Curve.Field
    typealias Point = (x: Field, y: Field)

    static func sum(_ left: Point?, _ right: Point?) -> Point? {
        guard let left, let right else { return left ?? right }
        let slope: Field
        if left.x == right.x {
            guard left.y == right.y else { return nil }
            let square = left.x * left.x
            let a = Curve.aIsZero ? Field.zero : (Field.one + Field.one + Field.one).negated()
            slope = (square + square + square + a) * (left.y + left.y).inverse()
        } else {
            slope = (right.y - left.y) * (right.x - left.x).inverse()
        }
        let x = slope * slope - left.x - right.x
        return (x, slope * (left.x - x) - left.y)
    }

    static func product(_ scalar: Curve.Order.Number, _ point: Point) -> Point? {
        var result: Point?
        for position in stride(from: Curve.Order.bitCount - 1, through: 0, by: -1) {
            result = sum(result, result)
            if scalar.bits(at: position, count: 1) == 1 { result = sum(result, point) }
        }
        return result
    }
}

/// Numbers that are the same in every run: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func bytes(_ count: Int) -> Bytes { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    /// A number of as many bits as the order has, at most.
    mutating func number<Curve: ShortWeierstrassCurve>(of curve: Curve.Type) -> Curve.Order.Number {
        ECDSA<Curve>.number(leftmostBitsOf: bytes(Curve.Scalar.byteCount))
    }
}
