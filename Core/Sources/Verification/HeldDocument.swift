public import Certificates
public import Documents
public import Encodings
public import Transparency

/// The server's list entry for a document: mere claims, until the document and its receipt agree.
public struct ListedDocument: Sendable {
    /// SHA-256 of the issuer-signed JWT, base64url.
    public let credentialDigest: Bytes
    /// The name of its type in the catalogue.
    public let type: Bytes
    /// The log's receipt of its issue, a tlog-proof text.
    public let receipt: Bytes

    /// What is listed.
    public init(credentialDigest: Bytes, type: Bytes, receipt: Bytes) {
        self.credentialDigest = credentialDigest
        self.type = type
        self.receipt = receipt
    }
}

/// A holder's own document, completely verified: its contents, its record in the log, and that it is the holder's.
///
/// Only `verified` makes one.
public struct HeldDocument: Sendable {
    /// The always visible claims.
    public let claims: CredentialClaims
    /// The claims of the issuer, which the holder may show or keep to themselves, including `document`.
    public let fields: [JSON.Member]
    /// The file.
    public let document: AttachedDocument?
    /// The name of the administrator who signed, UTF-8, from their validated certificate.
    public let signer: Bytes
    /// The name of the organisation for people, UTF-8: the certificates' and the credential's.
    public let organisation: Bytes
    /// The log's record of the issue.
    public let act: VerifiedReceipt
    /// The SD-JWT with all disclosures.
    public let credential: Bytes
    /// The status lists that tell about the credential and about its signer; one list may be named twice.
    public let statusURIs: [Bytes]

    /// Verifies a package that was opened with the holder's key.
    ///
    /// Certificates live shortly: they must have been valid when the log recorded the act.
    /// - Parameters:
    ///   - listed: what the server says about it.
    ///   - holderKey: the signing key of the holder's device, to which the credential must be bound.
    ///   - root: the pinned root.
    ///   - policy: whose log is believed, and with how many witnesses.
    public static func verified<Suite: CryptoSuite>(
        _ package: DocumentPackage, listed: ListedDocument, holderKey: P256PublicKey, root: TrustAnchor,
        policy: LogPolicy, suite: Suite
    ) throws(HeldDocumentError) -> HeldDocument {
        let credential: UnverifiedSDJWT
        let certificates: [Bytes]
        do {
            credential = try UnverifiedSDJWT.parse(package.credential)
            certificates = try credential.certificates()
        } catch {
            throw .credential(error)
        }
        let digest = Base64.encode(credential.credentialDigest(suite: suite), .url)
        guard digest == listed.credentialDigest else { throw .notTheListed }
        let isIdentity = listed.type.equals("identity")
        let act = try act(listed, isIdentity: isIdentity, policy: policy, suite: suite)
        let path: ValidatedPath
        do {
            path = try CertificatePath.validate(
                chain: certificates, root: root, purpose: isIdentity ? .identity : .documents, at: act.entry.time,
                suite: suite)
        } catch {
            throw .certificate(error)
        }
        let content: VerifiedSDJWT
        do {
            content = try credential.signed(by: path.publicKey, suite: suite).processed(suite: suite)
        } catch {
            throw .credential(error)
        }
        let claims: CredentialClaims
        do { claims = try CredentialClaims(payload: content.payload) } catch { throw .claims(error) }
        guard claims.issuer == path.publicURL, claims.typeName == listed.type else { throw .otherIssuerOrType }
        guard claims.holderKey == holderKey else { throw .otherHolder }
        try compare(package.document, with: content.claims["document"], suite)
        var statusURIs: [Bytes] = []
        if let status = claims.status { statusURIs.append(status.uri) }
        for certificate in [path.leaf] + path.intermediates {
            if let status = certificate.statusReference { statusURIs.append(status.uri) }
        }
        return HeldDocument(
            claims: claims, fields: content.disclosed, document: package.document, signer: path.commonName,
            organisation: OrganisationName.shown(certified: path.organisation, stated: claims.issuerName), act: act,
            credential: package.credential, statusURIs: statusURIs)
    }

    /// The log's record that this credential was issued.
    private static func act<Suite: CryptoSuite>(
        _ listed: ListedDocument, isIdentity: Bool, policy: LogPolicy, suite: Suite
    ) throws(HeldDocumentError) -> VerifiedReceipt {
        let act: VerifiedReceipt
        do {
            act = try Receipt.verify(listed.receipt, policy: policy, suite: suite)
        } catch {
            throw .receipt(error)
        }
        guard act.entry.type.equals(isIdentity ? "member.identified" : "document.issued") else { throw .otherAct }
        guard let credential = act.record["credential"]?.string, credential == listed.credentialDigest else {
            throw .otherCredential
        }
        return act
    }

    private static func compare<Suite: CryptoSuite>(
        _ document: AttachedDocument?, with claim: JSON?, _ suite: Suite
    ) throws(HeldDocumentError) {
        guard let claim else {
            guard document == nil else { throw .fileMissing }
            return
        }
        guard let document else { throw .fileMissing }
        let descriptor: DocumentDescriptor
        do { descriptor = try DocumentDescriptor(json: claim) } catch { throw .claims(error) }
        guard descriptor.matches(document, suite: suite) else { throw .otherFile }
    }
}
