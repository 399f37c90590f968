public import Encodings

/// A certificate that the operator trusts to vouch for authenticators: a maker's root, or one attestation certificate.
///
/// It is a type of its own, so that no certificate from a registration can pass for it.
public struct TrustedAttestationRoot: Sendable, Equatable {
    let certificate: AttestationCertificate

    /// Takes a configured certificate.
    ///
    /// - Parameter der: as its maker published it.
    /// - Throws: `attestation(.malformedCertificate)`.
    public init(der: Bytes) throws(PasskeyError) {
        do throws(AttestationFault) {
            certificate = try AttestationCertificate(der: der)
        } catch { throw .attestation(error) }
    }

    /// SHA-256 of the DER, 32 bytes.
    public var fingerprint: Bytes { SHA256.hash(certificate.der) }

    /// Two roots are the same when their DER is.
    public static func == (left: TrustedAttestationRoot, right: TrustedAttestationRoot) -> Bool {
        left.certificate.der == right.certificate.der
    }
}
