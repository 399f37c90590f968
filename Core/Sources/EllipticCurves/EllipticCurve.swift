public import Encodings

/// The curves that we sign and agree on keys with.
///
/// A module of the pages that needs P-256 alone is built with `ONLY_P256`. The other curves do not exist there: their
/// keys are of an unsupported curve, and the module is half as long.
public enum EllipticCurve: Sendable, Hashable, CaseIterable {
    #if !ONLY_P256
        /// P-192 (secp192r1): only for old peers, with a strength of 96 bits.
        case p192
    #endif
    /// P-256 (secp256r1).
    case p256
    #if !ONLY_P256
        /// P-384 (secp384r1).
        case p384
        /// P-521 (secp521r1).
        case p521
        /// secp192k1: only for old peers, with a strength of 96 bits.
        case secp192k1
    #endif

    /// The name in RFC 5480 section 2.1.1.1; for secp192k1 the one in SEC 2.
    public var name: StaticString {
        switch self {
        case .p256: "secp256r1"
        #if !ONLY_P256
            case .p192: "secp192r1"
            case .p384: "secp384r1"
            case .p521: "secp521r1"
            case .secp192k1: "secp192k1"
        #endif
        }
    }

    /// The content octets of the curve's object identifier (RFC 5480 section 2.1.1.1; SEC 2 appendix A.2).
    public var objectIdentifier: Bytes {
        switch self {
        case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]
        #if !ONLY_P256
            case .p192: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 1]
            case .p384: [0x2B, 0x81, 4, 0, 0x22]
            case .p521: [0x2B, 0x81, 4, 0, 0x23]
            case .secp192k1: [0x2B, 0x81, 4, 0, 0x1F]
        #endif
        }
    }

    /// How many bytes a coordinate, a private key, r, s and a shared secret have: 24, 32, 48 or 66.
    public var byteCount: Int { (bitCount + 7) / 8 }

    /// How many bits the prime and the order have: 192, 256, 384 or 521.
    public var bitCount: Int {
        switch self {
        case .p256: 256
        #if !ONLY_P256
            case .p192, .secp192k1: 192
            case .p384: 384
            case .p521: 521
        #endif
        }
    }
}

/// Something that is done on whichever curve a key is of.
protocol CurveOperation {
    associatedtype Answer
    func run<Curve: ShortWeierstrassCurve>(on curve: Curve.Type) -> Answer
}

extension EllipticCurve {
    /// The one place where a value becomes a type: each operation is compiled for each curve.
    func run<Operation: CurveOperation>(_ operation: Operation) -> Operation.Answer {
        switch self {
        case .p256: operation.run(on: P256.Curve.self)
        #if !ONLY_P256
            case .p192: operation.run(on: P192.self)
            case .p384: operation.run(on: P384.self)
            case .p521: operation.run(on: P521.self)
            case .secp192k1: operation.run(on: Secp192k1.self)
        #endif
        }
    }
}

/// Why a key, or what was to be done with it, is refused.
public enum EllipticCurveError: Error, Equatable, Sendable {
    /// The bytes are not a key in the one form that we read.
    case malformedKey
    /// The key is of a curve or of an algorithm that we do not have, or names its parameters one by one.
    case unsupportedCurve
    /// The coordinates are not a point of the curve, or the point is at infinity or compressed.
    case notOnCurve
    /// A private key is not between 1 and the order minus 1, or has another length.
    case scalarOutOfRange
    /// The two keys are of different curves.
    case differentCurves
    /// The source of randomness gave another number of bytes than asked for, or nothing usable many times.
    case badRandomness
}
