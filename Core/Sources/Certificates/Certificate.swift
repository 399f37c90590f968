public import Encodings

/// An X.509 certificate of our profile, read and **not** trusted: nothing has been said about who signed it.
///
/// Only `CertificatePath.validate` makes a `ValidatedPath` out of certificates.
public struct Certificate: Sendable, Equatable {
    /// The whole certificate.
    public let der: Bytes
    /// 1 to 16 bytes, positive, big-endian, without leading zeros.
    public let serialNumber: Bytes
    /// The issuer, as the certificate itself says.
    public let issuer: DistinguishedName
    /// Whose key it certifies.
    public let subject: DistinguishedName
    /// The first second of its validity, since 1970.
    public let notBefore: Int64
    /// The last second of its validity, since 1970.
    public let notAfter: Int64
    /// The certified key.
    public let publicKey: P256PublicKey

    let signedBytes: Bytes
    /// r and s.
    let signature: Bytes
    let extensions: CertificateExtensions

    /// At most so many bytes are read.
    public static let maximumLength = 8192

    /// The organisation's public URL, ASCII, from the subject alternative name.
    public var publicURL: Bytes { extensions.publicURL ?? [] }

    /// The organisation, UTF-8, or `nil` when the subject names none.
    public var organisation: Bytes? { subject.organisation }

    /// The subject's name, UTF-8, or `nil` when the subject has none.
    public var commonName: Bytes? { subject.commonName }

    /// Whether the holder may issue certificates (basic constraints).
    public var isAuthority: Bool { extensions.isAuthority }

    /// The subject key identifier, 1 to 32 bytes.
    public var keyIdentifier: Bytes { extensions.subjectKeyIdentifier ?? [] }

    /// What an administrator's certificate claims to permit.
    public var capabilities: Capabilities {
        let usages = extensions.extendedKeyUsage ?? []
        var capabilities: Capabilities = []
        if usages.contains(OID.identifyMembers) { capabilities.insert(.identifyMembers) }
        if usages.contains(OID.signDocuments) { capabilities.insert(.signDocuments) }
        return capabilities
    }

    /// Whether its extended key usage names the purpose; who issued it, only a path tells.
    public func names(_ purpose: CertificatePurpose) -> Bool {
        extensions.extendedKeyUsage?.contains(purpose.keyUsage) ?? false
    }

    /// Where its status is published, or `nil`.
    public var statusReference: StatusReference? { extensions.statusReference }

    /// SHA-256 of the DER, 32 bytes: what a person compares.
    public var fingerprint: Bytes { SHA256.hash(der) }

    /// Two certificates are the same when their DER is.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    /// Reads a certificate strictly: canonical DER, version 3, ecdsa-with-SHA256, a key on P-256, and the extensions
    /// of our profile.
    ///
    /// This checks neither the signature nor whether the key's point is on the curve.
    /// - Throws: the exact refusal; never traps, for any bytes.
    public static func parse(_ der: Bytes) throws(CertificateError) -> Certificate {
        guard der.count <= maximumLength else { throw .tooLarge }
        var file = CertificateReader(der)
        var outer = try file.sequence()
        try file.finish()
        let signed = try outer.element(DERTag.sequence)
        let algorithm = try outer.element(DERTag.sequence)
        let signatureBits = try outer.wholeBitString()
        try outer.finish()

        var body = CertificateReader(signed.content)
        try readVersion(&body)
        let serialNumber = try readSerialNumber(&body)
        let signedAlgorithm = try body.element(DERTag.sequence)
        guard signedAlgorithm.encoded == algorithm.encoded else { throw .algorithmMismatch }
        try requireECDSA(algorithm.content)
        let issuer = try DistinguishedName.read(from: &body)
        var validity = try body.sequence()
        let notBefore = try CertificateTime.read(from: &validity)
        let notAfter = try CertificateTime.read(from: &validity)
        try validity.finish()
        guard notBefore <= notAfter else { throw .emptyValidity }
        let subject = try DistinguishedName.read(from: &body)
        let publicKey = try readKey(&body)
        let extensions = try CertificateExtensions.read(body.element(DERTag.context(3, constructed: true)).content)
        try body.finish()
        return Certificate(
            der: der, serialNumber: serialNumber, issuer: issuer, subject: subject, notBefore: notBefore,
            notAfter: notAfter, publicKey: publicKey, signedBytes: signed.encoded,
            signature: try readSignature(signatureBits), extensions: extensions)
    }

    private static func readVersion(_ body: inout CertificateReader) throws(CertificateError) {
        guard let version = try body.optional(DERTag.context(0, constructed: true)) else { throw .unsupportedVersion }
        var reader = CertificateReader(version.content)
        guard try reader.smallInteger() == 2 else { throw .unsupportedVersion }
        try reader.finish()
    }

    private static func readSerialNumber(_ body: inout CertificateReader) throws(CertificateError) -> Bytes {
        let content = try body.integer()
        // A leading zero only keeps the number positive; with sixteen more bytes it would exceed the profile.
        guard content[0] < 0x80, content != [0], content.count <= 16 else { throw .badSerialNumber }
        return content[0] == 0 ? Array(content.dropFirst()) : content
    }

    private static func requireECDSA(_ algorithm: Bytes) throws(CertificateError) {
        var reader = CertificateReader(algorithm)
        guard try reader.objectIdentifier() == OID.ecdsaWithSHA256, reader.isAtEnd else {
            throw .unsupportedAlgorithm
        }
    }

    private static func readKey(_ body: inout CertificateReader) throws(CertificateError) -> P256PublicKey {
        var information = try body.sequence()
        var algorithm = try information.sequence()
        guard try algorithm.objectIdentifier() == OID.ecPublicKey, algorithm.nextTag == DERTag.objectIdentifier,
            try algorithm.objectIdentifier() == OID.prime256v1, algorithm.isAtEnd
        else { throw .unsupportedKey }
        let point = try information.wholeBitString()
        try information.finish()
        guard let key = P256PublicKey(x963: point) else { throw .unsupportedKey }
        return key
    }

    private static func readSignature(_ bits: Bytes) throws(CertificateError) -> Bytes {
        do { return try ECDSASignature.raw(fromDER: bits) } catch { throw .malformedSignature }
    }
}
