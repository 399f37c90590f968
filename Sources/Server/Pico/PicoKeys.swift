import CryptoProvider
import EllipticCurves
import Encodings
import Pico

extension ServerKey {
    /// Makes the identity key that wallets know this server by.
    static let picoSecret = ServerKey(name: "pico-secret", kind: .secret)
}

/// The server as a service of the Pico protocol: its identity key, and what stands for it.
struct PicoIdentity: Sendable {
    let key: ECPrivateKey
    let commitment: PicoCommitment

    /// - Throws: `KeyError.malformed` only for a secret that gives no key eight times.
    init(_ keys: SliceKeys, suite: SwiftCryptoSuite) throws {
        let secret = keys.secret(.picoSecret)
        for attempt in 0..<8 as Range<UInt8> {
            let number = HMACSHA256.authenticate(
                Bytes(text: "countersign pico v1 identity key") + [0, attempt], key: secret)
            // One number in four thousand million is no secret key of P-256; the next one is.
            guard let key = try? suite.privateKey(on: .p256, scalar: number) else { continue }
            self.key = key
            commitment = PicoCommitment(of: key.publicKey, suite: suite)
            return
        }
        throw KeyError.malformed
    }
}
