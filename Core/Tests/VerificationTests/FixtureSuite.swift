import EllipticCurves
import Encodings
import Synchronization
import Testing

/// Checks signatures with our own curves, and knows those that the script of the fixtures made.
///
/// Both must agree: the script's list is a second opinion about the curves.
final class FixtureSuite: CryptoSuite {
    private let signatures: Set<Bytes>
    /// Certificates come again in every case: answers are kept.
    private let answers = Mutex<[Bytes: Bool]>([:])

    init(signatures: [Bytes]) {
        self.signatures = Set(signatures)
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        answer(signature, message, publicKey) {
            P256.isValidSignature(signature, over: message, publicKey: publicKey)
        }
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        answer(signature, message, publicKey) {
            Ed25519.isValidSignature(signature, over: message, publicKey: publicKey)
        }
    }

    private func answer(_ signature: Bytes, _ message: Bytes, _ publicKey: Bytes, _ check: () -> Bool) -> Bool {
        let name = SHA256.hash(publicKey + message + signature)
        if let answer = answers.withLock({ $0[name] }) { return answer }
        let isListed = signature.count == 64 && signatures.contains(Base64.encode(name, .url))
        let isValid = check()
        if isValid != isListed { Issue.record("the curve and the script disagree about a signature") }
        answers.withLock { $0[name] = isValid }
        return isValid
    }
}
