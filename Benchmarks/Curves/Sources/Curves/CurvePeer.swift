import Encodings
import EllipticCurves

/// An implementation of a curve with a private key of its own, and what one can do with it.
///
/// Every peer is given the same numbers and the same message, so their answers can be compared before they are timed.
protocol CurvePeer {
    /// The x coordinate of the product of the private key and the other's point.
    func agree() throws -> Bytes
    /// r and s over the message, which is hashed for it.
    func sign() throws -> Bytes
    /// Whether r and s are a signature over the message by the peer's own key.
    func isValid(_ signature: Bytes) throws -> Bool
}

/// What all peers of a curve are given.
struct CurveTask {
    let curve: EllipticCurve
    /// The private key, big-endian and as long as the order.
    let scalar: Bytes
    /// The public key of another, uncompressed.
    let point: Bytes
    let message = Bytes(text: "what a service and a wallet sign")

    /// Draws both keys.
    init(_ curve: EllipticCurve) throws {
        self.curve = curve
        var source = SystemRandomNumberGenerator()
        func key() throws -> ECPrivateKey {
            try ECPrivateKey.generate(on: curve) { count in
                (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
            }
        }
        scalar = try key().secretScalar
        point = try key().publicKey.x963
    }

    /// As strong as the order.
    var digest: MessageDigest {
        switch curve.byteCount {
        case ...32: .sha256
        case ...48: .sha384
        default: .sha512
        }
    }

    var hash: Bytes {
        switch curve.byteCount {
        case ...32: SHA256.hash(message)
        case ...48: SHA384.hash(message)
        default: SHA512.hash(message)
        }
    }
}

/// `EllipticCurves`, by its public calls: every point is checked again, and nonces are those of RFC 6979.
struct OurPeer: CurvePeer {
    private let task: CurveTask
    private let key: ECPrivateKey
    private let other: ECPublicKey

    init(_ task: CurveTask) throws {
        self.task = task
        key = try ECPrivateKey(task.curve, scalar: task.scalar)
        other = try ECPublicKey(task.curve, x963: task.point)
    }

    func agree() throws -> Bytes { try key.sharedSecret(with: other) }
    func sign() -> Bytes { key.rawSignature(over: task.message, with: task.digest) }
    func isValid(_ signature: Bytes) -> Bool { key.publicKey.isValidRawSignature(signature, digest: task.hash) }
}

/// The answers of two peers differ, or a peer refuses.
struct PeerError: Error, CustomStringConvertible {
    let description: String

    init(_ words: String) { description = words }
}
