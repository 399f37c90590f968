/// A signature algorithm with its number in the COSE registry (RFC 9053, RFC 8812).
public enum COSEAlgorithm: Int64, Sendable, Equatable {
    /// ECDSA with P-256 and SHA-256.
    case es256 = -7
    /// EdDSA with Ed25519.
    case edDSA = -8
    /// ECDSA with P-384 and SHA-384.
    case es384 = -35
    /// ECDSA with P-521 and SHA-512.
    case es512 = -36
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = -257

    /// All that we support, the most usual first.
    public static let all: [COSEAlgorithm] = [.es256, .edDSA, .es384, .es512, .rs256]

    /// Ed448 under its own number (RFC 9864); with EdDSA's number the curve tells.
    static let ed448: Int64 = -53

    init(_ number: Int64) throws(PasskeyError) {
        guard number != Self.ed448 else { throw .ed448 }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .unsupportedAlgorithm(number) }
        self = algorithm
    }

    /// How its signatures are checked.
    var scheme: SignatureScheme {
        switch self {
        case .es256: .ecdsa(.sha256)
        case .es384: .ecdsa(.sha384)
        case .es512: .ecdsa(.sha512)
        case .rs256: .rsa(.sha256)
        case .edDSA: .ed25519
        }
    }

    /// Its hash function, or `nil` for EdDSA, which hashes by itself.
    var digest: DigestAlgorithm? {
        switch scheme {
        case .ecdsa(let digest), .rsa(let digest): digest
        case .ed25519: nil
        }
    }

    /// The curve that WebAuthn Level 3 section 5.8.5 ties to it, or `nil` when it has none of ours.
    var curve: COSECurve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .rs256, .edDSA: nil
        }
    }
}
