import CryptoProvider
import Documents
package import Encodings
package import Interface

/// The administrator's side: the holder's code was taken, and her answer is awaited.
package struct ClaimedEnrolment: Sendable {
    /// The holder's account, as the server says.
    package let holder: Account
    let code: EnrolmentCode
    let nonce: Bytes
    let expires: Int64
}

/// The administrator's side: the holder's device has answered.
///
/// Compare the digits, look at the paper, then sign.
package struct ReadyEnrolment: Sendable {
    /// The id of the check.
    package let id: String
    /// The holder's account, as the server says.
    package let holder: Account
    /// What the holder must show too.
    package let digits: String
    let keys: HolderKeys
    let status: Interface.StatusReference
    /// The holder's statement, compact JWS.
    let statement: String
}

/// The public keys of a holder's device.
struct HolderKeys: Sendable {
    let signing: P256PublicKey
    let encryption: P256PublicKey

    init(_ device: Device) throws(WalletError) {
        guard let signing = device.signingKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) }),
            let encryption = device.encryptionKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) })
        else { throw .unexpectedAnswer("no device keys") }
        self.signing = signing
        self.encryption = encryption
    }
}

extension WalletClient {
    /// Takes the code that a holder shows, and compares what the server says with it.
    package func claimEnrolment(code text: String) async throws -> ClaimedEnrolment {
        let code = try EnrolmentCode.parse(text)
        guard code.server == wallet.header.publicURL else {
            throw WalletError.badCode("it is for another server, \(code.server)")
        }
        let nonce = RandomBytes.make(32)
        let enrolment = try await session().claimEnrolment(
            code.enrolment, EnrolmentClaim(nonce: nonce.base64URL))
        try Self.compare(enrolment, with: code)
        return ClaimedEnrolment(holder: enrolment.holder, code: code, nonce: nonce, expires: enrolment.expires)
    }

    /// Waits for the holder's answer and checks commitment and signature.
    package func awaitAnswer(_ claimed: ClaimedEnrolment) async throws -> ReadyEnrolment {
        let enrolment = try await waitForEnrolment(
            claimed.code.enrolment, until: .answered, expires: claimed.expires)
        try Self.compare(enrolment, with: claimed.code)
        let keys = try HolderKeys(enrolment.device)
        guard let text = enrolment.holderNonce, let holderNonce = text.fromBase64URL,
            SHA256.hash(holderNonce) == claimed.code.commitment
        else { throw WalletError.badEnrolment("the holder's number is not the one she committed to") }
        guard let statement = enrolment.statement, let status = enrolment.status else {
            throw WalletError.unexpectedAnswer("no statement")
        }
        let payload: JSON
        do {
            payload = try UnverifiedJWS.parse(Bytes(text: statement), maximumLength: 1 << 14)
                .payload(signedBy: keys.signing, type: Statement.enrolmentType, suite: suite)
        } catch {
            throw WalletError.badEnrolment("the holder's device has not signed: \(error)")
        }
        let expected = Statement.enrolment(
            audience: wallet.header.publicURL, enrolment: claimed.code.enrolment,
            administratorNonce: claimed.nonce.base64URL, holderNonce: text, time: payload["iat"]?.integer ?? 0)
        guard (try? payload.canonical()) == (try? expected.canonical()) else {
            throw WalletError.badEnrolment("the holder's device has signed something else")
        }
        let digits = Statement.digits(
            holderKey: claimed.code.signingKey, holderNonce: holderNonce, administratorNonce: claimed.nonce)
        return ReadyEnrolment(
            id: enrolment.id, holder: enrolment.holder, digits: digits, keys: keys, status: status,
            statement: statement)
    }

    /// Signs the holder's identity credential, once the digits agree and her paper was seen.
    ///
    /// - Parameter fields: of the catalogue's type `identity`; the paper, the day and who checked are filled in.
    package func completeEnrolment(
        _ ready: ReadyEnrolment, paper: IdentityPaper, fields: [JSON.Member]
    ) async throws -> IssuedDocument {
        var fields = fields
        fields.append(JSON.Member("identity_paper", .text(paper.rawValue)))
        fields.append(JSON.Member("checked_on", .text(Self.day(now()))))
        let draft = CredentialDraft(
            type: DocumentCatalogue.identity, subject: ready.id, keys: ready.keys, status: ready.status, fields: fields,
            document: nil, expires: nil,
            evidence: (paper, SHA256.hash(Bytes(text: ready.statement)).base64URL))
        let (issuance, digest) = try await sign(draft, for: .identifyMembers)
        let info = try await session().completeEnrolment(
            ready.id, EnrolmentCompletion(paper: paper, issuance: issuance))
        let act = try checkIssued(info, type: "member.identified", digest: digest)
        try remember(ready.holder, ready.keys)
        return IssuedDocument(info: info, act: act)
    }

    private func remember(_ holder: Account, _ keys: HolderKeys) throws {
        let checked = WalletSecrets.CheckedHolder(
            account: holder.id, signingKey: keys.signing.thumbprint.base64URL,
            encryptionKey: keys.encryption.thumbprint.base64URL)
        try wallet.update { _, secrets in
            secrets.holders.removeAll { $0.account == checked.account && $0.signingKey == checked.signingKey }
            secrets.holders.append(checked)
        }
    }

    private static func compare(_ enrolment: Enrolment, with code: EnrolmentCode) throws(WalletError) {
        let keys = try HolderKeys(enrolment.device)
        guard enrolment.id == code.enrolment, enrolment.commitment == code.commitment.base64URL,
            keys.signing.thumbprint == code.signingKey, keys.encryption.thumbprint == code.encryptionKey
        else { throw .badEnrolment("the server shows other keys or another number than the holder's code") }
    }
}
