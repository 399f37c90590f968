internal import Crypto
public import Encodings
internal import Foundation
internal import Synchronization

/// The public-key checks of `Core`, answered by swift-crypto.
public struct SwiftCryptoSuite: CryptoSuite {
    /// Keys that were imported lately: an issuer's key checks many documents.
    private static let keys = Mutex<[Bytes: P256.Signing.PublicKey]>([:])
    private static let rememberedKeys = 256

    /// The suite; all of them share the remembered keys.
    public init() {}

    public func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard let key = Self.key(publicKey),
            let parsed = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(parsed, for: message)
    }

    public func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else {
            return false
        }
        return key.isValidSignature(signature, for: message)
    }

    public func sha256(_ bytes: Bytes) -> Bytes {
        unsafe Crypto.SHA256.hash(data: bytes).withUnsafeBytes { unsafe Bytes($0) }
    }

    /// Imports a key, which proves that it is a point of the curve, or remembers that it was imported before.
    private static func key(_ x963: Bytes) -> P256.Signing.PublicKey? {
        if let known = keys.withLock({ $0[x963] }) { return known }
        guard let key = try? P256.Signing.PublicKey(x963Representation: x963) else { return nil }
        keys.withLock { keys in
            if keys.count >= rememberedKeys { keys.removeAll(keepingCapacity: true) }
            keys[x963] = key
        }
        return key
    }
}
