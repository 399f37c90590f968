import Encodings
import EllipticCurves

/// Our own curves.
///
/// No certificate is signed with Ed25519.
struct TestSuite: CryptoSuite {
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        P256.isValidSignature(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
