import Encodings
import Passkeys

/// Accepts every signature, so that a fuzzer reaches the code behind signatures.
///
/// With real hashes inputs that were made properly pass whole. Toy hashes have only four values, so with them a fuzzer
/// also finds the way past comparisons of digests.
struct LenientSuite: PasskeyCryptoSuite {
    private let hasRealHashes: Bool

    /// The RP ID, whose hash is in recorded answers of authenticators.
    static let relyingParty = Bytes(text: "example.org")

    static let real = LenientSuite(hasRealHashes: true)
    static let toy = LenientSuite(hasRealHashes: false)
    static let both = [real, toy]

    func sha256(_ bytes: Bytes) -> Bytes {
        guard hasRealHashes || bytes == Self.relyingParty else { return toy(bytes, 32) }
        return SHA256.hash(bytes)
    }

    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes {
        switch algorithm {
        case .sha256: sha256(bytes)
        case .sha384: toy(bytes, 48)
        case .sha512: hasRealHashes ? SHA512.hash(bytes) : toy(bytes, 64)
        }
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { true }
    func isOnCurve(_ publicKey: Bytes, _ curve: COSECurve) -> Bool { true }

    func isValidECDSA(
        _ signature: Bytes, over message: Bytes, publicKey: Bytes, curve: COSECurve, digest: DigestAlgorithm
    ) -> Bool { true }

    func isValidRSA(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes, digest: DigestAlgorithm
    ) -> Bool { true }

    private func toy(_ bytes: Bytes, _ count: Int) -> Bytes {
        Bytes(repeating: bytes.reduce(0) { $0 &+ $1 } & 3, count: count)
    }
}

/// Refuses every signature: anything that passes with it needed none.
struct RefusingSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
