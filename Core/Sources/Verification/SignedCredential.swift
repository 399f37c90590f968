public import Documents
public import Encodings

/// A credential that waits for its issuer's signature.
///
/// If the key is elsewhere, its two parts are kept until the signature comes.
public struct UnsignedCredential: Sendable {
    /// The bytes to be signed with ES256.
    public let signingInput: Bytes
    /// All disclosures as they will follow the signature, each ended by `~`: for the holder only.
    public let disclosures: Bytes

    /// Takes up a credential whose parts were kept.
    public init(signingInput: Bytes, disclosures: Bytes) {
        self.signingInput = signingInput
        self.disclosures = disclosures
    }

    init(_ signable: SignableSDJWT) {
        signingInput = signable.signingInput
        var text: Bytes = []
        for disclosure in signable.disclosures {
            text.append(contentsOf: disclosure.encoded)
            text.append(0x7E)
        }
        disclosures = text
    }

    /// Puts signature and file to it.
    ///
    /// - Parameters:
    ///   - signature: r and s, 64 bytes.
    ///   - content: the file's bytes; they must be those that the credential speaks of.
    /// - Throws: `badSignature`, `credential`, `otherFile` or `fileMissing`.
    public func signed<Suite: CryptoSuite>(
        _ signature: Bytes, content: Bytes?, suite: Suite
    ) throws(CredentialDraftError) -> SignedCredential {
        guard signature.count == 64 else { throw .badSignature }
        let text = CompactJWS.text(signingInput: signingInput, signature: signature) + [0x7E] + disclosures
        let credential: UnverifiedSDJWT
        do { credential = try UnverifiedSDJWT.parse(text) } catch { throw .credential(error) }
        let document = try Self.document(content, in: credential, suite)
        return SignedCredential(
            digest: credential.credentialDigest(suite: suite),
            package: DocumentPackage(credential: text, document: document))
    }

    /// The file with the name and type that the credential gives it.
    private static func document<Suite: CryptoSuite>(
        _ content: Bytes?, in credential: UnverifiedSDJWT, _ suite: Suite
    ) throws(CredentialDraftError) -> AttachedDocument? {
        let claim = credential.disclosures.first { $0.name?.equals("document") ?? false }
        guard let claim else {
            guard content == nil else { throw .fileMissing }
            return nil
        }
        guard let content else { throw .fileMissing }
        guard let descriptor = try? DocumentDescriptor(json: claim.value),
            let document = AttachedDocument(
                name: descriptor.name, mediaType: descriptor.mediaType, content: content),
            descriptor.matches(document, suite: suite)
        else { throw .otherFile }
        return document
    }
}

/// A signed credential with its file, to be sealed to its holder.
public struct SignedCredential: Sendable {
    /// SHA-256 of the issuer-signed JWT, 32 bytes: its name in the transparency log.
    public let digest: Bytes
    /// What is sealed.
    public let package: DocumentPackage

    fileprivate init(digest: Bytes, package: DocumentPackage) {
        self.digest = digest
        self.package = package
    }
}
