import Encodings

/// Names that people see before they decide.
enum PicoName {
    /// Whether a name is UTF-8 without anything that hides or reorders other text: control characters, line ends, marks of
    /// direction, and characters without a shape, by which a second name would look like the first.
    ///
    /// The two joiners (U+200C, U+200D) change how their neighbours are written, and stay.
    static func isShowable(_ name: Bytes) -> Bool {
        var index = 0
        while index < name.count {
            guard let (scalar, length) = UTF8Text.scalar(in: name, at: index) else { return false }
            switch scalar {
            case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2064,
                0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
                return false
            default: index += length
            }
        }
        return true
    }
}
