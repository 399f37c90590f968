/// Multiplication with secret scalars: a fixed window of four bits.
///
/// Each step reads the whole table and keeps the entry that it needs by masks: neither jumps nor addresses depend on the
/// scalar, and every scalar of a curve takes the same steps. Sums for points that differ take two thirds of the time of
/// complete ones, so the latter are kept for the one place where a scalar can make points the same. `scripts/check-constant-time` proves it of the machine code.
extension ProjectivePoint {
    /// `scalar` times the point; infinity only if the scalar is 0 or the order.
    ///
    /// Before a digit is added, the sum has been multiplied by 16. Unless it is infinity, it is a multiple of the point by
    /// 16 or more and, at every digit except for the last, by less than half of the order. So it is never a multiple by a
    /// digit, which is at most 8. At the last digit it can be, for the order minus 2 on P-256: there the formulas are complete.
    static func product(_ scalar: Curve.Order.Number, _ point: AffinePoint<Curve>) -> Self {
        let digits = SignedDigits(scalar, bitCount: Curve.Order.bitCount)
        let one = JacobianPoint(point)
        var multiples = InlineArray<8, JacobianPoint<Curve>>(repeating: one)
        multiples[1] = one.doubled()
        for index in 2..<8 { multiples[index] = .distinctSum(multiples[index - 1], one) }
        var result = select(digits.digit(digits.count - 1), of: multiples)
        for position in stride(from: digits.count - 2, to: 0, by: -1) {
            result = .distinctSum(result.sixteenfold, select(digits.digit(position), of: multiples))
        }
        return Self(result.sixteenfold) + Self(select(digits.digit(0), of: multiples))
    }

    /// The multiple by a digit between -8 and 8 of the point whose multiples by 1 to 8 these are.
    @inline(never)
    private static func select(
        _ digit: (magnitude: UInt64, negative: Mask), of multiples: borrowing InlineArray<8, JacobianPoint<Curve>>
    ) -> JacobianPoint<Curve> {
        var result = JacobianPoint<Curve>.infinity
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
        var row = JacobianPoint(Curve.generator)
        var all: [JacobianPoint<Curve>] = []
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

    /// `scalar` times the base point; infinity only if the scalar is 0 or the order.
    ///
    /// The digits below a place make a number that is smaller than any digit there except for 0, and together both are less
    /// than the order. So points that are added differ, except perhaps at the topmost place: there the formulas are complete.
    func product(_ scalar: Curve.Order.Number) -> ProjectivePoint<Curve> {
        let digits = SignedDigits(scalar, bitCount: Curve.Order.bitCount)
        let last = digits.count - 1
        var result = JacobianPoint<Curve>.infinity
        for position in 0..<last {
            let digit = digits.digit(position)
            // No affine point is infinity, so a digit of 0 takes the sum back.
            result = .distinctSum(
                result, select(digit, row: 8 * position), orLeftWhere: Mask(whereZero: digit.magnitude))
        }
        let digit = digits.digit(last)
        let multiple = ProjectivePoint(select(digit, row: 8 * last))
        return ProjectivePoint(result) + multiple.replaced(by: .infinity, where: Mask(whereZero: digit.magnitude))
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
    private static func affine(_ points: [JacobianPoint<Curve>]) -> [AffinePoint<Curve>] {
        var products: [Curve.Field] = []
        var product = Curve.Field.one
        for point in points {
            products.append(product)
            product = product * point.z
        }
        var inverse = product.inverse()
        var result: [AffinePoint<Curve>] = []
        for index in points.indices.reversed() {
            let point = points[index]
            let ownInverse = inverse * products[index]
            inverse = inverse * point.z
            let square = ownInverse.squared()
            result.append(AffinePoint(x: point.x * square, y: point.y * square * ownInverse))
        }
        return result.reversed()
    }
}

extension JacobianPoint {
    /// The point that is 16 times this.
    fileprivate var sixteenfold: Self { doubled().doubled().doubled().doubled() }
}
