import EllipticCurves
import Encodings
import Pico

/// For reading a code: signatures are checked, and nothing else can be asked for.
struct CheckingSuite: PicoCryptoSuite {
    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? { nil }
    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { nil }
    func randomBytes(_ count: Int) -> Bytes { [] }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        PureSuite().isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
