/// A point (X/Z², Y/Z³), or infinity when Z is zero.
///
/// Formulas from the Explicit-Formulas Database (EFD). Doubling has no exceptions: no point of a curve of odd order has
/// order two. The sums for secrets, `distinctSum`, hold for points that differ. `+` branches on exceptional cases, so it is
/// for public values only: verification, never signing.
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

    /// For a = -3: EFD "dbl-2001-b".
    ///
    /// Z is a product here instead of a square, which would take more additions.
    @inline(never)
    private func doubledForMinusThree() -> Self {
        let delta = z.squared()
        let gamma = y.squared()
        let beta = x * gamma
        let third = (x - delta) * (x + delta)
        let alpha = third.doubled() + third
        let fourBeta = beta.doubled().doubled()
        let newX = alpha.squared() - fourBeta.doubled()
        let eightSquares = gamma.squared().doubled().doubled().doubled()
        return Self(x: newX, y: alpha * (fourBeta - newX) - eightSquares, z: (y * z).doubled())
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

    /// The sum of two points; for public values.
    static func + (left: Self, right: Self) -> Self {
        guard !left.isInfinity else { return right }
        guard !right.isInfinity else { return left }
        let sum = plainSum(left, right)
        guard sum.isInfinity else { return sum }
        // The same x. Then the new X is the square of the difference of y.
        return sum.x.isZero ? left.doubled() : .infinity
    }

    /// The sum of two points that are neither the same nor opposite; both may be infinity.
    ///
    /// Nothing here branches: for secrets.
    @inline(never)
    static func distinctSum(_ left: Self, _ right: Self) -> Self {
        let sum = plainSum(left, right)
        return sum.replaced(by: left, where: right.z.zeroMask).replaced(by: right, where: left.z.zeroMask)
    }

    /// The sum of two points that are neither the same nor opposite, or the left one where the mask has all ones.
    ///
    /// Nothing here branches: for secrets. EFD "madd-2004-hmv", 8 products and 3 squares.
    @inline(never)
    static func distinctSum(_ left: Self, _ right: AffinePoint<Curve>, orLeftWhere mask: Mask) -> Self {
        let square = left.z.squared()
        let h = right.x * square - left.x
        let r = right.y * (left.z * square) - left.y
        let sum = Self(u: left.x, s: left.y, h: h, r: r, z: left.z * h)
        return sum.replaced(by: Self(right), where: left.z.zeroMask).replaced(by: left, where: mask)
    }

    /// The sum of two points neither of which is infinity; with Z = 0 if they are the same or opposite.
    ///
    /// EFD "add-1998-cmo-2", 12 products and 4 squares. Others have one product less, and more additions.
    @inline(never)
    private static func plainSum(_ left: Self, _ right: Self) -> Self {
        let leftSquare = left.z.squared()
        let rightSquare = right.z.squared()
        let u = left.x * rightSquare
        let s = left.y * (right.z * rightSquare)
        let h = right.x * leftSquare - u
        let r = right.y * (left.z * leftSquare) - s
        return Self(u: u, s: s, h: h, r: r, z: left.z * right.z * h)
    }

    /// The end of both sums: u and s are the left X and Y over the same Z as the right ones, h and r their differences.
    @inline(__always)
    private init(u: Field, s: Field, h: Field, r: Field, z: Field) {
        let square = h.squared()
        let cube = square * h
        let v = u * square
        let x = r.squared() - cube - v.doubled()
        self.init(x: x, y: r * (v - x) - s * cube, z: z)
    }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self {
        Self(
            x: x.replaced(by: other.x, where: mask), y: y.replaced(by: other.y, where: mask),
            z: z.replaced(by: other.z, where: mask))
    }

    /// The opposite point for a mask of all ones, this for zero.
    @inline(__always)
    func negated(where mask: Mask) -> Self {
        Self(x: x, y: y.replaced(by: y.negated(), where: mask), z: z)
    }
}
