import Encodings
import EllipticCurves

/// All that is computed from secrets on one curve.
///
/// Ed25519 is not among it: we only verify there, and nothing of that is secret.
struct Operations {
    let curve: EllipticCurve

    /// Imports, makes and uses keys whose bytes memcheck takes for undefined.
    func run() throws {
        let peer = try ECPrivateKey(curve, scalar: scalar(first: 0, rest: 0x35)).publicKey
        var last = scalar(first: 0, rest: 0)
        last[last.count - 1] = 1
        // Memcheck follows all values at once. Several are tried for what is excused: a refused number takes another way.
        for bytes in [scalar(first: 0x5A, rest: 0xA5), scalar(first: 0, rest: 0xFF), last] {
            let key = try ECPrivateKey(curve, scalar: bytes.secret)
            _ = try key.secretScalar.published("private key")
            try use(key, with: peer)
        }
        var numbers = [scalar(first: 0x5A, rest: 0x5A), scalar(first: 0, rest: 0), scalar(first: 0xFF, rest: 0xFF)]
        let key = try ECPrivateKey.generate(on: curve) { _ in numbers.removeLast().secret }
        try use(key, with: peer)
        for zero in [scalar(first: 0, rest: 0), scalar(first: 0xFF, rest: 0xFF)] {
            guard (try? ECPrivateKey(curve, scalar: zero.secret)) == nil else {
                throw Unproven(reason: "a private key out of range was taken")
            }
        }
    }

    private func use(_ key: ECPrivateKey, with peer: ECPublicKey) throws {
        let point = try ECPublicKey(curve, x963: key.publicKey.x963.published("public key"))
        _ = try key.sharedSecret(with: peer).published("shared secret")
        let message: Bytes = [1, 2, 3]
        for (digest, hash) in [
            (MessageDigest.sha256, SHA256.hash(message)), (.sha384, SHA384.hash(message)),
            (.sha512, SHA512.hash(message)),
        ] {
            for additional in [[], Bytes(repeating: 7, count: 32).secret] {
                let signature = key.rawSignature(over: message, with: digest, additionalRandomness: additional)
                guard point.isValidRawSignature(try signature.published("signature"), digest: hash) else {
                    throw Unproven(reason: "a signature is not valid")
                }
            }
        }
    }

    /// A number as long as the order, with these bytes; P-521's topmost byte is 0 or 1.
    private func scalar(first: UInt8, rest: UInt8) -> Bytes {
        [curve == .p521 && first < 0xFF ? first & 1 : first] + Bytes(repeating: rest, count: curve.byteCount - 1)
    }
}
