public import Encodings

/// A credential's public key (RFC 9052 section 7), held to what WebAuthn Level 3 section 6.5.1 asks of it.
///
/// Registration checks whether a point is on its curve, because a `PasskeyCryptoSuite` is at hand there.
public struct COSEKey: Sendable, Equatable {
    /// The key as it was written: what to store.
    public let cose: Bytes
    /// The only algorithm that it may be used with.
    public let algorithm: COSEAlgorithm
    let publicKey: PublicKey

    /// Reads a key: canonical CBOR, exactly the parameters of its type, its algorithm among them.
    ///
    /// - Throws: `ed448`, `unsupportedAlgorithm`, `malformedKey`, `weakKey` or `malformedCBOR`.
    public init(cose: Bytes) throws(PasskeyError) {
        try self.init(try PasskeyError.cbor(cose), cose: cose)
    }

    /// Takes a key that was read from `cose`.
    init(_ value: CBOR, cose: Bytes) throws(PasskeyError) {
        guard let number = value[label: Label.algorithm]?.integer, let type = value[label: Label.type]?.integer,
            let parameters = value.map
        else { throw .malformedKey }
        let algorithm = try COSEAlgorithm(number)
        self.cose = cose
        self.algorithm = algorithm
        switch algorithm {
        case .es256, .es384, .es512:
            guard type == 2, parameters.count == 5 else { throw .malformedKey }
            publicKey = try Self.elliptic(value, algorithm.curve)
        case .rs256:
            guard type == 3, parameters.count == 4, let modulus = value[label: -1]?.bytes,
                let exponent = value[label: -2]?.bytes
            else { throw .malformedKey }
            publicKey = try PublicKey.rsa(checked: modulus, exponent)
        case .edDSA:
            let curve = value[label: -1]?.integer
            guard curve != Label.ed448Curve else { throw .ed448 }
            guard type == 1, parameters.count == 4, curve == Label.ed25519Curve, let key = value[label: -2]?.bytes,
                key.count == 32
            else { throw .malformedKey }
            publicKey = .edwards(key)
        }
    }

    private static func elliptic(_ value: CBOR, _ curve: COSECurve?) throws(PasskeyError) -> PublicKey {
        guard let curve, value[label: -1]?.integer == curve.rawValue,
            let x = value[label: -2]?.bytes, let y = value[label: -3]?.bytes,
            x.count == curve.size, y.count == curve.size
        else { throw .malformedKey }
        return .elliptic(curve, point: [4] + x + y)
    }

    private enum Label {
        static let type: Int64 = 1
        static let algorithm: Int64 = 3
        static let ed25519Curve: Int64 = 6
        static let ed448Curve: Int64 = 7
    }

    /// Two keys are the same when they were written with the same bytes.
    public static func == (left: COSEKey, right: COSEKey) -> Bool { left.cose == right.cose }

    /// Whether `signature` is by this key, with its own algorithm and no other.
    func isValid<Suite: PasskeyCryptoSuite>(_ signature: Bytes, over message: Bytes, suite: Suite) -> Bool {
        publicKey.isValid(signature, over: message, scheme: algorithm.scheme, suite: suite)
    }
}
