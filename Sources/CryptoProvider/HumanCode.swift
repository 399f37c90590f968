public import Encodings

/// Codes for people to read out and type: Crockford's base 32, without I, L, O and U, in groups of four.
public enum HumanCode {
    /// A random code, such as `7K3M-Q0XA-9TBE`; each character carries five bits.
    ///
    /// - Parameter groups: of four characters; three hold 60 bits.
    public static func random(groups: Int = 3) -> String {
        var generator = SystemRandomNumberGenerator()
        return random(groups: groups, using: &generator)
    }

    /// A code from the given source.
    public static func random(groups: Int, using generator: inout some RandomNumberGenerator) -> String {
        var text: Bytes = []
        for (index, byte) in RandomBytes.make(groups * 4, using: &generator).enumerated() {
            if index > 0, index % 4 == 0 { text.append(0x2D) }
            text.append(character(byte & 31))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a person typed, as `random` writes it without hyphens: capitals, O read as 0, I and L as 1, hyphens and
    /// spaces dropped.
    ///
    /// - Returns: `nil` when another character is there, or nothing.
    public static func normalised(_ typed: String) -> Bytes? {
        var text: Bytes = []
        for byte in typed.utf8 {
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

    /// Whether a person typed this code.
    ///
    /// Takes the same time for every code of one length.
    public static func matches(_ typed: String, _ code: String) -> Bool {
        guard let left = normalised(typed), let right = normalised(code) else { return false }
        return left.equalsInConstantTime(right)
    }

    /// The digit of a value below 32, found by arithmetic: neither a table look-up nor a branch depends on the code.
    private static func character(_ value: UInt8) -> UInt8 {
        /// 1 when `value` has reached `limit`, else 0.
        func reached(_ limit: UInt8) -> UInt8 { ((value &- limit) >> 7) ^ 1 }
        // 0-9, then A-H, J, K, M, N, P-T, V-Z: the letters skip I, L, O and U.
        return 0x30 + value + 7 * reached(10) + reached(18) + reached(20) + reached(22) + reached(27)
    }
}
