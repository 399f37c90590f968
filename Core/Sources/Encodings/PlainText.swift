/// Finding the end of ordinary text quickly: documents travel as megabytes of base64 in one JSON string.
enum PlainText {
    private static let lowBits: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The end of the run of ASCII from `start` on that needs no escape in JSON: no control character, quotation mark
    /// or backslash.
    static func endOfRun(in text: Bytes, from start: Int) -> Int {
        var index = start
        unsafe text.withUnsafeBytes { buffer in
            // Eight bytes at a time while none of them has its high bit set after either test.
            while index + 8 <= buffer.count {
                let word = unsafe buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let control = word &- 0x20 &* lowBits
                let quote = (word ^ 0x22 &* lowBits) &- lowBits
                let backslash = (word ^ 0x5C &* lowBits) &- lowBits
                guard (word | control | quote | backslash) & highBits == 0 else { break }
                index += 8
            }
            while index < buffer.count {
                let byte = unsafe buffer[index]
                guard byte >= 0x20, byte < 0x80, byte != 0x22, byte != 0x5C else { break }
                index += 1
            }
        }
        return index
    }
}
