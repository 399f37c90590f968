import Encodings

/// The places of a ustar header (POSIX.1-2017, pax, "ustar Interchange Format"), and how numbers are written there.
enum TarHeader {
    static let name = 0..<100
    static let mode = 100..<108
    static let owner = 108..<116
    static let group = 116..<124
    static let size = 124..<136
    static let modified = 136..<148
    static let checksum = 148..<156
    static let type = 156
    static let magic = 257..<265
    static let prefix = 345..<500

    /// ustar, as POSIX has it.
    static let posix = Bytes(text: "ustar\u{0}00")
    /// ustar, as GNU's tar has it; it keeps other things where POSIX has the prefix.
    static let gnu = Bytes(text: "ustar  \u{0}")

    /// The highest number of twelve columns of octal digits, the last of which is a NUL.
    static let highestOctal: Int64 = 1 << 33 - 1

    /// What fills the last block behind so many bytes.
    static func padding(after length: Int64) -> Int { Int(-length & 511) }

    /// Octal digits with leading zeros, and a NUL.
    static func octal(_ value: Int64, count: Int) -> Bytes {
        var digits = Bytes(repeating: 0x30, count: count)
        digits[count - 1] = 0
        var rest = value
        for index in stride(from: count - 2, through: 0, by: -1) {
            digits[index] = 0x30 + UInt8(rest & 7)
            rest >>= 3
        }
        return digits
    }

    /// A number: octal digits between spaces and NULs, or GNU's form for large ones.
    static func number(_ field: ArraySlice<UInt8>) throws(ArchiveError) -> Int64 {
        guard let first = field.first else { throw .malformed }
        if first & 0x80 != 0 { return try binary(field) }
        var digits = field.drop { $0 == 0x20 }
        while let last = digits.last, last == 0x20 || last == 0 { digits.removeLast() }
        var value: Int64 = 0
        for digit in digits {
            guard 0x30...0x37 ~= digit, value <= Int64.max >> 3 else { throw .malformed }
            value = value << 3 | Int64(digit - 0x30)
        }
        return value
    }

    /// Two's complement, big-endian, with the topmost bit set to mark the form.
    private static func binary(_ field: ArraySlice<UInt8>) throws(ArchiveError) -> Int64 {
        let isNegative = field[field.startIndex] & 0x40 != 0
        guard field[field.startIndex] == (isNegative ? 0xFF : 0x80) else { throw .outOfRange }
        let filling: UInt8 = isNegative ? 0xFF : 0
        let (above, low) = (field.dropFirst().dropLast(8), field.suffix(8))
        guard above.allSatisfy({ $0 == filling }) else { throw .outOfRange }
        var bits: UInt64 = 0
        for byte in low { bits = bits << 8 | UInt64(byte) }
        let value = Int64(bitPattern: bits)
        guard (value < 0) == isNegative else { throw .outOfRange }
        return value
    }

    /// The sum of all bytes, those of the checksum itself as spaces.
    static func sum(_ block: Bytes) -> Int64 {
        var sum: Int64 = 8 * 0x20
        for index in block.indices where !checksum.contains(index) { sum += Int64(block[index]) }
        return sum
    }

    /// The bytes of a field up to its first NUL.
    static func text(_ block: Bytes, _ field: Range<Int>) -> Bytes { Array(block[field].prefix { $0 != 0 }) }
}
