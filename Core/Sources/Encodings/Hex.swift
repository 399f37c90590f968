/// Hexadecimal text (RFC 4648 section 8).
public enum Hex {
    /// Lower-case hexadecimal digits, two for each byte.
    public static func encode(_ bytes: Bytes) -> Bytes {
        var text: Bytes = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return text
    }

    /// Reads lower- or upper-case digits.
    ///
    /// - Returns: `nil` for an odd count or any other character.
    public static func decode(_ text: Bytes) -> Bytes? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: Bytes = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        case 0x41...0x46: digit - 0x37
        default: nil
        }
    }
}
