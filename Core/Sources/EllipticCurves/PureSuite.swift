public import Encodings

/// The public-key checks of `Core`, answered by our own curves: for the page, and for programs without a library.
public struct PureSuite: CryptoSuite {
    /// The suite; it keeps nothing.
    public init() {}

    /// By `P256`.
    public func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        P256.isValidSignature(signature, over: message, publicKey: publicKey)
    }

    /// By `Ed25519`.
    public func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        Ed25519.isValidSignature(signature, over: message, publicKey: publicKey)
    }
}
