import Encodings

/// How an age file is spelt.
public enum AgeFormat: Sendable {
    /// As bytes.
    case binary
    /// As text: PEM with the label AGE ENCRYPTED FILE.
    case armoured

    /// Whether a file that begins with this byte is taken for text: with a dash, or with white space before it.
    static func isArmoured(first: UInt8) -> Bool { first == 0x2D || AgeArmourReader.isSpace(first) }
}
