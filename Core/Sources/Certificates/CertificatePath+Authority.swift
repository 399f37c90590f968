public import Encodings

extension CertificatePath {
    /// Checks a certificate that the root gave to an authority: the main administrator's.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970 at which both must be valid.
    /// - Returns: the authority's key.
    /// - Throws: the first refusal.
    public static func validate<Suite: CryptoSuite>(
        authority certificate: Certificate, root: TrustAnchor, at time: Int64, suite: Suite
    ) throws(CertificateError) -> P256PublicKey {
        let anchor = root.certificate
        try checkValidity(anchor, at: time)
        guard isSigned(anchor, by: anchor, suite: suite) else { throw .rootNotSelfSigned }
        guard certificate.subject != certificate.issuer else { throw .selfIssued }
        try checkIssuance(of: certificate, by: anchor, root: root, at: time)
        guard certificate.isAuthority else { throw .issuerNotAuthority }
        guard certificate.extensions.mayIssue else { throw .issuerMayNotSign }
        guard isSigned(certificate, by: anchor, suite: suite) else { throw .badSignature }
        return certificate.publicKey
    }
}
