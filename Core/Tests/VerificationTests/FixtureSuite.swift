import EllipticCurves
import Encodings
import Synchronization
import Testing

/// Checks P-256 with our own curve, and knows the Ed25519 signatures that the script of the fixtures made: Core has no
/// Ed25519.
///
/// For P-256 both must agree: the script's list is a second opinion about the curve.
final class FixtureSuite: CryptoSuite {
    private let signatures: Set<Bytes>
    /// Certificates come again in every case: answers are kept.
    private let answers = Mutex<[Bytes: Bool]>([:])

    init(signatures: [Bytes]) {
        self.signatures = Set(signatures)
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        let name = SHA256.hash(publicKey + message + signature)
        if let answer = answers.withLock({ $0[name] }) { return answer }
        let isListed = signature.count == 64 && signatures.contains(Base64.encode(name, .url))
        let isValid = P256.isValidSignature(signature, over: message, publicKey: publicKey)
        if isValid != isListed { Issue.record("the curve and the script disagree about a signature") }
        answers.withLock { $0[name] = isValid }
        return isValid
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        guard publicKey.count == 32, signature.count == 64 else { return false }
        return signatures.contains(Base64.encode(SHA256.hash(publicKey + message + signature), .url))
    }
}
