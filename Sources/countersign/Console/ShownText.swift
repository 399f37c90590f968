import Encodings

extension Array where Element == UInt8 {
    /// Text from someone else, made safe to show: characters that could steer a terminal or turn the direction of
    /// writing are replaced.
    var shown: String {
        String(
            String.UnicodeScalarView(
                String(decoding: self, as: UTF8.self).unicodeScalars.map { scalar in
                    switch scalar.value {
                    case 0x0A: " "
                    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}
