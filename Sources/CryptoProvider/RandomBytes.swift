public import Encodings

/// Bytes from the operating system's cryptographic random source.
public enum RandomBytes {
    /// So many random bytes.
    public static func make(_ count: Int) -> Bytes {
        var generator = SystemRandomNumberGenerator()
        return make(count, using: &generator)
    }

    /// So many bytes from the given source.
    public static func make(_ count: Int, using generator: inout some RandomNumberGenerator) -> Bytes {
        var bytes: Bytes = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count { bytes += bigEndianBytes(generator.next()) }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// An unguessable token: `count` random bytes as base64url without padding.
    public static func randomToken(count: Int = 32) -> String {
        String(decoding: Base64.encode(make(count), .url), as: UTF8.self)
    }
}
