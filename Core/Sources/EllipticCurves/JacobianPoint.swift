/// A point (X/Z², Y/Z³), or infinity when Z is zero.
///
/// Formulas from the Explicit-Formulas Database (EFD). Doubling has no exceptions: no point of a curve of odd order has
/// order two. Adding branches on exceptional cases, so it is for public values only: verification, never signing.
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

    init(_ point: AffinePoint<Curve>) {
        self.init(x: point.x, y: point.y)
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

    /// Twice the point.
    @inline(__always)
    func doubled() -> Self { Curve.aIsZero ? doubledForZero() : doubledForMinusThree() }

    /// For a = -3: EFD "dbl-2001-b", 3 products and 5 squares.
    @inline(never)
    private func doubledForMinusThree() -> Self {
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

    /// For a = 0: EFD "dbl-2009-l", 2 products and 5 squares.
    @inline(never)
    private func doubledForZero() -> Self {
        let a = x.squared()
        let b = y.squared()
        let c = b.squared()
        let d = ((x + b).squared() - a - c).doubled()
        let e = a.doubled() + a
        let newX = e.squared() - d.doubled()
        let eightC = c.doubled().doubled().doubled()
        return Self(x: newX, y: e * (d - newX) - eightC, z: (y * z).doubled())
    }

    /// The sum of two points: EFD "add-2007-bl", 11 products and 5 squares.
    @inline(never)
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
