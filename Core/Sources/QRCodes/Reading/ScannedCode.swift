/// What a QR code in a picture says.
public struct ScannedCode: Sendable, Equatable {
    /// The character set of a part's bytes.
    public enum CharacterSet: Sendable, Equatable {
        /// The symbol does not say: UTF-8 when it is well formed, else Latin-1 or the reader's own.
        case unsaid
        /// Shift JIS, from kanji mode.
        case shiftJIS
        /// The number of an Extended Channel Interpretation; 26 is UTF-8.
        case interpretation(Int)
    }

    /// A run of bytes in one character set.
    public struct Part: Sendable, Equatable {
        /// The bytes as they are in the symbol.
        public internal(set) var bytes: [UInt8]
        /// Their character set.
        public let characterSet: CharacterSet
    }

    /// The content in order; neighbours differ in their character set.
    public let parts: [Part]
    /// 1 to 40.
    public let version: Int
    /// The symbol's level.
    public let errorCorrection: QRCode.ErrorCorrection
    /// The number of the mask pattern, 0 to 7.
    public let mask: Int
    /// Whether the picture shows the symbol in a mirror.
    public let isMirrored: Bool
    /// How many codewords were wrong and were put right.
    public let errorCount: Int

    /// The bytes of all parts.
    public var bytes: [UInt8] { parts.flatMap { $0.bytes } }
}
