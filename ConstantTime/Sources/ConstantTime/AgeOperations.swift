import Age
import Encodings
import EllipticCurves

/// What the age format computes from secrets in Swift: X25519 and ChaCha20-Poly1305.
///
/// Opening is not among it: whether a tag holds is public, and the stream is the same as for sealing. Nor is scrypt,
/// which reads memory by the passphrase on purpose.
enum AgeOperations {
    static let name = "age"

    /// Agrees and seals with keys and content whose bytes memcheck takes for undefined.
    static func run() throws {
        let peer = X25519.publicKey(of: Bytes(repeating: 3, count: 32)) ?? []
        for fill in [0x5A, 0x00, 0xFF] as Bytes {
            let key = Bytes(repeating: fill, count: 32).secret
            guard let publicKey = X25519.publicKey(of: key), let secret = X25519.sharedSecret(of: key, with: peer)
            else {
                throw Unproven(reason: "X25519 refused a key")
            }
            _ = try publicKey.published("public key")
            for count in [0, 16, 255, 256, 1_000] {
                let content = Bytes(repeating: fill, count: count).secret
                var sealed: Bytes = []
                let nonce = Bytes(repeating: 7, count: 12)
                guard ChaCha20Poly1305.seal(content[...], key: secret, nonce: nonce, appendingTo: &sealed) else {
                    throw Unproven(reason: "the cipher refused a key")
                }
                _ = try sealed.published("sealed content")
            }
            let zero = Bytes(repeating: 0, count: 32)
            guard X25519.sharedSecret(of: key, with: zero) == nil else {
                throw Unproven(reason: "a point of small order was taken")
            }
        }
    }
}
