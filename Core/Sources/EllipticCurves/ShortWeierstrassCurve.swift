/// A curve y² = x³ + a·x + b over a prime field, of prime order, with a = -3 or a = 0 (SP 800-186 section 2.1.1).
protocol ShortWeierstrassCurve: Sendable {
    associatedtype Field: PrimeField
    /// How many points there are: a prime just below that of the field.
    associatedtype Order: PrimeModulus where Order.Number == Field.Number

    /// Whether a is 0; otherwise it is -3.
    static var aIsZero: Bool { get }
    /// b times the element.
    static func timesB(_ element: Field) -> Field
    /// The base point.
    static var generator: AffinePoint<Self> { get }
    /// Multiples of the base point, made when first used.
    static var generatorMultiples: GeneratorMultiples<Self> { get }
}

extension ShortWeierstrassCurve {
    typealias Scalar = Montgomery<Order>

    /// A coordinate modulo the order.
    static func residue(_ x: Field) -> Scalar { Scalar(reducing: x.number) }

    /// x³ + a·x + b.
    static func right(_ x: Field) -> Field {
        let cube = x.squared() * x
        let linear = aIsZero ? cube : cube - x.doubled() - x
        return linear + timesB(.one)
    }
}

/// A point of the curve other than infinity.
struct AffinePoint<Curve: ShortWeierstrassCurve>: Sendable {
    let x: Curve.Field
    let y: Curve.Field

    @inline(__always)
    init(x: Curve.Field, y: Curve.Field) {
        self.x = x
        self.y = y
    }

    /// Reads an uncompressed point (SEC 1 section 2.3.4).
    ///
    /// The order is prime, so a point of the curve other than infinity has that order, and nothing else is to be checked.
    ///
    /// - Returns: `nil` for another length or form, a coordinate not below the prime, or a point not on the curve.
    init?(uncompressed bytes: [UInt8]) {
        let count = Curve.Field.byteCount
        guard bytes.count == 1 + 2 * count, bytes[0] == 4,
            let x = Curve.Field(bigEndian: bytes, at: 1), let y = Curve.Field(bigEndian: bytes, at: 1 + count),
            y.squared() == Curve.right(x)
        else { return nil }
        self.init(x: x, y: y)
    }

    /// The uncompressed form (SEC 1 section 2.3.3).
    var uncompressed: [UInt8] { [4] + x.bigEndian + y.bigEndian }

    /// The opposite point for a mask of all ones, this for zero.
    @inline(__always)
    func negated(where mask: Mask) -> Self {
        Self(x: x, y: y.replaced(by: y.negated(), where: mask))
    }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self {
        Self(x: x.replaced(by: other.x, where: mask), y: y.replaced(by: other.y, where: mask))
    }
}
