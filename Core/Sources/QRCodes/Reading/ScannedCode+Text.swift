public import Encodings

extension ScannedCode {
    /// The code's text as UTF-8, or `nil` if its bytes are no text that this reader knows.
    ///
    /// That is another character set beyond ASCII, or bytes that are not UTF-8 and name no character set.
    public var text: Bytes? {
        var text: Bytes = []
        for part in parts {
            switch part.characterSet {
            case .unsaid, .interpretation(26): break
            default:
                // What all of them have in common.
                for byte in part.bytes where byte >= 0x80 { return nil }
            }
            text.append(contentsOf: part.bytes)
        }
        return UTF8Text.isValid(text) ? text : nil
    }
}
