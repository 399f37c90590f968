internal import Encodings

/// One attribute of a distinguished name (RFC 5280 section 4.1.2.4).
struct NameAttribute {
    let type: Bytes
    /// The octets of the text, for any kind of string.
    let value: Bytes

    /// Reads all attributes of a name; relative names may have several.
    static func read(name: Bytes) throws(DERError) -> [NameAttribute] {
        var outer = DERReader(name)
        var sets = try outer.sequence()
        try outer.finish()
        var attributes: [NameAttribute] = []
        while !sets.isAtEnd {
            var set = DERReader(try sets.element(DERTag.set).content)
            while !set.isAtEnd {
                var pair = try set.sequence()
                let type = try pair.objectIdentifier()
                attributes.append(NameAttribute(type: type, value: try pair.any().content))
                try pair.finish()
            }
        }
        return attributes
    }

    /// As `read`, in the words of attestation.
    static func readAll(name: Bytes) throws(AttestationFault) -> [NameAttribute] {
        do { return try read(name: name) } catch { throw .malformedCertificate }
    }

    /// The text of an attribute that must be there once.
    static func value(of type: Bytes, in attributes: [NameAttribute]) -> Bytes? {
        var found: Bytes?
        for attribute in attributes where attribute.type == type {
            guard found == nil else { return nil }
            found = attribute.value
        }
        return found
    }
}
