public import Encodings

extension ScannedCode {
    /// What the code says as UTF-8, or `nil` when its bytes are no text that this reader knows: another character set
    /// beyond ASCII, or bytes that no character set was said of and that are not UTF-8.
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
