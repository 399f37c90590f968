public import Encodings

extension CertificatePath {
    /// Checks a certificate as a main administrator's: an authority directly below the pinned root, at this time.
    ///
    /// - Throws: the first refusal.
    public static func checkAuthority<Suite: CryptoSuite>(
        _ certificate: Certificate, root: TrustAnchor, at time: Int64, suite: Suite
    ) throws(CertificateError) {
        let anchor = root.certificate
        try checkValidity(anchor, at: time)
        guard isSigned(anchor, by: anchor, suite: suite) else { throw .rootNotSelfSigned }
        guard certificate.subject != certificate.issuer else { throw .selfIssued }
        try checkIssuance(of: certificate, by: anchor, root: root, at: time)
        guard certificate.isAuthority else { throw .issuerNotAuthority }
        guard certificate.extensions.mayIssue else { throw .issuerMayNotSign }
        guard isSigned(certificate, by: anchor, suite: suite) else { throw .badSignature }
    }
}
