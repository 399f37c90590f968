public import Certificates
internal import Crypto
public import Encodings
internal import Foundation
internal import SwiftASN1
internal import X509

/// Why a certificate is not issued.
public enum IssuingError: Error, Equatable, Sendable {
    /// A name that is empty or has control characters; longer ones are shortened.
    case badName
    /// A public URL or status address that is not visible ASCII, or a negative status index.
    case badAddress
    /// The public key is not a point on P-256.
    case badKey
    /// The issuer's certificate is not the one of the issuer's key, or may not issue this kind.
    case wrongIssuer
    /// The validity ends before it begins, or begins after the issuer's has ended.
    case badValidity
    /// The result would not be read back; nothing was issued.
    case failed
}

/// The issuer: a key and the certificate over it.
public struct IssuingAuthority: Sendable {
    let key: SigningKey
    let certificate: Certificates.Certificate

    /// An authority from its key and its certificate's DER.
    ///
    /// - Throws: `wrongIssuer` unless the certificate is an authority's, over this very key.
    public init(key: SigningKey, certificate der: Bytes) throws(IssuingError) {
        guard let certificate = try? Certificates.Certificate.parse(der), certificate.isAuthority,
            certificate.publicKey == key.publicKey, certificate.organisation != nil
        else { throw .wrongIssuer }
        self.key = key
        self.certificate = certificate
    }

    /// The certificate, DER.
    public var certificateDER: Bytes { certificate.der }

    /// Whether this is a root: issued under its own name.
    var isRoot: Bool { certificate.subject == certificate.issuer }
}

/// Issues the five kinds of certificate of our profile, each as DER that `CertificatePath.validate` accepts.
///
/// Times are seconds since 1970. A certificate never outlives its issuer: a longer duration is cut.
public enum CertificateIssuer {
    /// Ten years of 365 days, in seconds.
    public static let rootDuration: Int64 = 3650 * 86400
    /// Two years.
    public static let mainAdministratorDuration: Int64 = 730 * 86400
    /// 90 days.
    public static let administratorDuration: Int64 = 90 * 86400
    /// Two years; renewed when one year is left, so the root may be away for that year.
    public static let statusSignerDuration: Int64 = 730 * 86400

    /// Issues the root over its own key.
    ///
    /// - Parameters:
    ///   - organisation: its name; one of more than 59 code points is shortened here.
    ///   - publicURL: of the organisation's server; every certificate below names it too.
    ///   - random: for the serial number.
    public static func root(
        organisation: String, publicURL: String, key: SigningKey, notBefore: Int64, duration: Int64 = rootDuration,
        random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        let suffix = " Root"
        let organisation = shortened(organisation, to: longestName - suffix.count)
        let subject = try name(organisation + suffix, organisation: organisation)
        let profile = CertificateProfile(
            subject: subject, issuer: subject, publicURL: publicURL, subjectKey: key.publicKey, authorityKey: nil,
            notBefore: notBefore, notAfter: notBefore + duration, kind: .root)
        return try profile.issue(signedBy: key, random: &random)
    }

    /// Issues the main administrator's certificate; the issuer is the root.
    ///
    /// - Parameter status: the place reserved for its revocation.
    public static func mainAdministrator(
        name: String, key: P256PublicKey, status: StatusReference? = nil, issuer: IssuingAuthority, notBefore: Int64,
        duration: Int64 = mainAdministratorDuration, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        guard issuer.isRoot else { throw .wrongIssuer }
        return try issue(
            .mainAdministrator(status), name: name, key: key, issuer: issuer, notBefore: notBefore, duration: duration,
            random: &random)
    }

    /// Issues an administrator's certificate; the issuer is the main administrator, in their wallet.
    ///
    /// - Parameters:
    ///   - capabilities: at least one.
    ///   - status: the place reserved for its revocation.
    public static func administrator(
        name: String, key: P256PublicKey, capabilities: Capabilities, status: StatusReference,
        issuer: IssuingAuthority, notBefore: Int64, duration: Int64 = administratorDuration,
        random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        guard !issuer.isRoot, !capabilities.isEmpty else { throw .wrongIssuer }
        return try issue(
            .administrator(capabilities, status), name: name, key: key, issuer: issuer, notBefore: notBefore,
            duration: duration, random: &random)
    }

    /// Issues the certificate of the key that signs status lists; the issuer is the root.
    public static func statusSigner(
        name: String = "Status Signer", key: P256PublicKey, issuer: IssuingAuthority, notBefore: Int64,
        duration: Int64 = statusSignerDuration, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        guard issuer.isRoot else { throw .wrongIssuer }
        return try issue(
            .statusSigner, name: name, key: key, issuer: issuer, notBefore: notBefore, duration: duration,
            random: &random)
    }

    /// Issues the certificate of the key that signs records and reports of hand signatures; the issuer is the root.
    public static func deskSigner(
        name: String = "Desk Signer", key: P256PublicKey, issuer: IssuingAuthority, notBefore: Int64,
        duration: Int64 = statusSignerDuration, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        guard issuer.isRoot else { throw .wrongIssuer }
        return try issue(
            .deskSigner, name: name, key: key, issuer: issuer, notBefore: notBefore, duration: duration,
            random: &random)
    }

    private static func issue(
        _ kind: CertificateProfile.Kind, name commonName: String, key: P256PublicKey, issuer: IssuingAuthority,
        notBefore: Int64, duration: Int64, random: inout some RandomNumberGenerator
    ) throws(IssuingError) -> Bytes {
        let authority = issuer.certificate
        let organisation = String(decoding: authority.organisation ?? [], as: UTF8.self)
        guard let parsed = try? DER.parse(authority.subject.der),
            let issuerName = try? X509.DistinguishedName(derEncoded: parsed)
        else { throw .wrongIssuer }
        let subject = try name(shortened(commonName, to: longestName), organisation: organisation)
        // Path validation takes an authority under its issuer's name for a self-issued one.
        if case .mainAdministrator = kind, subject == issuerName { throw .badName }
        let profile = CertificateProfile(
            subject: subject, issuer: issuerName, publicURL: String(decoding: authority.publicURL, as: UTF8.self),
            subjectKey: key, authorityKey: authority.keyIdentifier, notBefore: notBefore,
            notAfter: min(notBefore + duration, authority.notAfter), kind: kind)
        let der = try profile.issue(signedBy: issuer.key, random: &random)
        // Chaining compares bytes, and the name went through another library.
        guard let issued = try? Certificates.Certificate.parse(der), issued.issuer == authority.subject else {
            throw .failed
        }
        return der
    }

    /// Code points in a name (X.520, upper bounds of common and organization name).
    private static let longestName = 64

    /// The beginning of a name that is too long, at a whole character and with an ellipsis.
    private static func shortened(_ text: String, to most: Int) -> String {
        guard text.unicodeScalars.count > most else { return text }
        var kept = ""
        for character in text {
            guard kept.unicodeScalars.count + character.unicodeScalars.count < most else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func name(
        _ commonName: String, organisation: String
    ) throws(IssuingError) -> X509.DistinguishedName {
        for text in [commonName, organisation] {
            let scalars = text.unicodeScalars
            guard (1...longestName).contains(scalars.count), scalars.allSatisfy({ !$0.properties.isControl }) else {
                throw .badName
            }
        }
        return X509.DistinguishedName([
            RelativeDistinguishedName(.init(type: .RDNAttributeType.organizationName, utf8String: organisation)),
            RelativeDistinguishedName(.init(type: .RDNAttributeType.commonName, utf8String: commonName)),
        ])
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control }
}
