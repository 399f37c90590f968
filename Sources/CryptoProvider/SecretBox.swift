internal import Crypto
public import Encodings
internal import Foundation

/// Why a box is not sealed or opened.
public enum SecretBoxError: Error, Equatable, Sendable {
    /// The key is not 32 bytes.
    case badKey
    /// Too short to be a box.
    case malformed
    /// Changed, sealed under another key, or sealed for another purpose.
    case notAuthentic
}

/// AES-256-GCM (NIST SP 800-38D) for secrets at rest: nonce of 12 bytes, ciphertext, tag of 16 bytes.
///
/// The nonce is random; one key may seal 2^32 times.
public struct SecretBox: Sendable {
    private let key: SymmetricKey

    /// A box under a key of 32 bytes.
    public init(key: Bytes) throws(SecretBoxError) {
        guard key.count == 32 else { throw .badKey }
        self.key = SymmetricKey(data: key)
    }

    /// Seals a secret.
    ///
    /// - Parameter purpose: what the secret is for and whose it is; opening asks for the same. A box that is moved to
    ///   another place does not open there.
    public func seal(_ plaintext: Bytes, purpose: String) throws(SecretBoxError) -> Bytes {
        guard let box = try? AES.GCM.seal(plaintext, using: key, authenticating: Self.context(purpose)),
            let combined = box.combined
        else { throw .notAuthentic }
        return Bytes(combined)
    }

    /// Opens what `seal` made for the same purpose.
    public func open(_ sealed: Bytes, purpose: String) throws(SecretBoxError) -> Bytes {
        guard sealed.count >= 28, let box = try? AES.GCM.SealedBox(combined: sealed) else { throw .malformed }
        guard let plaintext = try? AES.GCM.open(box, using: key, authenticating: Self.context(purpose)) else {
            throw .notAuthentic
        }
        return Bytes(plaintext)
    }

    private static func context(_ purpose: String) -> Bytes {
        Bytes(text: "countersign secret box v1\n") + Bytes(text: purpose)
    }
}
