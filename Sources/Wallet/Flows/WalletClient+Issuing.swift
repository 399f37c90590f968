import Certificates
import CryptoProvider
package import Documents
package import Encodings
package import Interface
import Verification

/// A credential to be signed and sealed, and its recipient.
struct IssuingOrder {
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
        try checkHolder(plan, keys)
        let order = IssuingOrder(
            type: type, subject: id, keys: keys, status: plan.status, fields: fields, document: document,
            expires: expires, evidence: nil)
        let (issuance, digest) = try await sign(order, for: .signDocuments)
        let info = try await client.issueRequest(id, issuance)
        return IssuedDocument(info: info, act: try await checkIssued(info, type: "document.issued", digest: digest))
    }

    /// Signs a credential under this wallet's certificate and seals it with its file.
    ///
    /// - Returns: what is sent, and SHA-256 of the issuer-signed JWT, base64url.
    func sign(_ order: IssuingOrder, for capability: Capability) async throws -> (Issuance, String) {
        let draft = try draft(order, issuerName: try await server.organisation().name)
        let authority = try authorityKey()
        let chain = try await certifiedChain(for: capability)
        let signed: SignedCredential
        do {
            let unsigned = try draft.unsigned(
                certificates: chain, random: RandomBytes.make(CredentialDraft.randomCount), suite: suite)
            signed = try unsigned.signed(
                try authority.sign(unsigned.signingInput), content: order.document?.content, suite: suite)
        } catch let error as CredentialDraftError {
            throw WalletError(error)
        }
        let digest = signed.digest.base64URL
        let sealed = try JWE.seal(signed.package.formatted(), to: order.keys.encryption, type: Self.packageType)
        let statement = try authority.signJWS(
            type: "\(Statement.issuanceType)",
            payload: Statement.issuance(
                audience: wallet.header.publicURL, subject: order.subject, credentialDigest: digest,
                sealedDigest: SHA256.hash(sealed).base64URL, status: order.status, evidence: order.evidence,
                time: now()))
        return (Issuance(sealed: sealed.text, credentialDigest: digest, statement: statement), digest)
    }

    private func draft(_ order: IssuingOrder, issuerName: String) throws(WalletError) -> CredentialDraft {
        do {
            return try CredentialDraft(
                type: order.type, issuer: Bytes(text: wallet.header.publicURL), issuerName: Bytes(text: issuerName),
                issuedAt: now(), expiresAt: order.expires, holderKey: order.keys.signing,
                status: StatusListEntry(uri: Bytes(text: order.status.uri), index: Int64(order.status.index)),
                fields: order.fields, document: order.document)
        } catch {
            throw WalletError(error)
        }
    }

    /// Verifies that the log holds what was just signed.
    func checkIssued(_ info: DocumentInfo, type: String, digest: String) async throws -> LoggedAct {
        try await check(info.receipt, type, [("credential", .text(digest))])
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

    /// A member whom this wallet has met gets documents for the keys that they showed then, or for those of a device
    /// that these keys endorsed.
    private func checkHolder(_ plan: IssuancePlan, _ keys: HolderKeys) throws(WalletError) {
        let known = wallet.secrets.holders.filter { $0.account == plan.holder.id }
        guard !known.isEmpty else { return }
        let shown = known.contains {
            $0.signingKey == keys.signing.thumbprint.base64URL
                && $0.encryptionKey == keys.encryption.thumbprint.base64URL
        }
        guard !shown else { return }
        let chain = EndorsementChain(
            audience: wallet.header.publicURL, username: plan.holder.username, endorsements: plan.endorsements)
        guard chain.leads(from: keys, toOneOf: known.map(\.signingKey), suite: suite) else {
            throw .holderKeysDiffer
        }
    }

    private static func validate(_ fields: [JSON.Member], _ type: CatalogueType) throws(WalletError) {
        do { try type.validate(fields) } catch { throw WalletError(.field(error)) }
    }
}

extension WalletError {
    fileprivate init(_ error: CredentialDraftError) {
        switch error {
        case .field(let error): self = .invalid("the field \(error.field.text) is \(error.reason.words)")
        case .alreadyExpired: self = .invalid("the document would have expired already")
        case .badIssuerName: self = .invalid("the organisation's name has characters that are not shown")
        case .notEnoughRandom, .credential, .badSignature, .otherFile, .fileMissing:
            self = .badDocument("\(error)")
        }
    }
}

extension PinnedTrust {
    /// Follows a chain, leaf first without the root, to the pinned root.
    func path(_ chain: [Bytes], purpose: CertificatePurpose, at time: Int64) throws(WalletError) -> ValidatedPath {
        do {
            return try CertificatePath.validate(
                chain: chain, root: root, purpose: purpose, at: time, suite: SwiftCryptoSuite())
        } catch {
            throw .badCertificate("\(error)")
        }
    }
}
