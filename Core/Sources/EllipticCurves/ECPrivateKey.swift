public import Encodings

/// A private key on one of our curves: for agreeing on secrets and for signing.
///
/// What is computed from it takes the same steps and touches the same memory for every key of the curve. The key is wiped
/// from memory when the last copy of this value is gone.
public struct ECPrivateKey: Sendable {
    /// The public key that belongs to it.
    public let publicKey: ECPublicKey
    private let secret: SecretBytes

    /// The curve.
    public var curve: EllipticCurve { publicKey.curve }

    /// Takes a private key that was made earlier.
    ///
    /// - Parameter scalar: a number between 1 and the order minus 1, as long as the order, big-endian. It is copied; the
    ///   caller wipes its own.
    /// - Throws: `scalarOutOfRange` for another length or number.
    public init(_ curve: EllipticCurve, scalar: Bytes) throws(EllipticCurveError) {
        guard scalar.count == curve.byteCount, let x963 = curve.publicPoint(of: scalar) else {
            throw .scalarOutOfRange
        }
        publicKey = ECPublicKey(checked: x963, on: curve)
        secret = SecretBytes(scalar)
    }

    /// Takes a private key that was made earlier, where a library computes the public one.
    ///
    /// - Parameters:
    ///   - scalar: as above.
    ///   - publicPoint: the uncompressed point of a scalar, or `nil` for a number that is out of range.
    /// - Throws: `scalarOutOfRange`; `malformedKey` and `notOnCurve` if the library gives no point of the curve.
    public init(
        _ curve: EllipticCurve, scalar: Bytes, publicPoint: (Bytes) -> Bytes?
    ) throws(EllipticCurveError) {
        guard scalar.count == curve.byteCount, let x963 = publicPoint(scalar) else { throw .scalarOutOfRange }
        publicKey = try ECPublicKey(curve, x963: x963)
        secret = SecretBytes(scalar)
    }

    /// Makes a new key (FIPS 186-5 appendix A.2.2, by rejection of numbers out of range).
    ///
    /// - Parameters:
    ///   - randomBytes: gives as many bytes as it is asked for, from a source fit for keys.
    ///   - publicPoint: where a library computes the public key; see `init`.
    /// - Throws: `badRandomness` if the source gives another number of bytes, or a number out of range 64 times.
    public static func generate(
        on curve: EllipticCurve, randomBytes: (_ count: Int) -> Bytes, publicPoint: ((Bytes) -> Bytes?)? = nil
    ) throws(EllipticCurveError) -> Self {
        for _ in 0..<64 {
            var scalar = randomBytes(curve.byteCount)
            guard scalar.count == curve.byteCount else { throw .badRandomness }
            scalar[0] &= 0xFF >> UInt8(8 * curve.byteCount - curve.bitCount)
            defer { scalar.wipe() }
            let made = publicPoint.map { try? Self(curve, scalar: scalar, publicPoint: $0) }
            if let key = made ?? (try? Self(curve, scalar: scalar)) { return key }
        }
        throw .badRandomness
    }

    /// The private key as a number as long as the order, big-endian: for keeping it under a passphrase or in a backup.
    public var secretScalar: Bytes { secret.bytes }

    /// The x coordinate of the product with the peer's point, big-endian and as long as the prime (ECC CDH of SP 800-56A
    /// revision 3 section 5.7.1.2; all cofactors are 1).
    ///
    /// It is no key yet: derive keys from it.
    ///
    /// - Throws: `differentCurves`.
    public func sharedSecret(with peer: ECPublicKey) throws(EllipticCurveError) -> Bytes {
        guard peer.curve == curve else { throw .differentCurves }
        var scalar = secret.bytes
        defer { scalar.wipe() }
        guard var point = curve.product(scalar, peer.x963) else { throw .notOnCurve }
        defer { point.wipe() }
        return Array(point[1...curve.byteCount])
    }

    /// A signature over the message as a DER SEQUENCE of r and s (FIPS 186-5 section 6.4.1; RFC 3279 section 2.2.3).
    ///
    /// - Parameters:
    ///   - message: what is signed, not hashed.
    ///   - digest: the hash function, for the message and for the nonce.
    ///   - additionalRandomness: goes into the nonce too; without it the signature is RFC 6979's own, the same each time.
    public func signature(
        over message: Bytes, with digest: MessageDigest, additionalRandomness: Bytes = []
    ) -> Bytes {
        let raw = rawSignature(over: message, with: digest, additionalRandomness: additionalRandomness)
        let r = DERWriter.unsignedInteger(Array(raw[0..<curve.byteCount]))
        let s = DERWriter.unsignedInteger(Array(raw[curve.byteCount...]))
        return DERWriter.sequence(r + s)
    }

    /// A signature over the message as r and s, each as long as the order (RFC 7518 section 3.4); the rest as above.
    public func rawSignature(
        over message: Bytes, with digest: MessageDigest, additionalRandomness: Bytes = []
    ) -> Bytes {
        var scalar = secret.bytes
        defer { scalar.wipe() }
        return curve.run(
            Signing(scalar: scalar, message: message, digest: digest, additional: additionalRandomness))
    }
}

private struct Signing: CurveOperation {
    let scalar: Bytes
    let message: Bytes
    let digest: MessageDigest
    let additional: Bytes

    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Bytes {
        let hash = digest.hash(message)
        let key = Curve.Scalar(reducing: Curve.Order.Number(bigEndian: scalar, byteCount: scalar.count))
        var nonces = DeterministicNonces<Curve>(secret: scalar, hash: hash, additional: additional, digest: digest)
        defer { nonces.wipe() }
        while true {
            if let signature = ECDSA<Curve>.signature(digest: hash, key: key, nonce: nonces.next()) { return signature }
        }
    }
}
