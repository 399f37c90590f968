internal import Crypto
public import Encodings
internal import Foundation

/// A P-256 private key that agrees on secrets.
///
/// It has no textual description, so that no log can hold it.
public struct EncryptionKey: Sendable {
    private let key: P256.KeyAgreement.PrivateKey
    /// The public half.
    public let publicKey: P256PublicKey

    /// Makes a new key from the system's random source.
    public init() throws(KeyError) {
        try self.init(P256.KeyAgreement.PrivateKey(compactRepresentable: false))
    }

    /// Takes a key back from its sealed form.
    ///
    /// - Parameter rawRepresentation: the secret number, 32 bytes, big-endian.
    public init(rawRepresentation: Bytes) throws(KeyError) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation) else {
            throw .malformed
        }
        try self.init(key)
    }

    private init(_ key: P256.KeyAgreement.PrivateKey) throws(KeyError) {
        guard let publicKey = P256PublicKey(x963: Bytes(key.publicKey.x963Representation)) else { throw .malformed }
        self.key = key
        self.publicKey = publicKey
    }

    /// The secret number, 32 bytes, big-endian: for sealing, and for nothing else.
    public var rawRepresentation: Bytes { Bytes(key.rawRepresentation) }

    /// The x coordinate of the shared point (RFC 7518 section 4.6, Z), 32 bytes.
    ///
    /// Only a key derivation may see it.
    func sharedSecret(with other: P256PublicKey) throws(KeyError) -> Bytes {
        guard let point = try? P256.KeyAgreement.PublicKey(x963Representation: other.x963) else { throw .notOnCurve }
        guard let secret = try? key.sharedSecretFromKeyAgreement(with: point) else { throw .failed }
        return unsafe secret.withUnsafeBytes { unsafe Bytes($0) }
    }
}
