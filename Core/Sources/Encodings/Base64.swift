/// Base64 (RFC 4648 sections 4 and 5), strict: one text for one value, no white space, no stray bits.
public enum Base64 {
    /// Which alphabet and padding.
    public enum Variant: Sendable {
        /// Section 4, with padding: PEM, signed notes, `x5c`.
        case standard
        /// Section 5, without padding: JOSE.
        case url
    }

    /// Encodes bytes in the given variant.
    public static func encode(_ bytes: Bytes, _ variant: Variant) -> Bytes {
        let alphabet = alphabet(variant)
        var text: Bytes = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(alphabet[Int(group >> 18 & 63)])
            text.append(alphabet[Int(group >> 12 & 63)])
            if left > 1 { text.append(alphabet[Int(group >> 6 & 63)]) }
            if left > 2 { text.append(alphabet[Int(group & 63)]) }
            index += 3
        }
        if case .standard = variant {
            while text.count % 4 != 0 { text.append(0x3D) }
        }
        return text
    }

    /// Decodes strictly.
    ///
    /// - Returns: `nil` for a foreign character, wrong padding, a wrong length, or bits set behind the last byte.
    public static func decode(_ text: Bytes, _ variant: Variant) -> Bytes? {
        var end = text.count
        if case .standard = variant {
            guard text.count % 4 == 0 else { return nil }
            while end > 0, text.count - end < 2, text[end - 1] == 0x3D { end -= 1 }
        }
        guard end % 4 != 1 else { return nil }
        let values = values(variant)
        var bytes = Bytes(repeating: 0, count: end / 4 * 3 + (end % 4 + 1) / 2)
        // Four characters at a time: documents are megabytes.
        guard decodeGroups(text, count: end / 4, values, into: &bytes) else { return nil }
        let index = end / 4 * 4
        let output = end / 4 * 3
        guard index < end else { return bytes }
        let a = values[Int(text[index])]
        let b = values[Int(text[index + 1])]
        let c = index + 2 < end ? values[Int(text[index + 2])] : 0
        guard (a | b | c) & 0x80 == 0 else { return nil }
        bytes[output] = a << 2 | b >> 4
        guard index + 2 < end else { return b & 15 == 0 ? bytes : nil }
        bytes[output + 1] = b << 4 | c >> 2
        return c & 3 == 0 ? bytes : nil
    }

    private static func decodeGroups(_ text: Bytes, count: Int, _ values: Bytes, into bytes: inout Bytes) -> Bool {
        unsafe text.withUnsafeBufferPointer { text in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                    // The caller sized all three: 4 characters and 3 bytes for each group, 256 values.
                    for group in 0..<count {
                        let a = unsafe values[Int(text[4 * group])]
                        let b = unsafe values[Int(text[4 * group + 1])]
                        let c = unsafe values[Int(text[4 * group + 2])]
                        let d = unsafe values[Int(text[4 * group + 3])]
                        guard (a | b | c | d) & 0x80 == 0 else { return false }
                        unsafe bytes[3 * group] = a << 2 | b >> 4
                        unsafe bytes[3 * group + 1] = b << 4 | c >> 2
                        unsafe bytes[3 * group + 2] = c << 6 | d
                    }
                    return true
                }
            }
        }
    }

    private static func alphabet(_ variant: Variant) -> Bytes {
        switch variant {
        case .standard: standardAlphabet
        case .url: urlAlphabet
        }
    }

    private static func values(_ variant: Variant) -> Bytes {
        switch variant {
        case .standard: standardValues
        case .url: urlValues
        }
    }

    private static let standardAlphabet = Bytes(0x41...0x5A) + Bytes(0x61...0x7A) + Bytes(0x30...0x39) + [0x2B, 0x2F]
    private static let urlAlphabet = Bytes(0x41...0x5A) + Bytes(0x61...0x7A) + Bytes(0x30...0x39) + [0x2D, 0x5F]
    private static let standardValues = inverse(standardAlphabet)
    private static let urlValues = inverse(urlAlphabet)

    /// The value of each character, 255 for characters outside the alphabet.
    private static func inverse(_ alphabet: Bytes) -> Bytes {
        var values = Bytes(repeating: 0xFF, count: 256)
        for value in 0..<64 { values[Int(alphabet[value])] = UInt8(value) }
        return values
    }
}
