import Encodings
import Passkeys
import Synchronization

/// Accepts the signatures that it saw to be good while it learned, and afterwards nothing else.
///
/// Hundreds of spoilt answers in a debug build would otherwise wait for our curve; `CryptoProviderTests` spoils them
/// all again with a real library.
final class LearnedSuite: PasskeyCryptoSuite {
    private let known = Mutex<[Bytes]>([])
    private let isLearning = Mutex(true)
    private let real = TestSuite()

    func stopLearning() { isLearning.withLock { $0 = false } }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        let question = signature + message + publicKey
        guard isLearning.withLock({ $0 }) else { return known.withLock { $0.contains(question) } }
        guard real.isValidP256(signature, over: message, publicKey: publicKey) else { return false }
        known.withLock { $0.append(question) }
        return true
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func digest(_ bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes { real.digest(bytes, algorithm) }

    func isOnCurve(_ publicKey: Bytes, _ curve: COSECurve) -> Bool { real.isOnCurve(publicKey, curve) }

    func isValidECDSA(
        _ signature: Bytes, over message: Bytes, publicKey: Bytes, curve: COSECurve, digest: DigestAlgorithm
    ) -> Bool {
        curve == .p256 && digest == .sha256 && isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidRSA(
        _ signature: Bytes, over message: Bytes, modulus: Bytes, exponent: Bytes, digest: DigestAlgorithm
    ) -> Bool { false }
}
