/// Why an attestation statement does not hold (WebAuthn Level 3 section 8).
public enum AttestationFault: Error, Equatable, Sendable {
    /// Members are missing or of the wrong kind, or the statement of `none` is not empty.
    case malformedStatement
    /// The algorithm of the statement does not fit the key that is to check it.
    case algorithmMismatch
    /// The signature is not by the attestation key over these data.
    case badSignature
    /// The attested key is not the credential's.
    case keyMismatch

    // The attestation certificate.

    /// The bytes are not the DER of an X.509 certificate, or its key is of an unsupported kind.
    case malformedCertificate
    /// Not a version 3 certificate.
    case wrongVersion
    /// The subject is not what section 8.2.1 (packed) or 8.3.1 (tpm: empty) demands.
    case wrongSubject
    /// The certificate is an authority's, or does not say that it is none.
    case authorityCertificate
    /// The certificate is for another model of authenticator.
    case wrongAAGUID
    /// The extension with the model is critical or malformed.
    case malformedAAGUIDExtension

    // tpm (section 8.3).

    /// Not a TPM 2.0 statement.
    case wrongTPMVersion
    /// A structure of the TPM cannot be read or has values that no signing key has.
    case malformedTPMStructure
    /// The structure was not made by a TPM: its magic is another.
    case notGeneratedByTPM
    /// The structure does not certify a key.
    case notCertified
    /// The structure was made for other data.
    case wrongExtraData
    /// The structure certifies another key.
    case wrongName
    /// A hash function that we do not support: SHA-1, for instance.
    case unsupportedHash
    /// The alternative name lacks manufacturer, model or version of the TPM.
    case wrongAlternativeName
    /// The extended key usage lacks tcg-kp-AIKCertificate.
    case wrongKeyPurpose

    // android-key (section 8.4) and apple (section 8.8).

    /// The extension that describes the key is absent or cannot be read.
    case malformedKeyDescription
    /// The key was attested for other data.
    case wrongAttestationChallenge
    /// Every application on the device may use the key.
    case keyForAllApplications
    /// The key was not generated on the device.
    case keyNotGenerated
    /// The key is for another purpose than signing, or for more.
    case keyNotForSigning
    /// Apple's nonce is absent or for other data.
    case wrongNonce

    // The chain.

    /// More certificates than allowed.
    case chainTooLong
    /// A certificate is not signed by the next one, or not under its name.
    case brokenChain
    /// No configured root issued any certificate of the chain; a root inside the chain never counts.
    case untrustedRoot
    /// Used before its validity.
    case notYetValid
    /// Used after its validity.
    case expired
    /// The issuer is not an authority, or may not sign certificates.
    case issuerNotAuthority
    /// More authorities follow than an issuer's path length allows.
    case pathLengthExceeded
    /// A critical extension that we do not know.
    case unknownCriticalExtension
}
