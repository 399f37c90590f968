internal import Crypto
public import Encodings
internal import Foundation

/// The Ed25519 private key of a transparency log.
///
/// It has no textual description, so that no log can hold it.
public struct LogSigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Makes a new key from the system's random source.
    public init() {
        key = Curve25519.Signing.PrivateKey()
    }

    /// Takes a key back.
    ///
    /// - Parameter rawRepresentation: the seed (RFC 8032 section 5.1.5), 32 bytes.
    public init(rawRepresentation: Bytes) throws(KeyError) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation) else {
            throw .malformed
        }
        self.key = key
    }

    /// The public half, 32 bytes.
    public var publicKey: Bytes { Bytes(key.publicKey.rawRepresentation) }

    /// The seed, 32 bytes: for storing, and for nothing else.
    public var rawRepresentation: Bytes { Bytes(key.rawRepresentation) }

    /// Signs a message (RFC 8032 section 5.1.6).
    ///
    /// - Returns: 64 bytes.
    public func sign(_ message: Bytes) throws(KeyError) -> Bytes {
        guard let signature = try? key.signature(for: message) else { throw .failed }
        return Bytes(signature)
    }
}
