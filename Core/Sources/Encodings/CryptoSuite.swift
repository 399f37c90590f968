/// The public-key checks that `Core` asks of its surroundings.
///
/// On server and command line swift-crypto answers; in the page our own curves do. Only checks that need no secret are
/// here: signing and opening are done outside `Core`, where the keys are.
public protocol CryptoSuite: Sendable {
    /// Whether `signature` is a valid ECDSA signature with P-256 and SHA-256 (FIPS 186-5 section 6).
    ///
    /// - Parameters:
    ///   - signature: r and s, 32 bytes each, big-endian, as in JOSE (RFC 7518 section 3.4).
    ///   - message: what was signed, not hashed.
    ///   - publicKey: the uncompressed point, 65 bytes beginning with 4 (SEC 1 section 2.3.3).
    /// - Returns: `false` for anything malformed too.
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool

    /// Whether `signature` is a valid Ed25519 signature (RFC 8032 section 5.1.7).
    ///
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - message: what was signed.
    ///   - publicKey: 32 bytes.
    /// - Returns: `false` for anything malformed too.
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool

    /// SHA-256 of `bytes`, 32 bytes.
    func sha256(_ bytes: Bytes) -> Bytes
}

extension CryptoSuite {
    /// `Core`'s own SHA-256; a suite with a faster one overrides it.
    public func sha256(_ bytes: Bytes) -> Bytes { SHA256.hash(bytes) }
}
