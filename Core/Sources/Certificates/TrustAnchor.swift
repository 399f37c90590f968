public import Encodings

/// The root that a verifier has pinned: trust by the bytes of one certificate that came another way than the path.
///
/// It is a type of its own, so that no certificate found in a file can pass for it.
public struct TrustAnchor: Sendable, Equatable {
    /// The pinned certificate.
    public let certificate: Certificate

    /// Takes the pinned certificate.
    ///
    /// - Parameter der: as the organisation handed it out.
    /// - Throws: when it is no authority's certificate under its own name, or names no organisation.
    public init(der: Bytes) throws(CertificateError) {
        certificate = try Certificate.parse(der)
        guard certificate.subject == certificate.issuer else { throw .rootNotSelfSigned }
        if let authorityKey = certificate.extensions.authorityKeyIdentifier {
            guard authorityKey == certificate.keyIdentifier else { throw .rootNotSelfSigned }
        }
        guard certificate.organisation != nil else { throw .badName }
        guard certificate.isAuthority else { throw .issuerNotAuthority }
        guard certificate.extensions.mayIssue else { throw .issuerMayNotSign }
    }

    /// SHA-256 of the DER, 32 bytes: what a person compares.
    public var fingerprint: Bytes { certificate.fingerprint }

    /// The organisation, UTF-8.
    public var organisation: Bytes { certificate.organisation ?? [] }

    /// The organisation's public URL, ASCII.
    public var publicURL: Bytes { certificate.publicURL }
}
