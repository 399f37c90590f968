import Encodings

extension CertificateTemplate {
    /// The extensions of an administrator's certificate, one after the other, in the order of our profile.
    static func extensions(
        _ key: P256PublicKey, _ capabilities: Capabilities, _ status: StatusReference, _ issuer: Certificate
    ) -> Bytes {
        var usages: Bytes = []
        if capabilities.contains(.identifyMembers) { usages += DERWriter.objectIdentifier(OID.identifyMembers) }
        if capabilities.contains(.signDocuments) { usages += DERWriter.objectIdentifier(OID.signDocuments) }
        let place =
            DERWriter.element(DERTag.ia5String, status.uri)
            + DERWriter.unsignedInteger(bigEndianBytes(UInt64(status.index)))
        let authority = DERWriter.element(DERTag.context(0, constructed: false), issuer.keyIdentifier)
        let url = DERWriter.element(DERTag.context(6, constructed: false), issuer.publicURL)
        // The first 160 bits of SHA-256 of the point (RFC 7093 section 2, method 1).
        let identifier = Array(SHA256.hash(key.x963)[0..<20])
        return written(OID.basicConstraints, DERWriter.sequence([]), critical: true)
            // digitalSignature is the highest of the eight bits, and the other seven are not written.
            + written(OID.keyUsage, DERWriter.bitString([0x80], unused: 7), critical: true)
            + written(OID.extendedKeyUsage, DERWriter.sequence(usages))
            + written(OID.subjectKeyIdentifier, DERWriter.octetString(identifier))
            + written(OID.authorityKeyIdentifier, DERWriter.sequence(authority))
            + written(OID.subjectAlternativeName, DERWriter.sequence(url))
            + written(OID.statusReference, DERWriter.sequence(place))
    }

    private static func written(_ identifier: Bytes, _ value: Bytes, critical: Bool = false) -> Bytes {
        DERWriter.sequence(
            DERWriter.objectIdentifier(identifier) + (critical ? DERWriter.boolean(true) : [])
                + DERWriter.octetString(value))
    }
}
