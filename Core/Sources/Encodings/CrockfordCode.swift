/// Codes that people read out and type: Crockford's base 32, without I, L, O and U, in groups of four.
public enum CrockfordCode {
    /// The code of random bytes, such as `7K3M-Q0XA-9TBE`; each character carries the last five bits of its byte.
    public static func text(of random: Bytes) -> Bytes {
        var text: Bytes = []
        for (index, byte) in random.enumerated() {
            if index > 0, index % 4 == 0 { text.append(0x2D) }
            text.append(character(byte & 31))
        }
        return text
    }

    /// What a person typed, as `text` writes it without hyphens: capitals, O read as 0, I and L as 1, hyphens and
    /// spaces dropped.
    ///
    /// - Returns: `nil` when another character is there, or nothing.
    public static func normalised(_ typed: Bytes) -> Bytes? {
        var text: Bytes = []
        for byte in typed {
            let upper = byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
            switch upper {
            case 0x20, 0x2D: continue
            case 0x4F: text.append(0x30)
            case 0x49, 0x4C: text.append(0x31)
            case 0x30...0x39: text.append(upper)
            case 0x41...0x5A where upper != 0x55: text.append(upper)
            default: return nil
            }
        }
        return text.isEmpty ? nil : text
    }

    /// The digit of a value below 32, found by arithmetic: neither a table look-up nor a branch depends on the code.
    private static func character(_ value: UInt8) -> UInt8 {
        /// 1 when `value` has reached `limit`, else 0.
        func reached(_ limit: UInt8) -> UInt8 { ((value &- limit) >> 7) ^ 1 }
        // 0-9, then A-H, J, K, M, N, P-T, V-Z: the letters skip I, L, O and U.
        return 0x30 + value + 7 * reached(10) + reached(18) + reached(20) + reached(22) + reached(27)
    }
}
