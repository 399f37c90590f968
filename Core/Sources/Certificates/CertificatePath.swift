public import Encodings

/// A leaf with everything that its path to the pinned root proved.
///
/// Only `CertificatePath.validate` makes one.
public struct ValidatedPath: Sendable {
    /// The certificate at the end.
    public let leaf: Certificate
    /// The certificates between leaf and root, the leaf's issuer first.
    public let intermediates: [Certificate]
    /// The pinned root that it leads to.
    public let root: TrustAnchor
    /// What it was validated for.
    public let purpose: CertificatePurpose

    /// The leaf's key.
    public var publicKey: P256PublicKey { leaf.publicKey }
    /// The leaf's name, UTF-8; empty when it has none.
    public var commonName: Bytes { leaf.commonName ?? [] }
    /// The organisation, UTF-8, the same in the whole path.
    public var organisation: Bytes { root.organisation }
    /// The organisation's public URL, ASCII, the same in the whole path.
    public var publicURL: Bytes { root.publicURL }
    /// What the leaf permits.
    public var capabilities: Capabilities { leaf.capabilities }
    /// Where the leaf's status is published, or `nil`.
    public var statusReference: StatusReference? { leaf.statusReference }

    fileprivate init(leaf: Certificate, intermediates: [Certificate], root: TrustAnchor, purpose: CertificatePurpose) {
        self.leaf = leaf
        self.intermediates = intermediates
        self.root = root
        self.purpose = purpose
    }
}

/// Path validation (RFC 5280 section 6) narrowed to our profile: one algorithm, one order, one pinned root.
public enum CertificatePath {
    /// A path has at most so many certificates, the root among them.
    public static let maximumCount = 4

    /// Follows a path from the pinned root down to the leaf.
    ///
    /// - Parameters:
    ///   - leaf: the certificate in question.
    ///   - intermediates: the certificates between it and the root, the leaf's issuer first, without the root.
    ///   - root: the pinned root.
    ///   - purpose: what the leaf must be good for.
    ///   - time: seconds since 1970 at which all must be valid.
    ///   - suite: checks the signatures.
    /// - Throws: the first refusal, met on the way down.
    public static func validate<Suite: CryptoSuite>(
        leaf: Certificate, intermediates: [Certificate], root: TrustAnchor, purpose: CertificatePurpose,
        at time: Int64, suite: Suite
    ) throws(CertificateError) -> ValidatedPath {
        guard intermediates.count + 2 <= maximumCount else { throw .pathTooLong }
        if purpose.isByRootOnly, !intermediates.isEmpty { throw .statusSignerNotByRoot }
        let anchor = root.certificate
        try checkValidity(anchor, at: time)
        guard isSigned(anchor, by: anchor, suite: suite) else { throw .rootNotSelfSigned }

        var issuer = anchor
        var allowed = anchor.extensions.pathLength ?? maximumCount
        for certificate in intermediates.reversed() {
            guard certificate.subject != certificate.issuer else { throw .selfIssued }
            try checkIssuance(of: certificate, by: issuer, root: root, at: time)
            guard certificate.isAuthority else { throw .issuerNotAuthority }
            guard certificate.extensions.mayIssue else { throw .issuerMayNotSign }
            guard allowed > 0 else { throw .pathLengthExceeded }
            allowed = min(allowed - 1, certificate.extensions.pathLength ?? maximumCount)
            // An authority that is limited to some purposes cannot hand on others.
            if let usages = certificate.extensions.extendedKeyUsage, !usages.contains(purpose.keyUsage) {
                throw .wrongPurpose
            }
            guard isSigned(certificate, by: issuer, suite: suite) else { throw .badSignature }
            issuer = certificate
        }
        try checkIssuance(of: leaf, by: issuer, root: root, at: time)
        guard !leaf.isAuthority else { throw .leafIsAuthority }
        guard leaf.extensions.maySignDataOnly else { throw .wrongKeyUsage }
        guard let usages = leaf.extensions.extendedKeyUsage, usages.contains(purpose.keyUsage) else {
            throw .wrongPurpose
        }
        guard isSigned(leaf, by: issuer, suite: suite) else { throw .badSignature }
        return ValidatedPath(leaf: leaf, intermediates: intermediates, root: root, purpose: purpose)
    }

    /// What holds for every certificate below the root.
    static func checkIssuance(
        of certificate: Certificate, by issuer: Certificate, root: TrustAnchor, at time: Int64
    ) throws(CertificateError) {
        guard certificate.issuer == issuer.subject else { throw .issuerNameMismatch }
        guard let authorityKey = certificate.extensions.authorityKeyIdentifier else {
            throw .missingExtension(.authorityKeyIdentifier)
        }
        guard authorityKey == issuer.keyIdentifier else { throw .issuerKeyMismatch }
        guard certificate.organisation == root.certificate.organisation,
            certificate.publicURL == root.publicURL
        else { throw .foreignOrganisation }
        try checkValidity(certificate, at: time)
    }

    static func checkValidity(_ certificate: Certificate, at time: Int64) throws(CertificateError) {
        guard time >= certificate.notBefore else { throw .notYetValid }
        guard time <= certificate.notAfter else { throw .expired }
    }

    static func isSigned<Suite: CryptoSuite>(
        _ certificate: Certificate, by issuer: Certificate, suite: Suite
    ) -> Bool {
        suite.isValidP256(certificate.signature, over: certificate.signedBytes, publicKey: issuer.publicKey.x963)
    }
}
