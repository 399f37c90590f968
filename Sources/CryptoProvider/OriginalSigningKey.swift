internal import Crypto
public import Encodings
internal import Foundation

/// A P-256 private key that signs as the original's app does: ECDSA with SHA-384.
///
/// A type of its own, so that no key signs in both versions by accident.
public struct OriginalSigningKey: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The public half.
    public let publicKey: P256PublicKey

    /// Takes a key back from its sealed form.
    ///
    /// - Parameter rawRepresentation: the secret number, 32 bytes, big-endian.
    public init(rawRepresentation: Bytes) throws(KeyError) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation),
            let publicKey = P256PublicKey(x963: Bytes(key.publicKey.x963Representation))
        else { throw .malformed }
        (self.key, self.publicKey) = (key, publicKey)
    }

    /// Signs a message.
    ///
    /// - Returns: r and s, 32 bytes each.
    public func sign(_ message: Bytes) throws(KeyError) -> Bytes {
        guard let signature = try? key.signature(for: SHA384.hash(data: message)) else { throw .failed }
        return Bytes(signature.rawRepresentation)
    }
}
