public import Encodings

/// A public key on one of our curves: a point that was checked when the key was made.
public struct ECPublicKey: Sendable, Equatable {
    /// The curve.
    public let curve: EllipticCurve
    /// The uncompressed point: 4, x, y (SEC 1 section 2.3.3).
    public let x963: Bytes

    /// A point that we computed.
    init(checked x963: Bytes, on curve: EllipticCurve) {
        self.curve = curve
        self.x963 = x963
    }

    /// Takes an uncompressed point (SEC 1 section 2.3.4).
    ///
    /// - Throws: `malformedKey` for another length, `notOnCurve` for another form of point, a coordinate that is not below
    ///   the prime, or a point that is not on the curve.
    public init(_ curve: EllipticCurve, x963: Bytes) throws(EllipticCurveError) {
        guard x963.count == 1 + 2 * curve.byteCount else { throw .malformedKey }
        guard curve.run(PointCheck(x963: x963)) else { throw .notOnCurve }
        self.init(checked: x963, on: curve)
    }

    /// Reads a SubjectPublicKeyInfo (RFC 5480 section 2): DER, a named curve, an uncompressed point, and nothing after.
    ///
    /// There is one such spelling of each key, so what was read is what `spki` writes.
    ///
    /// - Throws: `malformedKey` for bytes that are not of this form, `unsupportedCurve` for another algorithm or curve, or
    ///   for explicit parameters, `notOnCurve` for a point that is none.
    public init(spki: Bytes) throws(EllipticCurveError) {
        let parts = try Self.parts(spki)
        guard parts.algorithm == Self.algorithm,
            let curve = EllipticCurve.allCases.first(where: { $0.objectIdentifier == parts.curve })
        else { throw .unsupportedCurve }
        // A compressed point is shorter: it is told from a key that is cut off.
        if let form = parts.point.first, form == 2 || form == 3 || form == 0 { throw .notOnCurve }
        try self.init(curve, x963: parts.point)
    }

    /// The key as a SubjectPublicKeyInfo (RFC 5480 section 2).
    public var spki: Bytes {
        DERWriter.sequence(
            DERWriter.sequence(
                DERWriter.objectIdentifier(Self.algorithm) + DERWriter.objectIdentifier(curve.objectIdentifier))
                + DERWriter.bitString(x963))
    }

    /// Whether `signature` is valid over the message (FIPS 186-5 section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: a DER SEQUENCE of r and s (RFC 3279 section 2.2.3); (r, s) and (r, n - s) are both valid.
    ///   - message: what was signed, not hashed.
    /// - Returns: `false` for anything malformed too.
    public func isValidSignature(_ signature: Bytes, over message: Bytes, with digest: MessageDigest) -> Bool {
        guard let raw = try? ECDSASignature.raw(fromDER: signature, size: curve.byteCount) else { return false }
        return isValidRawSignature(raw, digest: digest.hash(message))
    }

    /// Whether `signature` is valid over a message with this digest (FIPS 186-5 section 6.4.2).
    ///
    /// - Parameters:
    ///   - signature: r and s, each as long as the order, big-endian.
    ///   - digest: 32 to 64 bytes; the leftmost bits count, as many as the order has.
    /// - Returns: `false` for anything malformed too.
    public func isValidRawSignature(_ signature: Bytes, digest: Bytes) -> Bool {
        guard MessageDigest.lengths.contains(digest.count) else { return false }
        return curve.run(SignatureCheck(x963: x963, signature: signature, digest: digest))
    }

    /// id-ecPublicKey, 1.2.840.10045.2.1.
    private static let algorithm: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]

    private static func parts(
        _ spki: Bytes
    ) throws(EllipticCurveError) -> (algorithm: Bytes, curve: Bytes, point: Bytes) {
        do {
            var outer = DERReader(spki)
            var fields = try outer.sequence()
            try outer.finish()
            var identifiers = try fields.sequence()
            let algorithm = try identifiers.objectIdentifier()
            let curve = identifiers.nextTag == DERTag.sequence ? [] : try identifiers.objectIdentifier()
            if !curve.isEmpty { try identifiers.finish() }
            let point = try fields.wholeBitString()
            try fields.finish()
            return (algorithm, curve, point)
        } catch {
            throw .malformedKey
        }
    }
}

private struct PointCheck: CurveOperation {
    let x963: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bool {
        AffinePoint<Curve>(uncompressed: x963) != nil
    }
}

private struct SignatureCheck: CurveOperation {
    let x963: Bytes
    let signature: Bytes
    let digest: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bool {
        guard let point = AffinePoint<Curve>(uncompressed: x963) else { return false }
        return ECDSA<Curve>.isValid(signature, digest: digest, point: point)
    }
}
