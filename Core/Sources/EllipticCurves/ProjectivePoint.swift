/// A point (X/Z, Y/Z), or infinity (0 : Y : 0): for the one addition that secrets may make exceptional.
///
/// The formulas for adding are complete (Renes, Costello, Batina: "Complete addition formulas for prime order elliptic
/// curves", EUROCRYPT 2016): the same steps hold for all pairs of points, infinity and equal ones included. So nothing
/// here branches, and no exceptional case tells of a scalar.
struct ProjectivePoint<Curve: ShortWeierstrassCurve>: Sendable {
    typealias Field = Curve.Field

    let x: Field
    let y: Field
    let z: Field

    @inline(__always)
    static var infinity: Self { Self(x: .zero, y: .one, z: .zero) }

    @inline(__always)
    init(x: Field, y: Field, z: Field) {
        self.x = x
        self.y = y
        self.z = z
    }

    @inline(__always)
    init(_ point: AffinePoint<Curve>) {
        self.init(x: point.x, y: point.y, z: .one)
    }

    /// X/Z² becomes X·Z/Z³, and Y/Z³ stays; infinity has Z = 0 here as there.
    init(_ point: JacobianPoint<Curve>) {
        self.init(x: point.x * point.z, y: point.y, z: point.z.squared() * point.z)
    }

    @inline(__always)
    func replaced(by other: Self, where mask: Mask) -> Self {
        Self(
            x: x.replaced(by: other.x, where: mask), y: y.replaced(by: other.y, where: mask),
            z: z.replaced(by: other.z, where: mask))
    }

    /// Algorithms 4 and 7 of the paper.
    @inline(never)
    static func + (left: Self, right: Self) -> Self {
        let xx = left.x * right.x
        let yy = left.y * right.y
        let zz = left.z * right.z
        let xy = (left.x + left.y) * (right.x + right.y) - (xx + yy)
        let yz = (left.y + left.z) * (right.y + right.z) - (yy + zz)
        let xz = (left.x + left.z) * (right.x + right.z) - (xx + zz)
        return completed(xx: xx, yy: yy, zz: zz, xy: xy, yz: yz, xz: xz)
    }

    /// The sum from the products of the coordinates, where xy is X1·Y2 + X2·Y1, and so on.
    @inline(__always)
    private static func completed(xx: Field, yy: Field, zz: Field, xy: Field, yz: Field, xz: Field) -> Self {
        Curve.aIsZero
            ? completedForZero(xx: xx, yy: yy, zz: zz, xy: xy, yz: yz, xz: xz)
            : completedForMinusThree(xx: xx, yy: yy, zz: zz, xy: xy, yz: yz, xz: xz)
    }

    @inline(__always)
    private static func completedForMinusThree(
        xx: Field, yy: Field, zz: Field, xy: Field, yz: Field, xz: Field
    ) -> Self {
        let threeZZ = zz.doubled() + zz
        let u = xx.doubled() + xx - threeZZ
        let w = xz - Curve.timesB(zz)
        let threeW = w.doubled() + w
        let above = yy + threeW
        let below = yy - threeW
        let v = Curve.timesB(xz) - threeZZ - xx
        let threeV = v.doubled() + v
        return Self(
            x: xy * above - yz * threeV, y: above * below + u * threeV, z: yz * below + xy * u)
    }

    @inline(__always)
    private static func completedForZero(
        xx: Field, yy: Field, zz: Field, xy: Field, yz: Field, xz: Field
    ) -> Self {
        let bZZ = Curve.timesB(zz)
        let bXZ = Curve.timesB(xz)
        let threeBZZ = bZZ.doubled() + bZZ
        let threeBXZ = bXZ.doubled() + bXZ
        let above = yy + threeBZZ
        let below = yy - threeBZZ
        let threeXX = xx.doubled() + xx
        return Self(
            x: xy * below - yz * threeBXZ, y: above * below + threeXX * threeBXZ, z: yz * above + threeXX * xy)
    }

    /// The affine point.
    ///
    /// Only infinity has none, and nobody calls this with it: for it both coordinates are zero.
    var affine: AffinePoint<Curve> {
        let inverse = z.inverse()
        return AffinePoint(x: x * inverse, y: y * inverse)
    }
}
