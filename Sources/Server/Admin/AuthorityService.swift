import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage

/// Why the main administrator's certificate is not renewed.
package enum AuthorityError: Error, Equatable {
    /// The root's key is not on the server.
    case rootOffline
    /// The request was not signed just now, by the certified key, over the certificate in use; or the new key is not
    /// proved.
    case invalidProof
    /// A recovery code is open. The holder of the old key may be a thief, so nothing is certified for them while it is
    /// open.
    case recovering
}

/// The main administrator's certificate, renewed while the root is on the server.
struct AuthorityService {
    let environment: Environment

    /// Certifies the main administrator's key again, or another one instead.
    ///
    /// The statement names the certificate that it renews: it works once. Administrators keep theirs, with the
    /// certificate that they were issued under.
    func renew(_ request: AuthorityRenewal, _ principal: Principal) async throws -> RenewedAuthority {
        let now = environment.now()
        let stored = try await environment.organisation()
        let root: IssuingAuthority
        do {
            root = try environment.keys.root.authority(try stored.root.certificate.der)
        } catch RootKey.Missing.offline {
            throw AuthorityError.rootOffline
        }
        let (certificate, index) = try await environment.database.write { transaction in
            guard let organisation = try OrganisationStore(transaction: transaction).find(),
                let account = try AccountStore(transaction: transaction).find(id: principal.account)
            else { throw AccountError.notSetUp }
            guard try !RecoveryStore(transaction: transaction).hasOpen(now: now) else {
                throw AuthorityError.recovering
            }
            let current = try organisation.owner
            let key = try check(request, current, username: account.username, now: now)
            // A key that was replaced never comes back.
            let known = try OrganisationStore(transaction: transaction).all(.mainAdministrator).map(\.publicKey)
            guard key == current.publicKey || !known.contains(key) else { throw AuthorityError.invalidProof }
            // A place belongs to a key: revoking it revokes all certificates of the key.
            let status =
                key == current.publicKey
                ? current.statusReference
                : environment.statusLists.place(
                    try environment.statusLists.reserve(isCertificate: true, in: transaction))
            var random = environment.random
            let certificate = try CertificateIssuer.mainAdministrator(
                name: String(decoding: current.commonName ?? [], as: UTF8.self), key: key, status: status,
                issuer: root, notBefore: now, random: &random)
            try OrganisationStore(transaction: transaction).set(.mainAdministrator, certificate: certificate.base64URL)
            let index = try environment.log.record(
                .renewed(
                    .mainAdministrator, by: certificate, previous: current, account: account.id),
                in: transaction, now: now)
            return (certificate, index)
        }
        return RenewedAuthority(
            certificate: certificate.base64URL, receipt: try await environment.log.receipt(index))
    }

    /// The key to be certified, with everything that its statements must say.
    private func check(
        _ request: AuthorityRenewal, _ current: Certificate, username: String, now: Int64
    ) throws -> P256PublicKey {
        guard let key = DeviceProof.key(request.authorityKey), environment.suite.isOnCurve(key) else {
            throw AuthorityError.invalidProof
        }
        let proof = DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
        func verify(_ text: String, by key: P256PublicKey) throws {
            do {
                let payload = try proof.statement(
                    text, by: key, type: Statement.renewalType, username: username, now: now)
                let expected = Statement.renewal(
                    audience: environment.publicURL, username: username, previous: current.fingerprint.base64URL,
                    authorityKey: request.authorityKey, time: payload["iat"]?.integer ?? 0)
                guard Statement.isSame(payload, as: expected) else { throw AuthorityError.invalidProof }
            } catch is AccountError {
                throw AuthorityError.invalidProof
            }
        }
        try verify(request.proof, by: current.publicKey)
        switch (key == current.publicKey, request.possession) {
        case (true, nil): break
        case (false, let possession?): try verify(possession, by: key)
        default: throw AuthorityError.invalidProof
        }
        return key
    }
}

extension TrustEvent {
    /// A certificate by the root replaced another.
    static func renewed(
        _ kind: RootCertificateKind, by certificate: Bytes, previous: Certificate, account: String
    ) -> TrustEvent {
        TrustEvent(
            .certificateRenewed, account: account,
            [
                ("certificate", .text(SHA256.hash(certificate).base64URL)), ("holder", .text(kind.rawValue)),
                ("previous", .text(previous.fingerprint.base64URL)),
            ])
    }
}
