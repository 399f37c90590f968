import Encodings

/// Writes DER piece by piece, so that a test may get it wrong.
enum DERWriter {
    static func element(_ tag: UInt8, _ parts: Bytes...) -> Bytes {
        let content = parts.flatMap { $0 }
        return [tag] + length(content.count) + content
    }

    static func sequence(_ parts: Bytes...) -> Bytes {
        let content = parts.flatMap { $0 }
        return [DERTag.sequence] + length(content.count) + content
    }

    /// An explicit tag, which may be a large number.
    static func explicit(_ number: Int, _ content: Bytes) -> Bytes {
        let tag: Bytes = number < 31 ? [0xA0 | UInt8(number)] : [0xBF, 0x80 | UInt8(number >> 7), UInt8(number & 0x7F)]
        return tag + length(content.count) + content
    }

    static func integer(_ number: UInt8) -> Bytes { [DERTag.integer, 1, number] }

    static func identifier(_ content: Bytes) -> Bytes { element(DERTag.objectIdentifier, content) }

    static func octets(_ content: Bytes) -> Bytes { element(DERTag.octetString, content) }

    /// A name with one attribute in each part.
    static func name(_ attributes: [(Bytes, String)]) -> Bytes {
        let parts = attributes.flatMap { identifier, text in
            element(
                DERTag.set, sequence(Self.identifier(identifier), element(DERTag.utf8String, Bytes(text: text))))
        }
        return sequence(parts)
    }

    /// r and s as X.509 and WebAuthn write them.
    static func signature(_ raw: Bytes) -> Bytes {
        sequence(unsigned(raw.prefix(raw.count / 2)), unsigned(raw.suffix(raw.count / 2)))
    }

    private static func unsigned(_ bytes: some Sequence<UInt8>) -> Bytes {
        let digits = Bytes(bytes.drop { $0 == 0 })
        let sign: Bytes = (digits.first ?? 0x80) >= 0x80 ? [0] : []
        return element(DERTag.integer, sign + digits)
    }

    private static func length(_ count: Int) -> Bytes {
        switch count {
        case 0..<128: [UInt8(count)]
        case 128..<256: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8), UInt8(count & 255)]
        }
    }
}
