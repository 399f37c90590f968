import EllipticCurves
import Encodings
import Fuzzing
import Pico
import Synchronization

/// The suite of these tests: `PureSuite`, the AES of the fuzz targets, and bytes that are given or counted.
struct TestSuite: PicoCryptoSuite {
    private let random: RandomBytes
    private let pure = PureSuite()

    /// - Parameters:
    ///   - script: what is given first, in this order, whatever length is asked for.
    ///   - seed: of what comes after.
    init(_ script: [Bytes] = [], seed: String = "pico") { random = RandomBytes(script, seed: seed) }

    func sealAESGCM(_ plaintext: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        var sealed: Bytes = []
        ReferenceAESGCM(key: key)?.seal(plaintext[...], nonce: iv, additionalData: [], appendingTo: &sealed)
        return sealed.isEmpty ? nil : sealed
    }

    func openAESGCM(_ sealed: Bytes, key: Bytes, iv: Bytes) -> Bytes? {
        var plaintext: Bytes = []
        let cipher = ReferenceAESGCM(key: key)
        let isOpen = cipher?.open(sealed[...], nonce: iv, additionalData: [], appendingTo: &plaintext) ?? false
        return isOpen ? plaintext : nil
    }

    func randomBytes(_ count: Int) -> Bytes { random.next(count) }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidP256(signature, over: message, publicKey: publicKey)
    }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool {
        pure.isValidEd25519(signature, over: message, publicKey: publicKey)
    }
}

/// Bytes that look random and are the same in every run.
final class RandomBytes: Sendable {
    private let state: Mutex<(script: [Bytes], counter: UInt64)>
    private let seed: Bytes

    init(_ script: [Bytes], seed: String) {
        state = Mutex((script, 0))
        self.seed = Bytes(text: seed)
    }

    func next(_ count: Int) -> Bytes {
        state.withLock { state in
            if !state.script.isEmpty { return state.script.removeFirst() }
            var bytes: Bytes = []
            while bytes.count < count {
                bytes += SHA256.hash(seed + bigEndianBytes(state.counter))
                state.counter += 1
            }
            return Array(bytes.prefix(count))
        }
    }
}
