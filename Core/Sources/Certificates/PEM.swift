public import Encodings

/// Why a text is not the PEM that we accept.
public enum PEMError: Error, Equatable, Sendable {
    /// Longer than allowed, or more blocks than allowed.
    case tooLarge
    /// A line outside any block, a missing boundary, a line of the wrong length, or a foreign character.
    case malformed
    /// A block of another kind, a private key for instance.
    case wrongLabel
    /// No block at all.
    case empty
}

/// Text armour (RFC 7468), strict: nothing between the blocks but empty lines, and every line but the last has 64
/// characters.
///
/// Lines may end in LF or CR LF.
public enum PEM {
    /// The usual label.
    public static let certificate: StaticString = "CERTIFICATE"

    private static let begin = Bytes(text: "-----BEGIN ")
    private static let end = Bytes(text: "-----END ")
    private static let dashes = Bytes(text: "-----")

    /// Writes one block that ends with a line feed.
    public static func encode(_ der: Bytes, label: StaticString = certificate) -> Bytes {
        let name = bytes(label)
        var text = begin + name + dashes + [0x0A]
        let base64 = Base64.encode(der, .standard)
        for start in stride(from: 0, to: base64.count, by: 64) {
            text += base64[start..<min(start + 64, base64.count)]
            text.append(0x0A)
        }
        return text + end + name + dashes + [0x0A]
    }

    /// Reads all blocks, which must be of one kind.
    ///
    /// - Parameters:
    ///   - maximumCount: of blocks.
    ///   - maximumLength: of the text, in bytes.
    public static func decode(
        _ text: Bytes, label: StaticString = certificate, maximumCount: Int = 8, maximumLength: Int = 1 << 17
    ) throws(PEMError) -> [Bytes] {
        guard text.count <= maximumLength else { throw .tooLarge }
        let opening = begin + bytes(label) + dashes
        let closing = end + bytes(label) + dashes
        var blocks: [Bytes] = []
        var base64: Bytes = []
        var isInside = false
        var isLastLine = false
        for raw in text.split(at: 0x0A) {
            let line = raw.last == 0x0D ? Array(raw.dropLast()) : raw
            if !isInside {
                if line.isEmpty { continue }
                guard line == opening else { throw line.starts(with: begin) ? .wrongLabel : .malformed }
                guard blocks.count < maximumCount else { throw .tooLarge }
                (base64, isInside, isLastLine) = ([], true, false)
            } else if line.first == 0x2D {
                guard line == closing, let der = Base64.decode(base64, .standard), !der.isEmpty else {
                    throw .malformed
                }
                blocks.append(der)
                isInside = false
            } else {
                guard !isLastLine, !line.isEmpty, line.count <= 64 else { throw .malformed }
                isLastLine = line.count < 64
                base64 += line
            }
        }
        guard !isInside else { throw .malformed }
        guard !blocks.isEmpty else { throw .empty }
        return blocks
    }

    private static func bytes(_ text: StaticString) -> Bytes {
        text.withUTF8Buffer { unsafe Bytes($0) }
    }
}
