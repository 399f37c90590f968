import EllipticCurves
import Encodings
import Pico
import Synchronization

/// Counts what is computed with keys, to show what is not computed.
struct CountingSuite: PicoCryptoSuite {
    /// How often each was asked for.
    struct Counts: Equatable {
        var agreements = 0
        var signatures = 0
        var checks = 0
        var codes = 0
    }

    private let counter = Counter()
    private let suite = TestSuite(seed: "counting")

    private final class Counter: Sendable {
        let counts = Mutex(Counts())
    }

    var counts: Counts { counter.counts.withLock { $0 } }

    func reset() { counter.counts.withLock { $0 = Counts() } }

    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        suite.sealAESGCM(plaintext, key: key, iv: iv)
    }

    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? { suite.openAESGCM(sealed, key: key, iv: iv) }
    func randomBytes(_ count: Int) -> Bytes { suite.randomBytes(count) }
    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func hmacSHA256(_ message: Bytes, key: Bytes) -> Bytes {
        counter.counts.withLock { $0.codes += 1 }
        return HMACSHA256.authenticate(message, key: key)
    }

    func sharedSecret(of key: ECPrivateKey, with peer: ECPublicKey) -> Bytes? {
        counter.counts.withLock { $0.agreements += 1 }
        return suite.sharedSecret(of: key, with: peer)
    }

    func signature(over message: Bytes, with key: ECPrivateKey) -> Bytes? {
        counter.counts.withLock { $0.signatures += 1 }
        return suite.signature(over: message, with: key)
    }

    func isValidSignature(_ signature: Bytes, over message: Bytes, publicKey: ECPublicKey) -> Bool {
        counter.counts.withLock { $0.checks += 1 }
        return suite.isValidSignature(signature, over: message, publicKey: publicKey)
    }
}
