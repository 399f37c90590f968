import Encodings

/// A curve y² = x³ - 3x + b over a prime field, of prime order (SP 800-186 section 3.2.1).
protocol ShortWeierstrassCurve: Sendable {
    associatedtype Field: PrimeField
    static var b: Field { get }
    /// The base point.
    static var generator: JacobianPoint<Self> { get }
}

/// A point (X/Z², Y/Z³), or infinity when Z is zero.
///
/// Formulas from the Explicit-Formulas Database (EFD); they branch on exceptional cases, so they are for public values
/// only: verification, never signing.
struct JacobianPoint<Curve: ShortWeierstrassCurve>: GroupElement {
    typealias Field = Curve.Field

    let x: Field
    let y: Field
    let z: Field

    static var infinity: Self { Self(x: .one, y: .one, z: .zero) }
    static var neutral: Self { infinity }

    init(x: Field, y: Field, z: Field = .one) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Reads an uncompressed point (SEC 1 section 2.3.4).
    ///
    /// - Returns: `nil` for another length or form, a coordinate not below the prime, or a point not on the curve.
    init?(uncompressed bytes: Bytes) {
        guard bytes.count == 1 + 2 * Field.byteCount, bytes[0] == 4,
            let x = Field(bigEndian: bytes, at: 1), let y = Field(bigEndian: bytes, at: 1 + Field.byteCount),
            y.squared() == (x.squared() - Field.one.doubled() - Field.one) * x + Curve.b
        else { return nil }
        self.init(x: x, y: y)
    }

    var isInfinity: Bool { z.isZero }

    /// The same point on the other side of the x axis.
    @inline(__always)
    func negated() -> Self { Self(x: x, y: y.negated(), z: z) }

    /// Whether the affine x coordinate is `candidate`.
    ///
    /// Without an inversion: x = X/Z², so X is compared with x·Z².
    func hasX(_ candidate: Field) -> Bool { !isInfinity && candidate * z.squared() == x }

    /// The affine coordinates, or `nil` for infinity.
    var affine: (x: Field, y: Field)? {
        guard !isInfinity else { return nil }
        let inverse = z.inverse()
        let square = inverse.squared()
        return (x * square, y * square * inverse)
    }

    /// Twice the point: EFD "dbl-2001-b", 3 products and 5 squares.
    func doubled() -> Self {
        let delta = z.squared()
        let gamma = y.squared()
        let beta = x * gamma
        let third = (x - delta) * (x + delta)
        let alpha = third.doubled() + third
        let fourBeta = beta.doubled().doubled()
        let newX = alpha.squared() - fourBeta.doubled()
        let newZ = (y + z).squared() - gamma - delta
        let eightSquares = gamma.squared().doubled().doubled().doubled()
        return Self(x: newX, y: alpha * (fourBeta - newX) - eightSquares, z: newZ)
    }

    /// The sum of two points: EFD "add-2007-bl", 11 products and 5 squares.
    static func + (left: Self, right: Self) -> Self {
        guard !left.isInfinity else { return right }
        guard !right.isInfinity else { return left }
        let leftSquare = left.z.squared()
        let rightSquare = right.z.squared()
        let u = left.x * rightSquare
        let s = left.y * right.z * rightSquare
        let h = right.x * leftSquare - u
        let halfR = right.y * left.z * leftSquare - s
        guard !h.isZero else { return halfR.isZero ? left.doubled() : .infinity }
        let r = halfR.doubled()
        let i = h.doubled().squared()
        let j = h * i
        let v = u * i
        let newX = r.squared() - j - v.doubled()
        let newY = r * (v - newX) - (s * j).doubled()
        return Self(x: newX, y: newY, z: ((left.z + right.z).squared() - leftSquare - rightSquare) * h)
    }
}
