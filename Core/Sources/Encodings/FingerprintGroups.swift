/// The beginning of a SHA-256 fingerprint as people compare it: four groups of five letters and digits, 100 bits.
///
/// The alphabet is Crockford's base 32: there is no I, L, O or U. Reading takes an I or L for 1, and an O for 0, in small
/// or capital letters, with any spaces and hyphens.
public enum FingerprintGroups {
    private static let alphabet = Bytes(text: "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let count = 20
    private static let group = 5

    /// The groups with a space between them, 23 characters of ASCII.
    ///
    /// - Parameter fingerprint: at least 13 bytes.
    public static func text(_ fingerprint: Bytes) -> Bytes {
        var text: Bytes = []
        for (index, character) in characters(fingerprint).enumerated() {
            if index > 0, index % group == 0 { text.append(0x20) }
            text.append(character)
        }
        return text
    }

    /// Whether these are the groups of this fingerprint, however they were typed.
    public static func matches(_ typed: Bytes, _ fingerprint: Bytes) -> Bool {
        typed.filter { $0 != 0x2D && $0 != 0x20 && !(0x09...0x0D).contains($0) }.map(canonical)
            == characters(fingerprint)
    }

    /// A letter or digit as it is written.
    private static func canonical(_ typed: UInt8) -> UInt8 {
        let capital = (0x61...0x7A).contains(typed) ? typed - 0x20 : typed
        return switch capital {
        case 0x49, 0x4C: 0x31
        case 0x4F: 0x30
        default: capital
        }
    }

    private static func characters(_ fingerprint: Bytes) -> Bytes {
        precondition(fingerprint.count * 8 >= count * 5, "a fingerprint has at least 13 bytes")
        return (0..<count).map { index in
            var value = 0
            for bit in index * 5..<index * 5 + 5 {
                value = value << 1 | Int(fingerprint[bit / 8] >> (7 - bit % 8) & 1)
            }
            return alphabet[value]
        }
    }
}
