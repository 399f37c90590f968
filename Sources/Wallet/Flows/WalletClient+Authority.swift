import Certificates
import CryptoProvider
import Encodings
import Interface

/// The state of the main administrator's certificate.
package struct AuthorityState: Sendable {
    /// Its last second, since 1970.
    package let ends: Int64
    /// SHA-256 of the key, in groups of four.
    package let fingerprint: String
    /// The log's entry; `nil` when an earlier renewal only had to be noticed.
    package let act: LoggedAct?
}

/// The main administrator's own certificate.
extension WalletClient {
    /// Has the root certify the authority key again, or a new one in its place.
    ///
    /// A new key is stored before the server hears of it, so a lost answer loses no key: the next call notices that the
    /// server has it.
    package func renewAuthority(withNewKey isNew: Bool) async throws -> AuthorityState {
        let client = try session()
        guard let current = try await client.authority().first?.fromBase64URL else { throw WalletError.notCertified }
        if let next = try wallet.nextAuthorityKey(), try isAuthority(current, of: next) {
            try promote()
            return try state(current, of: next, act: nil)
        }
        if isNew, wallet.secrets.nextAuthorityKey == nil {
            let made = try SigningKey().rawRepresentation.base64URL
            try wallet.update { _, secrets in secrets.nextAuthorityKey = made }
        }
        let certified = try authorityKey()
        let key = isNew ? try wallet.nextAuthorityKey() ?? certified : certified
        let statement = Statement.renewal(
            audience: wallet.header.publicURL, username: wallet.header.username,
            previous: SHA256.hash(current).base64URL, authorityKey: key.publicKey.x963.base64URL, time: now())
        let type = "\(Statement.renewalType)"
        let answer = try await client.renewAuthority(
            AuthorityRenewal(
                authorityKey: key.publicKey.x963.base64URL,
                proof: try certified.signJWS(type: type, payload: statement),
                possession: isNew ? try key.signJWS(type: type, payload: statement) : nil))
        guard let renewed = answer.certificate.fromBase64URL, try isAuthority(renewed, of: key) else {
            throw WalletError.badCertificate("the renewed certificate is not for this wallet's key")
        }
        let act = try await check(
            answer.receipt, "certificate.renewed", [("certificate", .text(SHA256.hash(renewed).base64URL))])
        if isNew { try promote() }
        return try state(renewed, of: key, act: act)
    }

    /// Whether a certificate is this organisation's main administrator's, for this key.
    func isAuthority(_ der: Bytes, of key: SigningKey, root: TrustAnchor? = nil) throws -> Bool {
        guard let certificate = try? Certificate.parse(der), certificate.publicKey == key.publicKey else {
            return false
        }
        do {
            _ = try CertificatePath.validate(
                authority: certificate, root: try root ?? trust().root, at: now(), suite: suite)
            return true
        } catch let error as CertificateError {
            throw WalletError.badCertificate("\(error)")
        }
    }

    private func promote() throws {
        try wallet.update { _, secrets in
            secrets.authorityKey = secrets.nextAuthorityKey ?? secrets.authorityKey
            secrets.nextAuthorityKey = nil
        }
    }

    private func state(_ der: Bytes, of key: SigningKey, act: LoggedAct?) throws -> AuthorityState {
        AuthorityState(
            ends: try Certificate.parse(der).notAfter,
            fingerprint: Self.fingerprint(authorityKey: key.publicKey.x963.base64URL), act: act)
    }
}
