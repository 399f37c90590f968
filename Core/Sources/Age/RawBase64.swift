import Encodings

/// Base64 as age's header has it: the standard alphabet without padding, one text for one value.
enum RawBase64 {
    static func encode(_ bytes: Bytes) -> Bytes {
        var text = Base64.encode(bytes, .standard)
        while text.last == padding { text.removeLast() }
        return text
    }

    /// - Returns: `nil` for a foreign character, padding, a wrong length, or bits set behind the last byte.
    static func decode(_ text: Bytes) -> Bytes? {
        guard text.last != padding else { return nil }
        return Base64.decode(text + Bytes(repeating: padding, count: (4 - text.count % 4) % 4), .standard)
    }

    private static let padding: UInt8 = 0x3D
}
