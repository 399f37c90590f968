/// Why an act on certifications is refused.
enum DelegationError: Error, Equatable {
    case notFound
    case wrongState
    /// The key is malformed, or the administrator's wallet did not prove that it holds it.
    case invalidKey
    /// The certificate is not by the main administrator, or not exactly for this key, place and capabilities.
    case invalidCertificate
    /// The caller has no certificate with the capability that this act needs.
    case notCertified
}
