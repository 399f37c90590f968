public import Encodings

/// A kind of certified attestation statement (WebAuthn Level 3 section 8).
public enum AttestationFormat: Sendable, Equatable {
    /// Section 8.2.
    case packed
    /// Section 8.3.
    case tpm
    /// Section 8.4.
    case androidKey
    /// Section 8.6.
    case fidoU2F
    /// Section 8.8.
    case apple

    /// The registered identifier, ASCII.
    public var name: Bytes {
        switch self {
        case .packed: Bytes(text: "packed")
        case .tpm: Bytes(text: "tpm")
        case .androidKey: Bytes(text: "android-key")
        case .fidoU2F: Bytes(text: "fido-u2f")
        case .apple: Bytes(text: "apple")
        }
    }
}

/// The facts about the authenticator that holds a credential (WebAuthn Level 3 section 6.5.3).
public enum Attestation: Sendable, Equatable {
    /// Nothing: format `none`.
    case none
    /// Only that the credential's own key made the statement.
    case selfSigned
    /// The maker vouches for it, down from the configured root with this fingerprint (SHA-256 of its DER).
    case certified(AttestationFormat, root: Bytes)
    /// An unknown maker vouches for it: accepted only with `acceptsUnrootedAttestation`, and worth nothing.
    case unrooted(AttestationFormat)
}

/// The subject of a statement: the inputs of every verification procedure (section 6.5.2).
struct AttestationSubject {
    let authenticatorData: AuthenticatorData
    let credential: AttestedCredential
    let clientDataHash: Bytes

    /// Authenticator data and hash of the client data, one after the other.
    var signedBytes: Bytes { authenticatorData.bytes + clientDataHash }

    var key: PublicKey { credential.key.publicKey }
}

/// A statement that holds in itself; nothing has been said yet about who issued the certificates.
enum AttestationProof {
    case none
    case selfSigned
    /// The attestation certificate comes first.
    case certified(AttestationFormat, [AttestationCertificate])

    /// Runs the verification procedure of the format.
    static func verify<Suite: PasskeyCryptoSuite>(
        format: Bytes, _ statement: CBOR, of subject: AttestationSubject, suite: Suite
    ) throws(PasskeyError) -> AttestationProof {
        if format.equals("none") {
            guard let members = statement.map, members.isEmpty else { throw .attestation(.malformedStatement) }
            return .none
        }
        do throws(AttestationFault) {
            if format.equals("packed") {
                return try PackedAttestation.verify(statement, of: subject, suite: suite)
            }
            if format.equals("tpm") {
                return .certified(.tpm, try TPMAttestation.verify(statement, of: subject, suite: suite))
            }
            if format.equals("android-key") {
                return .certified(.androidKey, try AndroidKeyAttestation.verify(statement, of: subject, suite: suite))
            }
            if format.equals("fido-u2f") {
                return .certified(.fidoU2F, try FIDOU2FAttestation.verify(statement, of: subject, suite: suite))
            }
            if format.equals("apple") {
                return .certified(.apple, try AppleAttestation.verify(statement, of: subject, suite: suite))
            }
        } catch { throw .attestation(error) }
        throw .unsupportedAttestationFormat
    }

    /// Decides what the statement is worth: the last steps of section 7.1.
    func judged<Suite: PasskeyCryptoSuite>(
        requirements: PasskeyRequirements, roots: [TrustedAttestationRoot], at time: Int64, suite: Suite
    ) throws(PasskeyError) -> Attestation {
        switch self {
        case .none, .selfSigned:
            guard !requirements.requiresCertifiedAttestation else { throw .attestationRequired }
            if case .none = self { return .none }
            return .selfSigned
        case .certified(let format, let chain):
            do throws(AttestationFault) {
                let root = try AttestationChain.root(of: chain, among: roots, at: time, suite: suite)
                return .certified(format, root: root.fingerprint)
            } catch {
                guard requirements.acceptsUnrootedAttestation else { throw .attestation(error) }
                return .unrooted(format)
            }
        }
    }
}
