internal import Crypto
public import Encodings
internal import Foundation

/// The public-key checks of `Core`, answered by swift-crypto.
public struct SwiftCryptoSuite: CryptoSuite {
    /// The suite; it has no state.
    public init() {}

    public func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
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
        Bytes(Crypto.SHA256.hash(data: bytes))
    }
}
