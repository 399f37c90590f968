/// Writing DER (ITU-T X.690 section 10): each function gives one whole element.
public enum DERWriter {
    /// Tag, length and value.
    public static func element(_ tag: UInt8, _ content: Bytes) -> Bytes {
        [tag] + length(content.count) + content
    }

    /// A SEQUENCE of elements written one after the other.
    public static func sequence(_ content: Bytes) -> Bytes { element(DERTag.sequence, content) }

    /// An INTEGER that is not negative, from its big-endian bytes; leading zeros do not matter.
    public static func unsignedInteger(_ bytes: Bytes) -> Bytes {
        var content = Array(bytes.drop { $0 == 0 })
        if content.first ?? 0x80 >= 0x80 { content.insert(0, at: 0) }
        return element(DERTag.integer, content)
    }

    /// An OBJECT IDENTIFIER from its content octets.
    public static func objectIdentifier(_ content: Bytes) -> Bytes { element(DERTag.objectIdentifier, content) }

    /// An OCTET STRING.
    public static func octetString(_ content: Bytes) -> Bytes { element(DERTag.octetString, content) }

    /// A BIT STRING whose bits fill the bytes except the last `unused` bits.
    public static func bitString(_ bits: Bytes, unused: UInt8 = 0) -> Bytes {
        element(DERTag.bitString, [unused] + bits)
    }

    /// A BOOLEAN.
    public static func boolean(_ value: Bool) -> Bytes { element(DERTag.boolean, [value ? 0xFF : 0]) }

    private static func length(_ count: Int) -> Bytes {
        guard count >= 0x80 else { return [UInt8(count)] }
        let digits = Array(bigEndianBytes(UInt64(count)).drop { $0 == 0 })
        return [0x80 | UInt8(digits.count)] + digits
    }
}
