public import Encodings

extension CertificatePath {
    /// Reads a chain and follows it to the pinned root.
    ///
    /// - Parameters:
    ///   - chain: certificates in DER, the leaf first, without the root.
    ///   - root: the pinned root.
    ///   - purpose: what the leaf must be good for.
    ///   - time: seconds since 1970 at which all must be valid.
    ///   - suite: checks the signatures.
    /// - Throws: what is wrong with a certificate, or the first refusal on the way down; `pathTooLong` for no
    ///   certificate at all.
    public static func validate<Suite: CryptoSuite>(
        chain: [Bytes], root: TrustAnchor, purpose: CertificatePurpose, at time: Int64, suite: Suite
    ) throws(CertificateError) -> ValidatedPath {
        guard !chain.isEmpty, chain.count < maximumCount else { throw .pathTooLong }
        var certificates: [Certificate] = []
        for der in chain { certificates.append(try Certificate.parse(der)) }
        let leaf = certificates.removeFirst()
        return try validate(
            leaf: leaf, intermediates: certificates, root: root, purpose: purpose, at: time, suite: suite)
    }
}
