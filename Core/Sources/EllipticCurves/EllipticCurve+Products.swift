import Encodings

// What keys need of the curve of a value: compiled for each curve here, so that nobody else has to be generic.
extension EllipticCurve {
    /// The public point of a private key; `nil` unless the number is between 1 and the order minus 1.
    func publicPoint(of scalar: Bytes) -> Bytes? { run(PublicPoint(scalar: scalar)) }

    /// The product of a private key and an uncompressed point, as an uncompressed point; `nil` if the point is none.
    ///
    /// Points are checked when a public key is made. They are checked again here, because nothing would be worse than to
    /// skip it.
    func product(_ scalar: Bytes, _ x963: Bytes) -> Bytes? { run(Product(scalar: scalar, x963: x963)) }

    /// The same in variable time, with another multiple added: `a` times the base point and `b` times the point.
    ///
    /// For public numbers. `nil` for infinity too.
    func publicSum(_ a: Bytes, _ b: Bytes, _ x963: Bytes) -> Bytes? { run(PublicSum(a: a, b: b, x963: x963)) }
}

private struct PublicPoint: CurveOperation {
    let scalar: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bytes? {
        let number = Curve.Order.Number(bigEndian: scalar, byteCount: scalar.count)
        guard number.isKey(of: Curve.Order.self) else { return nil }
        return Curve.generatorMultiples.product(number).affine.uncompressed
    }
}

private struct Product: CurveOperation {
    let scalar: Bytes
    let x963: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bytes? {
        guard let point = AffinePoint<Curve>(uncompressed: x963) else { return nil }
        let number = Curve.Order.Number(bigEndian: scalar, byteCount: scalar.count)
        return ProjectivePoint<Curve>.product(number, point).affine.uncompressed
    }
}

private struct PublicSum: CurveOperation {
    let a: Bytes
    let b: Bytes
    let x963: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bytes? {
        guard let point = AffinePoint<Curve>(uncompressed: x963) else { return nil }
        let sum = JacobianPoint<Curve>.sum(
            Curve.Order.Number(bigEndian: a, byteCount: a.count), JacobianPoint(Curve.generator),
            Curve.Order.Number(bigEndian: b, byteCount: b.count), JacobianPoint(point))
        return sum.affine.map { [4] + $0.x.bigEndian + $0.y.bigEndian }
    }
}
