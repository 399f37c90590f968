internal import Encodings

/// Chains of attestation certificates up to a configured root (RFC 5280 section 6, without policies and revocation).
enum AttestationChain {
    /// More certificates are not looked at.
    static let maximumCount = 6

    /// Follows the chain up from the attestation certificate until a configured root answers for it.
    ///
    /// The chain comes from the client that registers, so nothing in it is an anchor, not even a self-signed
    /// certificate. Certificates after the one that a root answers for are not needed and not looked at; makers send
    /// their root along.
    /// - Throws: `untrustedRoot` when none does; or what is wrong on the way.
    static func root<Suite: PasskeyCryptoSuite>(
        of chain: [AttestationCertificate], among roots: [TrustedAttestationRoot], at time: Int64, suite: Suite
    ) throws(AttestationFault) -> TrustedAttestationRoot {
        for index in 0..<chain.count {
            let certificate = chain[index]
            try certificate.checkValidity(at: time)
            try certificate.checkCriticalExtensions()
            if index > 0 { try certificate.checkAuthority(authoritiesBelow: index - 1) }
            if let root = pinned(certificate, among: roots) { return root }
            if let root = try issuer(of: certificate, among: roots, authoritiesBelow: index, at: time, suite: suite) {
                return root
            }
            guard index + 1 < chain.count else { break }
            let next = chain[index + 1]
            guard certificate.issuer == next.subject, certificate.isSigned(by: next.publicKey, suite: suite) else {
                throw .brokenChain
            }
        }
        throw .untrustedRoot
    }

    /// The root that is this very certificate: a maker's list may name attestation certificates themselves.
    private static func pinned(
        _ certificate: AttestationCertificate, among roots: [TrustedAttestationRoot]
    ) -> TrustedAttestationRoot? {
        for root in roots where root.certificate.der == certificate.der { return root }
        return nil
    }

    /// The root that signed this certificate: by its name and by its key.
    private static func issuer<Suite: PasskeyCryptoSuite>(
        of certificate: AttestationCertificate, among roots: [TrustedAttestationRoot], authoritiesBelow count: Int,
        at time: Int64, suite: Suite
    ) throws(AttestationFault) -> TrustedAttestationRoot? {
        for root in roots where root.certificate.subject == certificate.issuer {
            guard certificate.isSigned(by: root.certificate.publicKey, suite: suite) else { continue }
            try root.certificate.checkValidity(at: time)
            try root.certificate.checkAuthority(authoritiesBelow: count)
            return root
        }
        return nil
    }
}
