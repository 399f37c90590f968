public import Certificates
public import Documents
public import Transparency

/// Why a document that was opened is not shown to its holder.
public enum HeldDocumentError: Error, Equatable, Sendable {
    /// The credential, its signature or its disclosures are refused.
    case credential(SDJWTError)
    /// Another credential than the one that the server lists.
    case notTheListed
    /// The receipt is refused.
    case receipt(TransparencyError)
    /// The receipt proves another kind of act.
    case otherAct
    /// The receipt proves the issue of another credential.
    case otherCredential
    /// The signer's certificates are refused for the time of the act.
    case certificate(CertificateError)
    /// A visible claim is missing or not what the profile asks for.
    case claims(CredentialClaimError)
    /// Another issuer than the certificates name, or another type than the listed one.
    case otherIssuerOrType
    /// Bound to another key than the holder's.
    case otherHolder
    /// The file is not the one that was signed.
    case otherFile
    /// The file is missing, or there is one that the credential does not speak of.
    case fileMissing
}
