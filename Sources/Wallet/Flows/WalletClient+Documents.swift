import Certificates
import CryptoProvider
package import Documents
package import Encodings
package import Interface

/// A document that was opened and verified: what it says, and that it is this wallet's.
package struct HeldDocument: Sendable {
    /// As the server lists it.
    package let info: DocumentInfo
    /// The always visible claims.
    package let claims: CredentialClaims
    /// What the issuer states, and the holder may show or keep, `document` among it.
    package let fields: [JSON.Member]
    /// The file.
    package let document: AttachedDocument?
    /// The name of the administrator who signed, from her validated certificate.
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
    package func open(_ id: String) async throws -> HeldDocument {
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
        return try check(
            try await client.deleteDocument(id).receipt, "document.deleted",
            [("credential", .text(info.credentialDigest))])
    }

    private func verify(_ package: DocumentPackage, _ info: DocumentInfo) throws -> HeldDocument {
        let credential = try UnverifiedSDJWT.parse(package.credential)
        let digest = credential.credentialDigest(suite: suite).base64URL
        guard digest == info.credentialDigest else { throw WalletError.badDocument("it is not the one listed") }
        let isIdentity = info.type == "identity"
        let act = try check(
            info.receipt, isIdentity ? "member.identified" : "document.issued", [("credential", .text(digest))])
        // Certificates live shortly: they must have been valid when the log recorded the act.
        let path = try trust().path(
            credential.certificates(), purpose: isIdentity ? .identity : .documents, at: act.time)
        let processed = try credential.signed(by: path.publicKey, suite: suite).processed(suite: suite)
        let claims = try CredentialClaims(payload: processed.payload)
        guard claims.issuer == path.publicURL, claims.typeName.equals(text: info.type) else {
            throw WalletError.badDocument("it is of another issuer or type")
        }
        guard claims.holderKey == (try wallet.signingKey().publicKey) else {
            throw WalletError.badDocument("it is bound to another key than this wallet's")
        }
        try Self.compare(package.document, with: processed.claims["document"], suite)
        return HeldDocument(
            info: info, claims: claims, fields: processed.disclosed, document: package.document,
            signer: path.commonName.text, act: act, credential: package.credential,
            statusURIs: [claims.status?.uri.text, path.statusReference?.uri.text].compactMap(\.self))
    }

    private static func compare(
        _ document: AttachedDocument?, with claim: JSON?, _ suite: SwiftCryptoSuite
    ) throws {
        switch (document, claim) {
        case (nil, nil): return
        case (let document?, let claim?):
            guard try DocumentDescriptor(json: claim).matches(document, suite: suite) else {
                throw WalletError.badDocument("the file is not the one that was signed")
            }
        default: throw WalletError.badDocument("a file is missing, or one too many")
        }
    }
}
