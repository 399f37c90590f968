/// UTF-8 (RFC 3629) as bytes, without `String`.
public enum UTF8Text {
    /// Whether `bytes` are well-formed: no overlong forms, no surrogates, nothing above U+10FFFF.
    public static func isValid(_ bytes: Bytes) -> Bool {
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index += 1
                continue
            }
            guard let (_, length) = scalar(in: bytes, at: index) else { return false }
            index += length
        }
        return true
    }

    /// The scalar that begins at `index` and its length in bytes, or `nil` when none does.
    public static func scalar(in bytes: Bytes, at index: Int) -> (scalar: UInt32, length: Int)? {
        let first = UInt32(bytes[index])
        if first < 0x80 { return (first, 1) }
        let length: Int
        let smallest: UInt32
        var value: UInt32
        switch first {
        case 0xC2...0xDF: (length, smallest, value) = (2, 0x80, first & 0x1F)
        case 0xE0...0xEF: (length, smallest, value) = (3, 0x800, first & 0x0F)
        case 0xF0...0xF4: (length, smallest, value) = (4, 0x10000, first & 0x07)
        default: return nil
        }
        guard index + length <= bytes.count else { return nil }
        for next in index + 1..<index + length {
            guard bytes[next] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[next] & 0x3F)
        }
        guard value >= smallest, value <= 0x10FFFF, value < 0xD800 || value > 0xDFFF else { return nil }
        return (value, length)
    }

    /// Appends the UTF-8 form of a scalar that is not a surrogate.
    static func append(_ scalar: UInt32, to bytes: inout Bytes) {
        let last = UInt8(0x80 | scalar & 0x3F)
        switch scalar {
        case 0..<0x80: bytes.append(UInt8(scalar))
        case 0x80..<0x800: bytes.append(contentsOf: [UInt8(0xC0 | scalar >> 6), last])
        case 0x800..<0x10000:
            bytes.append(contentsOf: [UInt8(0xE0 | scalar >> 12), UInt8(0x80 | scalar >> 6 & 0x3F), last])
        default:
            bytes.append(contentsOf: [UInt8(0xF0 | scalar >> 18), UInt8(0x80 | scalar >> 12 & 0x3F)])
            bytes.append(contentsOf: [UInt8(0x80 | scalar >> 6 & 0x3F), last])
        }
    }
}
