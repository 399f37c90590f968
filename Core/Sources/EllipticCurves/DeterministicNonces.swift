import Encodings

/// The nonces of RFC 6979 section 3.2, one after the other, and hedged as section 3.6 permits.
///
/// A nonce depends on the key and on the digest, so a weak source of randomness cannot give the same one to two messages.
/// Additional randomness makes nonces differ from signature to signature, which hinders faults that are provoked.
struct DeterministicNonces<Curve: ShortWeierstrassCurve> {
    private let digest: MessageDigest
    private var key: Bytes
    private var value: Bytes
    private var isFirst = true

    /// - Parameters:
    ///   - secret: the private key, as long as the order (`int2octets`).
    ///   - hash: the digest of the message, made with `digest`.
    ///   - additional: k' of section 3.6: may be empty.
    init(secret: Bytes, hash: Bytes, additional: Bytes, digest: MessageDigest) {
        self.digest = digest
        value = Bytes(repeating: 1, count: hash.count)
        key = Bytes(repeating: 0, count: hash.count)
        var seed = secret + ECDSA<Curve>.scalar(digest: hash).bigEndian + additional
        for step: UInt8 in [0, 1] { update(step, seed) }
        seed.wipe()
    }

    /// The next nonce, between 1 and the order minus 1.
    mutating func next() -> Curve.Order.Number {
        while true {
            if !isFirst { update(0, []) }
            isFirst = false
            var bytes: Bytes = []
            while bytes.count < Curve.Scalar.byteCount {
                value = digest.hmac(key: key, value)
                bytes += value
            }
            let candidate = ECDSA<Curve>.number(leftmostBitsOf: bytes)
            bytes.wipe()
            if candidate.isKey(of: Curve.Order.self) { return candidate }
        }
    }

    /// Forgets what nonces could be computed from.
    mutating func wipe() {
        key.wipe()
        value.wipe()
    }

    private mutating func update(_ step: UInt8, _ seed: Bytes) {
        key = digest.hmac(key: key, value + [step] + seed)
        value = digest.hmac(key: key, value)
    }
}

extension FixedWidthNumber {
    /// Whether the number is between 1 and the order minus 1.
    ///
    /// Only the answer becomes known, not the number.
    func isKey<Order: PrimeModulus>(of order: Order.Type) -> Bool where Order.Number == Self {
        let isLess = Mask(bit: subtracting(Order.words).borrow)
        return isPublic(isLess.without(zeroMask))
    }
}
