import BrowserCalls
import EllipticCurves
import Encodings
import Vault

/// The cryptography of one call: random bytes that the page brought, and what `Core` computes.
///
/// There is no AES.
final class PageSuite: VaultCryptoSuite, @unchecked Sendable {
    /// The most random bytes of one call.
    static let maximumRandom = 2_048

    // A call is answered on one thread from its beginning to its end, and its suite ends with it.
    private var random: Bytes

    /// Reads `random`, if the call has it.
    init(_ call: Call) throws(BrowserError) {
        random = call.optional("random") == nil ? [] : try call.bytes("random")
        guard random.count <= Self.maximumRandom else {
            throw BrowserError("too_large", member: "random", "is longer than allowed.")
        }
    }

    /// Random bytes that are known: those of an earlier call.
    init(random: Bytes) {
        self.random = random
    }

    func sealAES256GCM(
        _ plaintext: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool { false }

    func openAES256GCM(
        _ sealed: ArraySlice<UInt8>, key: Bytes, nonce: Bytes, additionalData: Bytes, appendingTo output: inout Bytes
    ) -> Bool { false }

    /// The page's random bytes, one after the other; none if there are too few, and then the call fails.
    func randomBytes(_ count: Int) -> Bytes {
        guard random.count >= count else { return [] }
        let taken = Array(random.prefix(count))
        random.removeFirst(count)
        return taken
    }

    func isValidP256(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }

    func isValidEd25519(_ signature: Bytes, over message: Bytes, publicKey: Bytes) -> Bool { false }
}
