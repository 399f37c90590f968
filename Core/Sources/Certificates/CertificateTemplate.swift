public import Encodings
internal import EllipticCurves

/// Why a certificate is not made.
public enum CertificateTemplateError: Error, Equatable, Sendable {
    /// A name that is empty, longer than 64 characters, not UTF-8, or has control characters.
    case badName
    /// A status address that is not visible ASCII of at most 255 bytes, or a status index outside 0 to 2^31 - 1.
    case badAddress
    /// The public key is not a point on P-256.
    case badKey
    /// A serial number that is zero or does not fit 16 bytes as a positive number.
    case badSerialNumber
    /// The issuer's certificate is no main administrator's, or no capability is given.
    case wrongIssuer
    /// The validity ends before it begins, begins after the issuer's has ended, or is out of what certificates can say.
    case badValidity
    /// The signature is not r and s of 32 bytes each.
    case badSignature
    /// The result would not be read back.
    case malformed
}

/// An administrator's certificate, made around a signer that `Core` never sees: the key in the main administrator's
/// wallet.
///
/// Byte for byte what our server and command line issue for the same values.
public enum CertificateTemplate {
    /// How long an administrator's certificate usually lives: 90 days, in seconds.
    public static let administratorDuration: Int64 = 90 * 86400

    /// A serial number from random bytes: 16 bytes, positive and without a leading zero.
    ///
    /// - Parameter random: 16 random bytes.
    /// - Returns: `nil` for another count.
    public static func serialNumber(random: Bytes) -> Bytes? {
        guard random.count == 16 else { return nil }
        var number = random
        number[0] = number[0] & 0x7F | 0x40
        return number
    }

    /// The bytes to be signed with ES256 by the main administrator: a TBSCertificate (RFC 5280 section 4.1.1.1).
    ///
    /// - Parameters:
    ///   - name: of the administrator, UTF-8.
    ///   - key: the administrator's authority key.
    ///   - capabilities: at least one.
    ///   - status: the place reserved for its revocation.
    ///   - issuer: the main administrator's certificate.
    ///   - notBefore: in seconds since 1970.
    ///   - duration: in seconds; cut so that the certificate does not outlive its issuer.
    ///   - serialNumber: big-endian, as `serialNumber(random:)` gives it.
    public static func administrator(
        name: Bytes, key: P256PublicKey, capabilities: Capabilities, status: StatusReference, issuer: Certificate,
        notBefore: Int64, duration: Int64 = administratorDuration, serialNumber: Bytes
    ) throws(CertificateTemplateError) -> Bytes {
        guard issuer.isAuthority, issuer.extensions.mayIssue, issuer.subject != issuer.issuer, !capabilities.isEmpty,
            let organisation = issuer.organisation
        else { throw .wrongIssuer }
        guard isName(name), isName(organisation) else { throw .badName }
        guard isAddress(status.uri), isAddress(issuer.publicURL), status.index >= 0, status.index <= Int(Int32.max)
        else { throw .badAddress }
        guard P256.isOnCurve(publicKey: key.x963) else { throw .badKey }
        let number = DERWriter.unsignedInteger(serialNumber)
        // Tag, length, and the 1 to 16 bytes that our reader takes.
        guard number.count <= 18, serialNumber.contains(where: { $0 != 0 }) else { throw .badSerialNumber }
        let (end, overflow) = notBefore.addingReportingOverflow(duration)
        let notAfter = overflow ? issuer.notAfter : min(end, issuer.notAfter)
        guard notBefore < notAfter, let first = CertificateTime.written(notBefore),
            let last = CertificateTime.written(notAfter)
        else { throw .badValidity }
        let extensions = extensions(key, capabilities, status, issuer)
        return DERWriter.sequence(
            DERWriter.element(DERTag.context(0, constructed: true), DERWriter.unsignedInteger([2])) + number + algorithm
                + issuer.subject.der + DERWriter.sequence(first + last)
                + subject(name, organisation: organisation) + information(key)
                + DERWriter.element(DERTag.context(3, constructed: true), DERWriter.sequence(extensions)))
    }

    /// The certificate from what was signed and the signature.
    ///
    /// Whether the signature is right, the path validation says that every use begins with.
    /// - Parameter signature: r and s, 64 bytes.
    /// - Throws: `badSignature`, or `malformed` when our own reader would refuse the result.
    public static func certificate(
        _ signedBytes: Bytes, signature: Bytes
    ) throws(CertificateTemplateError) -> Bytes {
        guard let signature = ECDSASignature.der(fromRaw: signature) else { throw .badSignature }
        let der = DERWriter.sequence(signedBytes + algorithm + DERWriter.bitString(signature))
        do { _ = try Certificate.parse(der) } catch { throw .malformed }
        return der
    }

    private static let algorithm = DERWriter.sequence(DERWriter.objectIdentifier(OID.ecdsaWithSHA256))

    private static func subject(_ name: Bytes, organisation: Bytes) -> Bytes {
        DERWriter.sequence(attribute(OID.organisation, organisation) + attribute(OID.commonName, name))
    }

    private static func attribute(_ type: Bytes, _ text: Bytes) -> Bytes {
        let value = DERWriter.element(DERTag.utf8String, text)
        return DERWriter.element(DERTag.set, DERWriter.sequence(DERWriter.objectIdentifier(type) + value))
    }

    /// SubjectPublicKeyInfo.
    private static func information(_ key: P256PublicKey) -> Bytes {
        let algorithm = DERWriter.objectIdentifier(OID.ecPublicKey) + DERWriter.objectIdentifier(OID.prime256v1)
        return DERWriter.sequence(DERWriter.sequence(algorithm) + DERWriter.bitString(key.x963))
    }

    /// 1 to 64 characters of UTF-8 without control characters.
    private static func isName(_ name: Bytes) -> Bool {
        var index = 0
        var count = 0
        while index < name.count {
            guard let (scalar, length) = UTF8Text.scalar(in: name, at: index), scalar >= 0x20,
                !(0x7F..<0xA0).contains(scalar)
            else { return false }
            index += length
            count += 1
        }
        return count >= 1 && count <= 64
    }

    private static func isAddress(_ text: Bytes) -> Bool {
        !text.isEmpty && text.count <= 255 && text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
