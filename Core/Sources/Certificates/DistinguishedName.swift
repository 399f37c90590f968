public import Encodings

/// A subject or issuer (RFC 5280 section 4.1.2.4).
///
/// Two names are the same when their DER is.
public struct DistinguishedName: Sendable, Equatable {
    /// The DER of the whole name: what chaining compares.
    public let der: Bytes
    /// CN, UTF-8, or `nil` without one.
    public let commonName: Bytes?
    /// O, UTF-8, or `nil` without one.
    public let organisation: Bytes?

    /// Two names are the same when their DER is.
    public static func == (left: DistinguishedName, right: DistinguishedName) -> Bool { left.der == right.der }

    static func read(from reader: inout CertificateReader) throws(CertificateError) -> DistinguishedName {
        let element = try reader.element(DERTag.sequence)
        var parts = CertificateReader(element.content)
        var seen: [Bytes] = []
        var commonName: Bytes?
        var organisation: Bytes?
        while !parts.isAtEnd {
            var set = CertificateReader(try parts.element(DERTag.set).content)
            var attribute = try set.sequence()
            guard set.isAtEnd else { throw .badName }
            let type = try attribute.objectIdentifier()
            let value = try attribute.any()
            try attribute.finish()
            guard !seen.contains(type) else { throw .badName }
            seen.append(type)
            if type == OID.commonName { commonName = try text(value) }
            if type == OID.organisation { organisation = try text(value) }
        }
        guard !seen.isEmpty else { throw .badName }
        return DistinguishedName(der: element.encoded, commonName: commonName, organisation: organisation)
    }

    private static func text(_ value: DERReader.Element) throws(CertificateError) -> Bytes {
        let bytes = value.content
        guard !bytes.isEmpty else { throw .badName }
        switch value.tag {
        case DERTag.utf8String:
            // Control characters would let one name pretend to be another on a terminal.
            guard UTF8Text.isValid(bytes), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badName }
        case 0x13:
            guard bytes.allSatisfy(isPrintable) else { throw .badName }
        default: throw .badName
        }
        return bytes
    }

    /// Whether a character is in PrintableString (X.680 section 41.4).
    private static func isPrintable(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x20, 0x27, 0x28, 0x29, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x3F: true
        default: false
        }
    }
}
