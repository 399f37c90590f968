/// Multiplication with secret scalars: a fixed window of four bits.
///
/// Each step reads the whole table and keeps the entry that it needs by masks: neither jumps nor addresses depend on the
/// scalar, and every scalar of a curve takes the same steps. `scripts/check-constant-time` proves it of the machine code.
extension ProjectivePoint {
    /// `scalar` times the point; infinity only if the scalar is 0.
    static func product(_ scalar: Curve.Order.Number, _ point: AffinePoint<Curve>) -> Self {
        let digits = SignedDigits(scalar, bitCount: Curve.Order.bitCount)
        var multiples = InlineArray<8, Self>(repeating: Self(point))
        for index in 1..<8 { multiples[index] = multiples[index - 1] + point }
        var result = select(digits.digit(digits.count - 1), of: multiples)
        for position in stride(from: digits.count - 2, through: 0, by: -1) {
            result = result.sixteenfold + select(digits.digit(position), of: multiples)
        }
        return result
    }

    /// The multiple by a digit between -8 and 8 of the point whose multiples by 1 to 8 these are.
    @inline(never)
    private static func select(
        _ digit: (magnitude: UInt64, negative: Mask), of multiples: borrowing InlineArray<8, Self>
    ) -> Self {
        var result = Self.infinity
        for index in 0..<8 {
            let mask = Mask(whereZero: digit.magnitude ^ UInt64(index + 1))
            result = result.replaced(by: multiples[index], where: mask)
        }
        return result.negated(where: digit.negative)
    }
}

/// The multiples of a base point by d·16^i for d from 1 to 8 and every place i of a digit.
///
/// With them a multiplication has no doublings. They are public, and made in public time.
struct GeneratorMultiples<Curve: ShortWeierstrassCurve>: Sendable {
    private let points: [AffinePoint<Curve>]

    init() {
        var row = ProjectivePoint(Curve.generator)
        var all: [ProjectivePoint<Curve>] = []
        for _ in 0..<SignedDigits<Curve.Order.Number>.count(bitCount: Curve.Order.bitCount) {
            var multiple = row
            for _ in 0..<8 {
                all.append(multiple)
                multiple = multiple + row
            }
            row = row.sixteenfold
        }
        points = Self.affine(all)
    }

    /// `scalar` times the base point; infinity only if the scalar is 0.
    func product(_ scalar: Curve.Order.Number) -> ProjectivePoint<Curve> {
        let digits = SignedDigits(scalar, bitCount: Curve.Order.bitCount)
        var result = ProjectivePoint<Curve>.infinity
        for position in 0..<digits.count {
            let digit = digits.digit(position)
            let sum = result + select(digit, row: 8 * position)
            // No affine point is infinity, so a digit of 0 takes the sum back.
            result = sum.replaced(by: result, where: Mask(whereZero: digit.magnitude))
        }
        return result
    }

    @inline(never)
    private func select(_ digit: (magnitude: UInt64, negative: Mask), row: Int) -> AffinePoint<Curve> {
        var result = points[row]
        for index in 1..<8 {
            let mask = Mask(whereZero: digit.magnitude ^ UInt64(index + 1))
            result = result.replaced(by: points[row + index], where: mask)
        }
        return result.negated(where: digit.negative)
    }

    /// All of them with one inversion (Montgomery's trick).
    private static func affine(_ points: [ProjectivePoint<Curve>]) -> [AffinePoint<Curve>] {
        var products: [Curve.Field] = []
        var product = Curve.Field.one
        for point in points {
            products.append(product)
            product = product * point.z
        }
        var inverse = product.inverse()
        var result: [AffinePoint<Curve>] = []
        for index in points.indices.reversed() {
            let ownInverse = inverse * products[index]
            inverse = inverse * points[index].z
            result.append(AffinePoint(x: points[index].x * ownInverse, y: points[index].y * ownInverse))
        }
        return result.reversed()
    }
}
