import Certificates
import CryptoProvider
import Encodings
import Interface
import Storage

/// The way back for a main administrator who has lost their keys: a code from the server's own machine, and the root.
///
/// Everything they had before counts as stolen, and as used by the thief. Their devices, passkeys and sessions end.
/// Every certificate that they have had is revoked, for every key, and so is every administrator's.
package struct RecoveryService: Sendable {
    let environment: Environment

    /// Recovery at a server that is open and not running.
    package init(of server: CountersignServer) { environment = server.environment }

    init(environment: Environment) { self.environment = environment }

    /// Makes a one-time code.
    ///
    /// Earlier codes end, and so do the main administrator's sessions.
    ///
    /// While it is open, their certificate is not renewed: the root may be back on the server only for this.
    package func makeCode() async throws -> (code: String, username: String, expires: Int64) {
        _ = try await authority()
        let now = environment.now()
        let code = environment.humanCode(groups: 5)
        let expires = now + Limits.recoveryTime
        let username = try await environment.database.write { transaction in
            guard let owner = try AccountStore(transaction: transaction).owner() else { throw AccountError.notSetUp }
            try RecoveryStore(transaction: transaction).insert(
                codeHash: environment.codeHash(code, purpose: "recovery"), now: now, expires: expires)
            try SessionStore(transaction: transaction).deleteAll(account: owner.id)
            return owner.username
        }
        return (code, username, expires)
    }

    /// Replaces everything that the account had with new keys, a new passphrase and a new certificate.
    func recover(_ request: OwnerRecovery) async throws -> SetUpResult {
        let username = try AccountRules.username(request.username)
        let codeHash = environment.codeHash(request.code, purpose: "recovery")
        let now = environment.now()
        let isOpen = try await environment.database.read { transaction in
            let owner = try AccountStore(transaction: transaction).owner()
            return try RecoveryStore(transaction: transaction).isOpen(codeHash: codeHash, now: now)
                && owner?.username == username
        }
        guard isOpen else { throw AccountError.wrongRecoveryCode }
        let deviceName = try AccountRules.name(request.device.name)
        let proof = DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
        _ = try proof.verify(request.device, username: username, now: now)
        let authority = try proof.verifyAuthority(
            request.authorityKey, proof: request.authorityProof, username: username, now: now)
        let hash = try await environment.passphrases.hash(try AccountRules.passphrase(request.passphrase)).text
        let root = try await self.authority()
        let device = environment.newDevice(request.device, name: deviceName, now: now)
        let done = try await environment.database.write { transaction in
            guard try RecoveryStore(transaction: transaction).consume(codeHash: codeHash, now: now),
                let owner = try AccountStore(transaction: transaction).owner()
            else { throw AccountError.wrongRecoveryCode }
            try endOld(owner, in: transaction, now: now)
            try AccountStore(transaction: transaction).setPassphrase(id: owner.id, hash: hash)
            let replaced = try replace(owner, authority, by: root, in: transaction, now: now)
            let enrolled = try environment.enrol(device, account: owner.id, in: transaction, now: now)
            // All others have ended, and below all streams end.
            let opened = try environment.openSession(account: owner, device: device, in: transaction, now: now)
            return (opened.session, enrolled, replaced)
        }
        let (session, enrolled, replaced) = done
        for account in [session.account.id] + replaced.administrators { environment.events.end(account: account) }
        return SetUpResult(
            session: try await environment.withReceipt(session, enrolled),
            organisation: try await SetUpService(environment: environment).describe(),
            certificate: replaced.certificate, receipt: try await environment.log.receipt(replaced.index))
    }

    private func authority() async throws -> IssuingAuthority {
        do {
            return try environment.keys.root.authority(try await environment.organisation().root.certificate.der)
        } catch RootKey.Missing.offline {
            throw AuthorityError.rootOffline
        }
    }

    /// Ends everything with which anyone could sign in as the main administrator.
    private func endOld(_ owner: Account, in transaction: Transaction, now: Int64) throws {
        // To all ways that there were; what waits for the devices that are lost goes with these.
        try environment.notify(
            .access, owner.id, saying: NotificationDetail(.ownerRecovered), in: transaction, now: now)
        let devices = DeviceStore(transaction: transaction)
        for device in try devices.list(account: owner.id) where device.revoked == nil {
            try devices.revoke(id: device.id, at: now)
            _ = try environment.log.record(
                TrustEvent(
                    .deviceRevoked, account: owner.id,
                    [("reason", .text(Self.reason)), ("signing_key", .text(device.signingKey))]),
                in: transaction, now: now)
        }
        try SessionStore(transaction: transaction).deleteAll(account: owner.id)
        try PasskeyStore(transaction: transaction).deleteAll(account: owner.id)
        try PairingStore(transaction: transaction).deleteOpen(account: owner.id)
        for slice in environment.slices { try slice.ownerRecovered(owner.id, transaction) }
        // A thief who was signed in as them may have made an invitation for themselves.
        try InvitationStore(transaction: transaction).deleteOpen()
    }

    /// Revokes every certificate of the main administrator and of the administrators; certifies the new key.
    private func replace(
        _ owner: Account, _ key: P256PublicKey, by root: IssuingAuthority, in transaction: Transaction, now: Int64
    ) throws -> (certificate: String, index: Int64, administrators: [String]) {
        let store = OrganisationStore(transaction: transaction)
        guard let current = try store.find()?.owner else { throw AccountError.notSetUp }
        let lost = try store.all(.mainAdministrator)
        // A lost key never comes back.
        guard !lost.contains(where: { $0.publicKey == key }) else { throw AuthorityError.invalidProof }
        for certificate in lost { try revoke(certificate, of: owner, in: transaction, now: now) }
        // Nobody knows which key was stolen, or when, so the owner's certificates cannot be told from the thief's.
        let delegations = try DelegationStore(transaction: transaction).certified()
        for delegation in delegations {
            _ = try environment.revoke(delegation, reason: Self.reason, in: transaction, now: now)
        }
        var random = environment.random
        let certificate = try CertificateIssuer.mainAdministrator(
            name: String(decoding: current.commonName ?? [], as: UTF8.self), key: key,
            status: environment.statusLists.place(
                try environment.statusLists.reserve(isCertificate: true, in: transaction)),
            issuer: root, notBefore: now, random: &random)
        try store.set(.mainAdministrator, certificate: certificate.base64URL)
        let index = try environment.log.record(
            .renewed(.mainAdministrator, by: certificate, previous: current, account: owner.id), in: transaction,
            now: now)
        return (certificate.base64URL, index, delegations.map(\.account))
    }

    /// Revokes the place of a certificate, which is its key's, unless that has been done.
    private func revoke(
        _ certificate: Certificate, of owner: Account, in transaction: Transaction, now: Int64
    ) throws {
        guard let place = environment.statusLists.place(of: certificate),
            try environment.statusLists.revoke(place, in: transaction, at: now)
        else { return }
        _ = try environment.log.record(
            TrustEvent(
                .certificateRevoked, account: owner.id,
                [
                    ("certificate", .text(certificate.fingerprint.base64URL)), ("reason", .text(Self.reason)),
                    ("status_index", .integer(place.position)),
                    ("status_uri", .text(environment.statusLists.uri(place.list))),
                ]),
            in: transaction, now: now)
    }

    private static let reason = "The main administrator's keys were lost."
}
