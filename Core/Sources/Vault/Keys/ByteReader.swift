import Encodings

/// Reads bytes from the front, each exactly once.
struct ByteReader {
    private let bytes: Bytes
    private(set) var offset = 0

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    var remaining: Int { bytes.count - offset }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(VaultError) -> Bytes {
        guard count >= 0, count <= remaining else { throw .malformed }
        offset += count
        return Array(bytes[offset - count..<offset])
    }

    /// A big-endian number of at most eight bytes.
    mutating func number(_ count: Int) throws(VaultError) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// One byte.
    mutating func byte() throws(VaultError) -> UInt8 { try take(1)[0] }

    /// Refuses anything after the end.
    func finish() throws(VaultError) {
        guard remaining == 0 else { throw .malformed }
    }

    /// Refuses anything but zeros up to the end.
    mutating func finishPadding() throws(VaultError) {
        guard try take(remaining).allSatisfy({ $0 == 0 }) else { throw .malformed }
    }
}

/// The lowest `count` bytes of a number, big-endian.
func bigEndian(_ value: UInt64, count: Int) -> Bytes { Array(bigEndianBytes(value).suffix(count)) }
