public import Encodings

/// A hash function, for signatures: `Core`'s own, or the faster one of a library.
public struct MessageDigest: Sendable {
    /// How many bytes go into one step of the function: 64 or 128 (HMAC's B, RFC 2104 section 2).
    let blockByteCount: Int
    /// The digest of bytes.
    let hash: @Sendable (Bytes) -> Bytes

    /// Takes a hash function of the SHA-2 family.
    ///
    /// - Parameters:
    ///   - blockByteCount: 64 for SHA-256, 128 for SHA-384 and SHA-512.
    ///   - hash: gives 32 to 64 bytes.
    public init(blockByteCount: Int, hash: @escaping @Sendable (Bytes) -> Bytes) {
        self.blockByteCount = blockByteCount
        self.hash = hash
    }

    /// `Core`'s own SHA-256.
    public static var sha256: Self { Self(blockByteCount: 64) { SHA256.hash($0) } }
    /// `Core`'s own SHA-384.
    public static var sha384: Self { Self(blockByteCount: 128) { SHA384.hash($0) } }
    /// `Core`'s own SHA-512.
    public static var sha512: Self { Self(blockByteCount: 128) { SHA512.hash($0) } }

    /// The lengths of digests that signatures take, in bytes.
    static var lengths: ClosedRange<Int> { 32...64 }

    /// HMAC (RFC 2104) with a key that is not longer than a block.
    func hmac(key: Bytes, _ message: Bytes) -> Bytes {
        var inner = Bytes(repeating: 0x36, count: blockByteCount)
        var outer = Bytes(repeating: 0x5C, count: blockByteCount)
        for index in key.indices {
            inner[index] ^= key[index]
            outer[index] ^= key[index]
        }
        return hash(outer + hash(inner + message))
    }
}
