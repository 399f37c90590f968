internal import Encodings

/// The extensions of one certificate, read and held to the profile.
///
/// An unknown one is ignored unless it is critical. RFC 5280 section 4.2.1.10 asks that name constraints be marked
/// critical, but they restrict a path even if they are not. Nothing here evaluates them, so they are refused.
struct CertificateExtensions {
    var isAuthority = false
    var pathLength: Int?
    var mayIssue = false
    var maySignDataOnly = false
    var subjectKeyIdentifier: Bytes?
    var authorityKeyIdentifier: Bytes?
    var publicURL: Bytes?
    var extendedKeyUsage: [Bytes]?
    var statusReference: StatusReference?

    /// Reads the content of the `[3]` element of a certificate.
    static func read(_ content: Bytes) throws(CertificateError) -> CertificateExtensions {
        var outer = CertificateReader(content)
        var list = try outer.sequence()
        try outer.finish()
        var extensions = CertificateExtensions()
        var seen: [Bytes] = []
        while !list.isAtEnd {
            var item = try list.sequence()
            let identifier = try item.objectIdentifier()
            let critical = try item.flag()
            let value = try item.element(DERTag.octetString).content
            try item.finish()
            guard !seen.contains(identifier) else { throw .duplicateExtension }
            seen.append(identifier)
            try extensions.take(identifier, critical: critical, value: value)
        }
        guard seen.contains(OID.basicConstraints) else { throw .missingExtension(.basicConstraints) }
        guard seen.contains(OID.keyUsage) else { throw .missingExtension(.keyUsage) }
        guard seen.contains(OID.subjectKeyIdentifier) else { throw .missingExtension(.subjectKeyIdentifier) }
        guard seen.contains(OID.subjectAlternativeName) else { throw .missingExtension(.subjectAlternativeName) }
        return extensions
    }

    private mutating func take(_ identifier: Bytes, critical: Bool, value: Bytes) throws(CertificateError) {
        guard let kind = Self.kind(identifier) else {
            guard !critical else { throw .unknownCriticalExtension }
            return
        }
        switch kind {
        case .nameConstraints: throw .badExtension(kind)
        case .basicConstraints, .keyUsage: guard critical else { throw .wrongCriticality(kind) }
        case .extendedKeyUsage: break
        case .subjectKeyIdentifier, .authorityKeyIdentifier, .subjectAlternativeName, .statusReference:
            guard !critical else { throw .wrongCriticality(kind) }
        }
        var reader = CertificateReader(value)
        switch kind {
        case .nameConstraints: break
        case .basicConstraints: try takeBasicConstraints(&reader)
        case .keyUsage: try takeKeyUsage(&reader)
        case .subjectKeyIdentifier:
            subjectKeyIdentifier = try Self.keyIdentifier(reader.element(DERTag.octetString).content, kind)
        case .authorityKeyIdentifier: try takeAuthorityKeyIdentifier(&reader)
        case .subjectAlternativeName: try takeAlternativeName(&reader)
        case .extendedKeyUsage: try takeExtendedKeyUsage(&reader)
        case .statusReference: try takeStatusReference(&reader)
        }
        try reader.finish()
    }

    private static func kind(_ identifier: Bytes) -> ExtensionKind? {
        if identifier == OID.basicConstraints { return .basicConstraints }
        if identifier == OID.keyUsage { return .keyUsage }
        if identifier == OID.subjectKeyIdentifier { return .subjectKeyIdentifier }
        if identifier == OID.nameConstraints { return .nameConstraints }
        if identifier == OID.authorityKeyIdentifier { return .authorityKeyIdentifier }
        if identifier == OID.subjectAlternativeName { return .subjectAlternativeName }
        if identifier == OID.extendedKeyUsage { return .extendedKeyUsage }
        if identifier == OID.statusReference { return .statusReference }
        return nil
    }

    private mutating func takeBasicConstraints(_ reader: inout CertificateReader) throws(CertificateError) {
        var constraints = try reader.sequence()
        isAuthority = try constraints.flag()
        if constraints.nextTag == DERTag.integer {
            pathLength = try constraints.smallInteger()
            guard isAuthority else { throw .badExtension(.basicConstraints) }
        }
        try constraints.finish()
    }

    /// A named bit list: without trailing zero bits, and not empty (RFC 5280 section 4.2.1.3).
    private mutating func takeKeyUsage(_ reader: inout CertificateReader) throws(CertificateError) {
        let content = try reader.element(DERTag.bitString).content
        guard content.count == 2 || content.count == 3, content[0] < 8 else { throw .badExtension(.keyUsage) }
        let last = content[content.count - 1]
        guard last != 0, last.trailingZeroBitCount == Int(content[0]) else { throw .malformed(.notCanonical) }
        // Bit 0, digitalSignature, is the highest of the first byte; bit 5 is keyCertSign.
        mayIssue = content[1] & 0x04 != 0
        maySignDataOnly = content.count == 2 && content[1] == 0x80
    }

    private static func keyIdentifier(_ bytes: Bytes, _ kind: ExtensionKind) throws(CertificateError) -> Bytes {
        guard bytes.count >= 1, bytes.count <= 32 else { throw .badExtension(kind) }
        return bytes
    }

    private mutating func takeAuthorityKeyIdentifier(_ reader: inout CertificateReader) throws(CertificateError) {
        var fields = try reader.sequence()
        guard let identifier = try fields.optional(DERTag.context(0, constructed: false)), fields.isAtEnd else {
            throw .badExtension(.authorityKeyIdentifier)
        }
        authorityKeyIdentifier = try Self.keyIdentifier(identifier.content, .authorityKeyIdentifier)
    }

    private mutating func takeAlternativeName(_ reader: inout CertificateReader) throws(CertificateError) {
        var names = try reader.sequence()
        guard let uri = try names.optional(DERTag.context(6, constructed: false)), names.isAtEnd,
            Self.isAddress(uri.content)
        else { throw .badExtension(.subjectAlternativeName) }
        publicURL = uri.content
    }

    private mutating func takeExtendedKeyUsage(_ reader: inout CertificateReader) throws(CertificateError) {
        var list = try reader.sequence()
        var usages: [Bytes] = []
        while !list.isAtEnd {
            let usage = try list.objectIdentifier()
            guard !usages.contains(usage) else { throw .badExtension(.extendedKeyUsage) }
            usages.append(usage)
        }
        guard !usages.isEmpty else { throw .badExtension(.extendedKeyUsage) }
        extendedKeyUsage = usages
    }

    private mutating func takeStatusReference(_ reader: inout CertificateReader) throws(CertificateError) {
        var fields = try reader.sequence()
        let uri = try fields.element(DERTag.ia5String).content
        let index = try fields.smallInteger()
        try fields.finish()
        guard Self.isAddress(uri) else { throw .badExtension(.statusReference) }
        statusReference = StatusReference(uri: uri, index: index)
    }

    /// Visible ASCII, not empty.
    private static func isAddress(_ text: Bytes) -> Bool {
        !text.isEmpty && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
