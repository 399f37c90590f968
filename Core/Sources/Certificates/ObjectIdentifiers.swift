internal import Encodings

/// The content octets of the object identifiers that the profile knows.
///
/// DER gives each identifier exactly one spelling.
enum OID {
    static let ecdsaWithSHA256: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    static let ecPublicKey: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    static let prime256v1: Bytes = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    static let commonName: Bytes = [0x55, 0x04, 0x03]
    static let organisation: Bytes = [0x55, 0x04, 0x0A]

    static let subjectKeyIdentifier: Bytes = [0x55, 0x1D, 0x0E]
    static let keyUsage: Bytes = [0x55, 0x1D, 0x0F]
    static let subjectAlternativeName: Bytes = [0x55, 0x1D, 0x11]
    static let basicConstraints: Bytes = [0x55, 0x1D, 0x13]
    static let nameConstraints: Bytes = [0x55, 0x1D, 0x1E]
    static let authorityKeyIdentifier: Bytes = [0x55, 0x1D, 0x23]
    static let extendedKeyUsage: Bytes = [0x55, 0x1D, 0x25]

    /// id-kp-oauthStatusSigning, 1.3.6.1.5.5.7.3.30.
    static let statusSigning: Bytes = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x1E]

    /// Our own arc, 2.25.4839201756610287365.
    static let arc: Bytes = [0x69, 0xC3, 0x94, 0x93, 0x8B, 0xBC, 0x99, 0xCF, 0xAE, 0x05]
    /// Extended key usage arc.1.1.
    static let identifyMembers: Bytes = arc + [1, 1]
    /// Extended key usage arc.1.2.
    static let signDocuments: Bytes = arc + [1, 2]
    /// Extended key usage arc.1.3.
    static let handSignatures: Bytes = arc + [1, 3]
    /// Extension arc.3.
    static let statusReference: Bytes = arc + [3]
}
