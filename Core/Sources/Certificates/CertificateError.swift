public import Encodings

/// Why a certificate, or a path of them, is refused.
///
/// Each refusal has its own case.
public enum CertificateError: Error, Equatable, Sendable {
    // Reading one certificate.

    /// Longer than 8 KiB.
    case tooLarge
    /// Not the DER of a certificate.
    case malformed(DERError)
    /// Not version 3.
    case unsupportedVersion
    /// A serial number that is zero, negative or longer than 16 bytes.
    case badSerialNumber
    /// Signed with anything but ecdsa-with-SHA256; SHA-1 and RSA among them.
    case unsupportedAlgorithm
    /// The signed and the unsigned algorithm identifier differ.
    case algorithmMismatch
    /// A key that is not an uncompressed point on P-256.
    case unsupportedKey
    /// A signature that is not the DER of r and s.
    case malformedSignature
    /// A name that is empty, has a multi-valued part, the same attribute twice, or text that is neither UTF-8 nor
    /// printable.
    case badName
    /// A time that is impossible or not in the one form that RFC 5280 section 4.1.2.5 allows for it.
    case badTime
    /// Ends before it begins.
    case emptyValidity
    /// Two extensions of one kind.
    case duplicateExtension
    /// A critical extension that we do not know.
    case unknownCriticalExtension
    /// An extension of a known kind with content outside the profile.
    case badExtension(ExtensionKind)
    /// An extension that the profile asks for is absent.
    case missingExtension(ExtensionKind)
    /// An extension is critical that must not be, or the other way round.
    case wrongCriticality(ExtensionKind)

    // Following a path.

    /// More than four certificates, the root among them.
    case pathTooLong
    /// The pinned root is not signed by its own key under its own name.
    case rootNotSelfSigned
    /// An authority in the path is issued under its own name: only the pinned root may be.
    case selfIssued
    /// An issuer's name is not the subject of the next certificate.
    case issuerNameMismatch
    /// The authority key identifier is not the issuer's subject key identifier: another key of the same name.
    case issuerKeyMismatch
    /// A certificate was signed by a holder who may not issue any.
    case issuerNotAuthority
    /// An issuer's key usage lacks the signing of certificates.
    case issuerMayNotSign
    /// More authorities follow than an issuer's path length allows.
    case pathLengthExceeded
    /// The last certificate belongs to an authority.
    case leafIsAuthority
    /// The last certificate's key usage lacks digital signatures or holds more than them.
    case wrongKeyUsage
    /// The extended key usage does not hold the purpose asked for.
    case wrongPurpose
    /// A key of the server, for status lists or hand signatures, that the root did not certify itself.
    case statusSignerNotByRoot
    /// A certificate names another organisation or another public URL than the root.
    case foreignOrganisation
    /// Used before its validity.
    case notYetValid
    /// Used after its validity.
    case expired
    /// The signature is not by the issuer's key.
    case badSignature
}

/// The kinds of extension that the profile knows.
public enum ExtensionKind: Equatable, Sendable {
    /// Subject key identifier (RFC 5280 section 4.2.1.2).
    case subjectKeyIdentifier
    /// Key usage (section 4.2.1.3).
    case keyUsage
    /// Subject alternative name (section 4.2.1.6): the organisation's public URL.
    case subjectAlternativeName
    /// Basic constraints (section 4.2.1.9).
    case basicConstraints
    /// Name constraints (section 4.2.1.10), which the profile has no use for: refused, critical or not.
    case nameConstraints
    /// Authority key identifier (section 4.2.1.1).
    case authorityKeyIdentifier
    /// Extended key usage (section 4.2.1.12).
    case extendedKeyUsage
    /// Our own: where the certificate's status is published.
    case statusReference
}
