import Encodings

/// Reads elements that have their length before them, four bytes big-endian: `LP(x)` of the specification.
///
/// Lengths are unsigned and compared before anything is allocated (section 3.4; section 13, number 23).
struct PicoElements {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    /// One element of at most so many bytes.
    mutating func next(_ maximum: Int) throws(PicoError) -> Bytes {
        let length = Int(truncatingIfNeeded: Int64(try number()))
        guard length >= 0, length <= bytes.count - offset else { throw .malformed }
        guard length <= maximum else { throw .tooLarge }
        offset += length
        return Array(bytes[offset - length..<offset])
    }

    /// Four bytes as they are.
    mutating func number() throws(PicoError) -> UInt32 {
        guard bytes.count - offset >= 4 else { throw .malformed }
        var number: UInt32 = 0
        for index in offset..<offset + 4 { number = number << 8 | UInt32(bytes[index]) }
        offset += 4
        return number
    }

    /// One byte.
    mutating func byte() throws(PicoError) -> UInt8 {
        guard offset < bytes.count else { throw .malformed }
        offset += 1
        return bytes[offset - 1]
    }

    /// What is left.
    mutating func rest() -> Bytes {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }

    /// Nothing may be left: a message splits exactly (section 12, number 4).
    func finish() throws(PicoError) {
        guard offset == bytes.count else { throw .malformed }
    }

    /// An element with its length.
    static func write(_ bytes: Bytes) -> Bytes { length(bytes.count) + bytes }

    /// A length in four bytes.
    static func length(_ count: Int) -> Bytes { number(UInt32(count)) }

    /// A number in four bytes, big-endian.
    static func number(_ number: UInt32) -> Bytes {
        [
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ]
    }

    /// A signed number in four bytes, two's complement.
    static func signed(_ value: Int32) -> Bytes { number(UInt32(bitPattern: value)) }
}
