import Encodings

/// Text of a service as it is shown: what could hide, move or imitate other text is written out as `⟨U+202E⟩`.
///
/// Nothing is left out, so two texts that differ look different. The brackets themselves are written out too.
enum NeutralText {
    private static let opening: UInt32 = 0x27E8
    private static let closing: UInt32 = 0x27E9
    /// More marks than any script puts on one letter would grow into the lines above and below.
    private static let maximumMarks = 4

    /// - Parameter text: valid UTF-8.
    static func neutralised(_ text: Bytes) -> Bytes {
        var output: Bytes = []
        output.reserveCapacity(text.count)
        var previous: UInt32 = 0
        var marks = 0
        var index = 0
        while index < text.count, let (scalar, length) = UTF8Text.scalar(in: text, at: index) {
            let next = index + length < text.count ? UTF8Text.scalar(in: text, at: index + length)?.scalar : nil
            marks = isMark(scalar) ? marks + 1 : 0
            if isHarmless(scalar, after: previous, before: next), marks <= maximumMarks {
                output.append(contentsOf: text[index..<index + length])
            } else {
                append(scalar, to: &output)
            }
            previous = scalar
            index += length
        }
        return output
    }

    private static func append(_ scalar: UInt32, to output: inout Bytes) {
        output.append(contentsOf: [0xE2, 0x9F, 0xA8, 0x55, 0x2B])
        var digits = Hex.encode(Array(bigEndianBytes(UInt64(scalar)).suffix(3))).map { $0 >= 0x61 ? $0 - 0x20 : $0 }
        while digits.count > 4, digits[0] == 0x30 { digits.removeFirst() }
        output.append(contentsOf: digits)
        output.append(contentsOf: [0xE2, 0x9F, 0xA9])
    }

    private static func isHarmless(_ scalar: UInt32, after previous: UInt32, before next: UInt32?) -> Bool {
        switch scalar {
        case 0x20...0x7E: true
        // Joiners shape Arabic and Indic letters and join emoji; between other letters they only hide.
        case 0x200C, 0x200D: isShaped(previous) && isShaped(next ?? 0)
        // These choose between a sign and its picture.
        case 0xFE0E, 0xFE0F: previous >= 0x2190 && isShaped(previous)
        default: scalar >= 0xA0 && !isHidden(scalar)
        }
    }

    /// A letter of a script from Arabic on, or a picture; nothing that is written out itself.
    private static func isShaped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0600..<0x2000, 0x2190...: scalar == 0xFE0F || !isHidden(scalar)
        default: false
        }
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    /// Above U+009F: what shows nothing, changes the direction, imitates a space or a line end, or has no
    /// meaning that everybody shares.
    private static func isHidden(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Soft hyphen, grapheme joiner, Arabic letter mark, and letters without a shape.
        case 0x00AD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0: true
        // Spaces of odd widths, and an empty Braille cell.
        case 0x1680, 0x2000...0x200F, 0x205F, 0x2800: true
        // Line and paragraph separators, directions, invisible operators.
        case 0x2028...0x202E, 0x2060...0x206F: true
        // The brackets of what is written out.
        case opening, closing: true
        // Variation selectors, byte order mark, interlinear notes.
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: true
        // Controls of hieroglyphs and of shorthand.
        case 0x13430...0x1343F, 0x1BCA0...0x1BCA3: true
        // Musical controls, tags, private use, and what is no character.
        case 0x1D173...0x1D17A, 0xE0000...0xE0FFF, 0xE000...0xF8FF, 0xF0000...: true
        case 0xFDD0...0xFDEF: true
        default: scalar & 0xFFFE == 0xFFFE
        }
    }
}
