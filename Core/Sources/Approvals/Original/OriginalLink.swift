public import Encodings

/// The link `authreq://` with a whole push dictionary in base64; a QR code holds the same text.
public enum OriginalLink {
    /// The beginning of every link.
    public static let scheme = Bytes(text: "authreq://")

    /// Reads a link: everything after the scheme, slashes too.
    ///
    /// - Throws: `malformed`.
    public static func parse(_ link: Bytes) throws(ApprovalError) -> UnverifiedOriginalChallenge {
        guard link.count <= scheme.count + (UnverifiedOriginalChallenge.maximumLength + 2) / 3 * 4,
            link.starts(with: scheme),
            let json = Base64.decode(Array(link.dropFirst(scheme.count)), .standard)
        else { throw .malformed }
        return try UnverifiedOriginalChallenge.parse(json)
    }

    /// A link without a slash after the scheme.
    ///
    /// The original's app reads the host of the address, which ends at the first slash. Base64 has a slash where a
    /// question mark, a DEL or a byte above 0x7F is at certain places, so those are escaped in the JSON. It reads the
    /// same.
    public static func encode(_ challenge: UnverifiedOriginalChallenge) -> Bytes {
        scheme + Base64.encode(escaped(challenge.pushMessage()), .standard)
    }

    /// The link as the original's service makes it: old apps may lose its end.
    public static func encodeAsOriginal(_ challenge: UnverifiedOriginalChallenge) -> Bytes {
        scheme + Base64.encode(challenge.pushMessage(), .standard)
    }

    private static func escaped(_ json: Bytes) -> Bytes {
        var text: Bytes = []
        text.reserveCapacity(json.count)
        var index = 0
        while index < json.count {
            let byte = json[index]
            if byte < 0x7F, byte != 0x3F {
                text.append(byte)
                index += 1
            } else if let (scalar, length) = UTF8Text.scalar(in: json, at: index) {
                append(scalar, to: &text)
                index += length
            } else {
                return json
            }
        }
        return text
    }

    /// `\u` and four digits, or two such for a scalar above U+FFFF (RFC 8259 section 7).
    private static func append(_ scalar: UInt32, to text: inout Bytes) {
        guard scalar > 0xFFFF else { return append(unit: scalar, to: &text) }
        append(unit: 0xD800 + (scalar - 0x10000) >> 10, to: &text)
        append(unit: 0xDC00 + (scalar - 0x10000) & 0x3FF, to: &text)
    }

    private static func append(unit: UInt32, to text: inout Bytes) {
        text.append(contentsOf: [0x5C, 0x75])
        text.append(contentsOf: Hex.encode([UInt8(unit >> 8), UInt8(unit & 0xFF)]))
    }
}
