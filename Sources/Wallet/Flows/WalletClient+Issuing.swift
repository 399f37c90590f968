import Certificates
import CryptoProvider
package import Documents
package import Encodings
package import Interface

/// A credential to be signed and sealed.
struct CredentialDraft {
    let type: CatalogueType
    /// The id of the request or check that is answered.
    let subject: String
    let keys: HolderKeys
    let status: Interface.StatusReference
    let fields: [JSON.Member]
    let document: AttachedDocument?
    /// Seconds since 1970.
    let expires: Int64?
    let evidence: (paper: IdentityPaper, holderStatement: String)?
}

/// A document that was signed, sealed and delivered, with its verified receipt.
package struct IssuedDocument: Sendable {
    /// As the server lists it.
    package let info: DocumentInfo
    /// The log's record.
    package let act: LoggedAct
}

extension WalletClient {
    /// Signs what was asked for and sends it, sealed to its holder.
    ///
    /// - Parameters:
    ///   - id: of a request that this administrator has accepted.
    ///   - fields: of the type in the catalogue.
    ///   - document: a PDF mostly.
    ///   - expires: in seconds since 1970.
    package func issue(
        request id: String, fields: [JSON.Member], document: AttachedDocument?, expires: Int64? = nil
    ) async throws -> IssuedDocument {
        if let expires, expires <= now() { throw WalletError.invalid("the document would have expired already") }
        let client = try session()
        let request = try await client.request(id: id)
        guard let type = DocumentCatalogue.type(named: Bytes(text: request.type)) else {
            throw WalletError.invalid("this wallet does not know documents of the type \(request.type)")
        }
        try Self.validate(fields, type)
        let plan = try await client.prepareRequest(id)
        let keys = try HolderKeys(plan.device)
        guard plan.holder.id == request.member.id else { throw WalletError.holderKeysDiffer }
        try checkHolder(plan.holder, keys)
        let draft = CredentialDraft(
            type: type, subject: id, keys: keys, status: plan.status, fields: fields, document: document,
            expires: expires, evidence: nil)
        let (issuance, digest) = try await sign(draft, for: .signDocuments)
        let info = try await client.issueRequest(id, issuance)
        return IssuedDocument(info: info, act: try checkIssued(info, type: "document.issued", digest: digest))
    }

    /// Signs a credential under this wallet's certificate and seals it with its file.
    ///
    /// - Returns: what is sent, and SHA-256 of the issuer-signed JWT, base64url.
    func sign(_ draft: CredentialDraft, for capability: Capability) async throws -> (Issuance, String) {
        try Self.validate(draft.fields, draft.type)
        let authority = try authorityKey()
        let chain = try await certifiedChain(for: capability)
        let claims = CredentialClaims(
            issuer: Bytes(text: wallet.header.publicURL), issuedAt: now(), expiresAt: draft.expires,
            typeName: Bytes(text: draft.type.name), holderKey: draft.keys.signing,
            status: StatusListEntry(uri: Bytes(text: draft.status.uri), index: Int64(draft.status.index)))
        var disclosable = draft.fields
        if let document = draft.document {
            disclosable.append(JSON.Member("document", document.descriptor(suite: suite).json))
        }
        var random = SystemRandomNumberGenerator()
        let signable = try SDJWTBuilder(visible: claims.members, disclosable: disclosable)
            .signable(certificates: chain, random: &random, suite: suite)
        let credential = signable.compact(signature: try authority.sign(signable.signingInput))
        let digest = try UnverifiedSDJWT.parse(credential).credentialDigest(suite: suite).base64URL
        let plain = DocumentPackage(credential: credential, document: draft.document).formatted()
        let sealed = try JWE.seal(plain, to: draft.keys.encryption, type: Self.packageType)
        let statement = try authority.signJWS(
            type: "\(Statement.issuanceType)",
            payload: Statement.issuance(
                audience: wallet.header.publicURL, subject: draft.subject, credentialDigest: digest,
                sealedDigest: SHA256.hash(sealed).base64URL, status: draft.status, evidence: draft.evidence,
                time: now()))
        return (Issuance(sealed: sealed.text, credentialDigest: digest, statement: statement), digest)
    }

    /// Verifies that the log holds what was just signed.
    func checkIssued(_ info: DocumentInfo, type: String, digest: String) throws -> LoggedAct {
        try check(info.receipt, type, [("credential", .text(digest))])
    }

    /// This wallet's certificate and its issuer's, checked against the pinned root.
    func certifiedChain(for capability: Capability) async throws -> [Bytes] {
        let key = try authorityKey().publicKey
        let delegations = try await session().delegations()
        guard
            let delegation = delegations.first(where: {
                $0.state == .certified && $0.authorityKey == key.x963.base64URL && $0.capabilities.contains(capability)
            })
        else { throw WalletError.notCertified }
        let chain = delegation.chain.compactMap(\.fromBase64URL)
        let purpose: CertificatePurpose = capability == .identifyMembers ? .identity : .documents
        let path = try trust().path(chain, purpose: purpose, at: now())
        guard path.publicKey == key else { throw WalletError.badCertificate("it is for another key") }
        return chain
    }

    func authorityKey() throws -> SigningKey { try wallet.authorityKey() }

    /// The `typ` of a sealed package.
    static let packageType = "countersign-package+jwe"

    /// A member whom this wallet has met gets documents for the keys that she showed then.
    private func checkHolder(_ holder: Account, _ keys: HolderKeys) throws(WalletError) {
        let known = wallet.secrets.holders.filter { $0.account == holder.id }
        guard
            known.isEmpty
                || known.contains(where: {
                    $0.signingKey == keys.signing.thumbprint.base64URL
                        && $0.encryptionKey == keys.encryption.thumbprint.base64URL
                })
        else { throw .holderKeysDiffer }
    }

    private static func validate(_ fields: [JSON.Member], _ type: CatalogueType) throws(WalletError) {
        do {
            try type.validate(fields)
        } catch {
            throw .invalid("the field \(error.field.text) is \(error.reason.words)")
        }
    }
}

extension PinnedTrust {
    /// Follows a chain, leaf first without the root, to the pinned root.
    func path(_ chain: [Bytes], purpose: CertificatePurpose, at time: Int64) throws(WalletError) -> ValidatedPath {
        do {
            let certificates = try chain.map { der throws(CertificateError) in try Certificate.parse(der) }
            guard let leaf = certificates.first else { throw CertificateError.pathTooLong }
            return try CertificatePath.validate(
                leaf: leaf, intermediates: Array(certificates.dropFirst()), root: root, purpose: purpose, at: time,
                suite: SwiftCryptoSuite())
        } catch {
            throw .badCertificate("\(error)")
        }
    }
}

extension FieldError.Reason {
    /// What is wrong with a field, to follow "is".
    var words: String {
        switch self {
        case .unknown: "not one of this type's"
        case .missing: "missing"
        case .repeated: "there twice"
        case .empty: "empty"
        case .tooLong: "too long"
        case .notText: "not a text without control characters"
        case .notNumber: "not a whole number or a text like 7.5"
        case .notDate: "not a day as YYYY-MM-DD"
        case .notList: "not a list of objects"
        }
    }
}
