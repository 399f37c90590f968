import Encodings

/// Names that people see before they decide.
enum PicoName {
    /// Whether a name is UTF-8 without anything that hides or reorders other text: control characters, line ends, marks of
    /// direction.
    static func isShowable(_ name: Bytes) -> Bool {
        var index = 0
        while index < name.count {
            guard let (scalar, length) = UTF8Text.scalar(in: name, at: index) else { return false }
            switch scalar {
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: return false
            default: index += length
            }
        }
        return true
    }
}
