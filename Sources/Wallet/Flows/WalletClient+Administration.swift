import Certificates
import CryptoProvider
import Encodings
package import Interface

/// Invitations, delegation and revocation.
extension WalletClient {
    /// Makes an invitation; code and link are shown this once.
    ///
    /// - Parameters:
    ///   - lifetime: in seconds.
    ///   - recipient: whom it is for, for the list of invitations.
    package func invite(_ role: Role, lifetime: Int64, recipient: String? = nil) async throws -> Invitation {
        try await session().invite(InvitationRequest(role: role, lifetime: lifetime, recipient: recipient))
    }

    /// Invitations, used and unused.
    package func invitations() async throws -> [Invitation] { try await session().invitations() }
    /// Makes an invitation useless.
    package func withdrawInvitation(_ id: String) async throws { try await session().withdrawInvitation(id) }
    /// All accounts.
    package func members() async throws -> [Account] { try await session().members() }
    /// Certifications: all for the main administrator, the own ones for an administrator.
    package func delegations() async throws -> [Delegation] { try await session().delegations() }
    /// Rejects an administrator's request for a certificate: the main administrator.
    package func rejectDelegation(_ id: String) async throws { try await session().rejectDelegation(id) }

    /// SHA-256 of this wallet's authority key, in groups for two people to compare.
    package func authorityFingerprint() throws -> String {
        Self.fingerprint(authorityKey: try authorityKey().publicKey.x963.base64URL)
    }

    /// The text that two people compare before a delegation: SHA-256 of an authority key, in groups of four.
    package static func fingerprint(authorityKey: String) -> String {
        let hex = Array(Array(SHA256.hash(authorityKey.fromBase64URL ?? [])[0..<16]).hex)
        return stride(from: 0, to: hex.count, by: 4).map { String(hex[$0..<$0 + 4]) }.joined(separator: " ")
    }

    /// An administrator asks the main administrator to certify their authority key.
    ///
    /// A key that was revoked never comes back: the wallet makes another one then.
    package func requestDelegation() async throws -> Delegation {
        if try await isAuthorityKeySpent() {
            let key = try SigningKey().rawRepresentation.base64URL
            try wallet.update { _, secrets in secrets.authorityKey = key }
        }
        let key = try authorityKey()
        let proof = try key.signJWS(
            type: "\(Statement.authorityType)",
            payload: Statement.authority(
                audience: wallet.header.publicURL, username: wallet.header.username, time: now()))
        return try await session().requestDelegation(
            DelegationRequest(authorityKey: key.publicKey.x963.base64URL, proof: proof))
    }

    /// Whether this wallet has no authority key that may be certified.
    private func isAuthorityKeySpent() async throws -> Bool {
        guard wallet.secrets.authorityKey != nil else { return true }
        let key = try authorityKey().publicKey.x963.base64URL
        return try await session().delegations().contains { $0.authorityKey == key && $0.state == .revoked }
    }

    /// The main administrator certifies an administrator's key: after the fingerprint was compared, in this wallet.
    ///
    /// - Parameter duration: of the certificate, in seconds.
    package func certify(
        _ delegation: Delegation, capabilities: [Capability],
        duration: Int64 = CertificateIssuer.administratorDuration
    ) async throws -> LoggedAct {
        let client = try session()
        guard let key = delegation.authorityKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) }),
            let place = delegation.status
        else { throw WalletError.unexpectedAnswer("no authority key") }
        let chain = try await client.authority().compactMap(\.fromBase64URL)
        guard let own = chain.first else { throw WalletError.notCertified }
        var set: Certificates.Capabilities = []
        if capabilities.contains(.identifyMembers) { set.insert(.identifyMembers) }
        if capabilities.contains(.signDocuments) { set.insert(.signDocuments) }
        var random = SystemRandomNumberGenerator()
        let certificate = try CertificateIssuer.administrator(
            name: delegation.account.name, key: key, capabilities: set,
            status: Certificates.StatusReference(uri: Bytes(text: place.uri), index: place.index),
            issuer: IssuingAuthority(key: try authorityKey(), certificate: own), notBefore: now(), duration: duration,
            random: &random)
        for capability in capabilities {
            let purpose: CertificatePurpose = capability == .identifyMembers ? .identity : .documents
            _ = try trust().path([certificate, own], purpose: purpose, at: now())
        }
        let answer = try await client.certify(
            delegation.id, Certification(certificate: certificate.base64URL, capabilities: capabilities))
        return try await check(
            answer.receipt, "administrator.delegated",
            [("certificate", .text(SHA256.hash(certificate).base64URL))])
    }

    /// Revokes an administrator's certificate.
    ///
    /// Earlier entries of the log stay valid.
    package func revokeDelegation(_ id: String, reason: String) async throws -> LoggedAct {
        try await check(
            try await session().revokeDelegation(id, Reason(reason: reason)).receipt, "administrator.revoked")
    }

    /// Erases an account with everything about the person, for ever.
    package func erase(_ account: Account, keepsDocuments: Bool) async throws -> LoggedAct {
        let erasure = Erasure(username: account.username, keepsDocuments: keepsDocuments)
        return try await check(
            try await session().erase(account.id, erasure).receipt, "account.erased",
            [("documents", .text(keepsDocuments ? "kept" : "revoked"))])
    }

    /// The organisation's logo, colour and imprint.
    package func face() async throws -> OrganisationFace { try await session().face() }

    /// What people have told the organisation, the newest first.
    package func feedback() async throws -> [Feedback] {
        let all: Listing<Feedback> = try await session().get("/api/feedback")
        return all.items
    }

    /// Removes feedback for good.
    package func removeFeedback(_ id: String) async throws {
        try await session().delete("/api/feedback/\(id)")
    }

    /// A preview of a change to them; nothing is stored.
    package func previewFace(_ change: FaceChange) async throws -> FacePreview {
        try await session().previewFace(change)
    }

    /// Changes the organisation's logo, colour and imprint.
    package func changeFace(_ change: FaceChange) async throws -> (OrganisationFace, LoggedAct) {
        let face = try await session().changeFace(change)
        guard let receipt = face.receipt else { throw WalletError.invalid("the server sent no receipt") }
        let act = try await check(
            receipt, "face.changed",
            [
                ("accent", .text(face.accent ?? "")), ("logo", .text(face.logo?.digest ?? "")),
                ("name", .text(face.name)),
            ])
        return (face, act)
    }

    /// The fields that the desk asks of clients beyond name and number.
    package func clientFields() async throws -> ClientFields { try await session().clientFields() }

    /// Changes what the desk asks of clients.
    package func setClientFields(_ wanted: ClientFields) async throws -> (ClientFields, LoggedAct) {
        let fields = try await session().setClientFields(wanted)
        guard let receipt = fields.receipt else { throw WalletError.invalid("the server sent no receipt") }
        let act = try await check(
            receipt, "desk.changed", [("client_fields", .integer(Int64(wanted.fields.count)))])
        return (fields, act)
    }

    /// The first clients whose names begin with some words, and whether there are more.
    package func clients(named words: String) async throws -> (clients: [Client], isMore: Bool) {
        let page = try await session().clients(named: words)
        return (page.items, page.next != nil)
    }

    /// A client of the desk, with what they have in the organisation's fields.
    package func client(_ id: String) async throws -> Client { try await session().client(id) }

    /// Changes what a client has in all of the organisation's fields.
    package func setFields(of client: String, _ values: [ClientFieldValue]) async throws -> (Client, LoggedAct) {
        let act = try await session().setFields(of: client, ClientFieldValues(fields: values))
        let by = JSON.text(try await session().account().id)
        return (act.client, try await check(act.receipt, "client.changed", [("by", by)]))
    }

    /// Keeps an operator or administrator out.
    package func block(_ account: Account, reason: String) async throws -> LoggedAct {
        try await check(
            receipt(of: try await session().block(account.id, Reason(reason: reason))), "operator.blocked",
            [("reason", .text(reason))])
    }

    /// Lets a blocked account sign in again.
    package func unblock(_ account: Account) async throws -> LoggedAct {
        try await check(receipt(of: try await session().unblock(account.id)), "operator.unblocked")
    }

    private func receipt(of answer: Operator) throws -> Receipt {
        guard let receipt = answer.receipt else { throw WalletError.invalid("the server sent no receipt") }
        return receipt
    }

    /// Revokes a document.
    package func revokeDocument(_ id: String, reason: String) async throws -> LoggedAct {
        let client = try session()
        guard let info = try await client.documents(issued: true).first(where: { $0.id == id }) else {
            throw WalletError.invalid("there is no such document")
        }
        return try await check(
            try await client.revokeDocument(id, Reason(reason: reason)).receipt, "document.revoked",
            [("credential", .text(info.credentialDigest))])
    }
}
