import CryptoProvider
import Documents
package import Encodings
package import Interface

/// The administrator's side: the holder's code was taken, and the holder's answer is awaited.
package struct ClaimedEnrolment: Sendable {
    /// The holder's account, as the server says.
    package let holder: Account
    /// Whether the code came from the server, found by eight characters: then only the digits show an exchanged key.
    package let isTyped: Bool
    let check: EnrolmentCheck
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
    /// SHA-256 of the holder's statement.
    let statementDigest: Bytes
}

/// The public keys of a holder's device.
struct HolderKeys: Sendable {
    let signing: P256PublicKey
    let encryption: P256PublicKey

    init(signing: P256PublicKey, encryption: P256PublicKey) {
        self.signing = signing
        self.encryption = encryption
    }

    init(_ device: Device) throws(WalletError) {
        guard let signing = device.signingKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) }),
            let encryption = device.encryptionKey.fromBase64URL.flatMap({ P256PublicKey(x963: $0) })
        else { throw .unexpectedAnswer("no device keys") }
        self.signing = signing
        self.encryption = encryption
    }
}

extension WalletClient {
    /// Takes the code that a holder shows, or eight characters that they read out, and compares what the server says.
    ///
    /// For eight characters the server itself says what the code is. It cannot know this side's nonce yet, so the six
    /// digits still show whether it exchanged a key.
    package func claimEnrolment(code typed: String) async throws -> ClaimedEnrolment {
        let isTyped = HumanCode.normalised(typed)?.count == Self.typedCodeLength
        var text = typed
        if isTyped {
            text = try await session().findCheck(TypedCodeEntry(code: typed)).text
        }
        let code = try EnrolmentCode.parse(text)
        let check: EnrolmentCheck
        do {
            check = try EnrolmentCheck(
                code: code.core, server: Bytes(text: wallet.header.publicURL), nonce: RandomBytes.make(32))
        } catch {
            throw WalletError.badCode("it is for another server, \(code.server)")
        }
        let enrolment = try await session().claimEnrolment(
            code.enrolment, EnrolmentClaim(nonce: check.nonce.base64URL))
        do {
            try check.compare(try ShownEnrolment(enrolment))
        } catch let error as EnrolmentCheckError {
            throw WalletError(error)
        }
        return ClaimedEnrolment(
            holder: enrolment.holder, isTyped: isTyped, check: check, expires: enrolment.expires)
    }

    /// Characters of a code that finds a check.
    private static let typedCodeLength = 8

    /// Waits for the holder's answer and checks commitment and signature.
    package func awaitAnswer(_ claimed: ClaimedEnrolment) async throws -> ReadyEnrolment {
        let enrolment = try await waitForEnrolment(
            claimed.check.code.enrolment.text, until: .answered, expires: claimed.expires)
        let shown = try ShownEnrolment(enrolment)
        let answer: CheckedAnswer
        do { answer = try claimed.check.accept(shown, suite: suite) } catch { throw WalletError(error) }
        guard let status = enrolment.status else { throw WalletError.unexpectedAnswer("no status place") }
        return ReadyEnrolment(
            id: enrolment.id, holder: enrolment.holder, digits: answer.digits.text,
            keys: HolderKeys(signing: answer.signingKey, encryption: answer.encryptionKey), status: status,
            statementDigest: answer.statementDigest)
    }

    /// Signs the holder's identity credential, once the digits agree and the administrator has seen their paper.
    ///
    /// - Parameter fields: of the catalogue's type `identity`; the paper, the day and who checked are filled in.
    package func completeEnrolment(
        _ ready: ReadyEnrolment, paper: IdentityPaper, fields: [JSON.Member]
    ) async throws -> IssuedDocument {
        var fields = fields
        fields.append(JSON.Member("identity_paper", .text(paper.rawValue)))
        fields.append(JSON.Member("checked_on", .text(Self.day(now()))))
        let order = IssuingOrder(
            type: DocumentCatalogue.identity, subject: ready.id, keys: ready.keys, status: ready.status, fields: fields,
            document: nil, expires: nil, evidence: (paper, ready.statementDigest.base64URL))
        let (issuance, digest) = try await sign(order, for: .identifyMembers)
        let info = try await session().completeEnrolment(
            ready.id, EnrolmentCompletion(paper: paper, name: Self.name(in: fields), issuance: issuance))
        let act = try await checkIssued(info, type: "member.identified", digest: digest)
        try remember(ready.holder, ready.keys)
        return IssuedDocument(info: info, act: act)
    }

    /// The name as it is in an identity credential.
    private static func name(in fields: [JSON.Member]) -> PersonName {
        func text(_ name: String) -> String {
            fields.first { $0.name.equals(text: name) }?.value.string.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return PersonName(givenName: text("given_name"), familyName: text("family_name"))
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
}

extension ShownEnrolment {
    /// What the server answered, as Core reads it.
    fileprivate init(_ enrolment: Enrolment) throws(WalletError) {
        let keys = try HolderKeys(enrolment.device)
        self.init(
            id: Bytes(text: enrolment.id), commitment: Bytes(text: enrolment.commitment), signingKey: keys.signing,
            encryptionKey: keys.encryption, holderNonce: enrolment.holderNonce.map { Bytes(text: $0) },
            statement: enrolment.statement.map { Bytes(text: $0) })
    }
}

extension WalletError {
    fileprivate init(_ error: EnrolmentCheckError) {
        switch error {
        case .otherServer: self = .badCode("it is for another server")
        case .differsFromCode:
            self = .badEnrolment("the server shows other keys or another number than the holder's code")
        case .notAnswered: self = .unexpectedAnswer("no statement")
        case .wrongNonce: self = .badEnrolment("the holder's number is not the one they committed to")
        case .notSigned(let error): self = .badEnrolment("the holder's device has not signed: \(error)")
        case .otherStatement: self = .badEnrolment("the holder's device has signed something else")
        }
    }
}
