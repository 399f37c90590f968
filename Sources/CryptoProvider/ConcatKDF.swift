internal import Crypto
internal import Encodings
internal import Foundation

/// The key derivation of ECDH-ES (RFC 7518 section 4.6.2), with SHA-256 and at most one round.
enum ConcatKDF {
    /// Derives a content encryption key.
    ///
    /// - Parameters:
    ///   - secret: Z, the agreed secret.
    ///   - algorithm: the value of `enc`.
    ///   - partyU: what `apu` decodes to; empty without one.
    ///   - partyV: what `apv` decodes to; empty without one.
    ///   - length: in bytes, at most 32.
    static func derive(secret: Bytes, algorithm: String, partyU: Bytes, partyV: Bytes, length: Int) -> Bytes {
        var hash = Crypto.SHA256()
        hash.update(data: bytes(of: 1))
        hash.update(data: secret)
        for field in [Bytes(text: algorithm), partyU, partyV] {
            hash.update(data: bytes(of: field.count))
            hash.update(data: field)
        }
        hash.update(data: bytes(of: length * 8))
        return Bytes(hash.finalize().prefix(length))
    }

    private static func bytes(of number: Int) -> Bytes {
        Bytes(bigEndianBytes(UInt64(number)).suffix(4))
    }
}
