import CryptoProvider
package import Documents
package import Encodings
package import Interface
import Transparency
import Verification

/// A document that was opened and verified: what it says, and that it is this wallet's.
package struct WalletDocument: Sendable {
    /// As the server lists it.
    package let info: DocumentInfo
    /// The always visible claims.
    package let claims: CredentialClaims
    /// The claims of the issuer, which the holder may show or keep to themselves, including `document`.
    package let fields: [JSON.Member]
    /// The file.
    package let document: AttachedDocument?
    /// The name of the administrator who signed, from their validated certificate.
    package let signer: String
    /// The log's record of the act.
    package let act: LoggedAct
    /// The SD-JWT with all disclosures.
    package let credential: Bytes
    let statusURIs: [String]
}

extension WalletClient {
    /// The documents of this account, newest first; for an administrator who asks for `issued` all that were issued.
    package func documents(issued: Bool = false) async throws -> [DocumentInfo] {
        try await session().documents(issued: issued)
    }

    /// Fetches a document, opens it with this wallet's key, and verifies it completely.
    ///
    /// - Throws: `badDocument` and its kin: what does not verify is not shown.
    package func open(_ id: String) async throws -> WalletDocument {
        let client = try session()
        guard let info = try await client.documents().first(where: { $0.id == id }) else {
            throw WalletError.notFound(id)
        }
        let sealed = try await client.documentContent(id)
        do {
            let plain = try JWE.open(sealed, with: try wallet.encryptionKey(), type: Self.packageType)
            return try verify(DocumentPackage.parse(plain), info)
        } catch let error as WalletError {
            throw error
        } catch {
            throw WalletError.badDocument("\(error)")
        }
    }

    /// Deletes a document at the server.
    ///
    /// It stays valid wherever it was presented.
    package func delete(_ id: String) async throws -> LoggedAct {
        let client = try session()
        guard let info = try await client.documents().first(where: { $0.id == id }) else {
            throw WalletError.invalid("there is no such document")
        }
        return try await check(
            try await client.deleteDocument(id).receipt, "document.deleted",
            [("credential", .text(info.credentialDigest))])
    }

    private func verify(_ package: DocumentPackage, _ info: DocumentInfo) throws -> WalletDocument {
        let trust = try trust()
        let key = try wallet.signingKey().publicKey
        let listed = ListedDocument(
            credentialDigest: Bytes(text: info.credentialDigest), type: Bytes(text: info.type),
            receipt: Bytes(text: info.receipt.proof))
        let held: HeldDocument
        do {
            held = try HeldDocument.verified(
                package, listed: listed, holderKey: key, root: trust.root, policy: trust.policy, suite: suite)
        } catch {
            throw WalletError(error)
        }
        let act = LoggedAct(
            type: held.act.entry.type.text, index: Int64(held.act.index), time: held.act.entry.time,
            receipt: info.receipt.proof)
        return WalletDocument(
            info: info, claims: held.claims, fields: held.fields, document: held.document, signer: held.signer.text,
            act: act, credential: held.credential, statusURIs: held.statusURIs.map(\.text))
    }
}

extension WalletError {
    fileprivate init(_ error: HeldDocumentError) {
        switch error {
        case .receipt(let error): self = .badReceipt("\(error)")
        case .otherAct: self = .badReceipt("it proves another act")
        case .otherCredential: self = .badReceipt("it proves another credential")
        case .certificate(let error): self = .badCertificate("\(error)")
        case .credential(let error): self = .badDocument("\(error)")
        case .claims(let error): self = .badDocument("\(error)")
        case .notTheListed: self = .badDocument("it is not the one listed")
        case .otherIssuerOrType: self = .badDocument("it is of another issuer or type")
        case .otherHolder: self = .badDocument("it is bound to another key than this wallet's")
        case .otherFile: self = .badDocument("the file is not the one that was signed")
        case .fileMissing: self = .badDocument("a file is missing, or one too many")
        }
    }
}
