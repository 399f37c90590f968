import CryptoProvider
import Encodings
import Interface
import Storage

/// Sign-up, by oneself as a member or by invitation as somebody with more to do.
struct AccountService {
    let environment: Environment

    func signUp(_ request: SignUpRequest) async throws -> NewSession {
        let username = try AccountRules.username(request.username)
        let name = try AccountRules.name(request.name)
        let deviceName = try AccountRules.name(request.device.name)
        let passphrase = try AccountRules.passphrase(request.passphrase)
        let now = environment.now()
        _ = try await environment.organisation()
        _ = try DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
            .verify(request.device, username: username, now: now)
        let hash = try await environment.passphrases.hash(passphrase).text
        let account = environment.newAccount(username: username, name: name, role: .member, now: now)
        let device = environment.newDevice(request.device, name: deviceName, now: now)
        let (session, index) = try await environment.database.write { transaction in
            var account = account
            if let code = request.invitation {
                let store = InvitationStore(transaction: transaction)
                guard
                    let role = try store.consume(codeHash: environment.codeHash(code, purpose: "invitation"), now: now)
                else {
                    throw AccountError.invitationInvalid
                }
                account.role = role
            }
            return try environment.register(account, passphraseHash: hash, device: device, in: transaction, now: now)
        }
        return try await environment.withReceipt(session, index)
    }

    func account(_ principal: Principal) async throws -> Account {
        try await environment.database.read { transaction in
            guard let account = try AccountStore(transaction: transaction).find(id: principal.account) else {
                throw AccountError.signInFailed
            }
            return account
        }
    }

    func members() async throws -> [Account] {
        try await environment.database.read { transaction in
            try AccountStore(transaction: transaction).list(limit: Limits.listing)
        }
    }
}

extension Environment {
    func newAccount(username: String, name: String, role: Role, now: Int64) -> Account {
        Account(id: newIdentifier(), username: username, name: name, role: role, isVerified: false, created: now)
    }

    func newDevice(_ registration: DeviceRegistration, name: String, now: Int64) -> Device {
        Device(
            id: newIdentifier(), name: name, signingKey: registration.signingKey,
            encryptionKey: registration.encryptionKey, created: now, revoked: nil)
    }

    /// Stores a new account with its first device, enters the device in the log and opens a session.
    ///
    /// - Returns: the session, and the index of the log entry.
    func register(
        _ account: Account, passphraseHash: String, device: Device, in transaction: Transaction, now: Int64
    ) throws -> (NewSession, Int64) {
        do {
            try AccountStore(transaction: transaction).insert(account, passphraseHash: passphraseHash)
        } catch let error as StorageError where error.isUniqueViolation {
            throw AccountError.usernameTaken
        }
        do {
            try DeviceStore(transaction: transaction).insert(device, account: account.id)
        } catch let error as StorageError where error.isUniqueViolation {
            throw AccountError.deviceTaken
        }
        let index = try log.record(
            TrustEvent(
                .deviceEnrolled, account: account.id,
                [("encryption_key", .text(device.encryptionKey)), ("signing_key", .text(device.signingKey))]),
            in: transaction, now: now)
        return (try openSession(account: account, device: device, in: transaction, now: now), index)
    }

    func openSession(
        account: Account, device: Device, in transaction: Transaction, now: Int64
    ) throws -> NewSession {
        let token = randomText(32)
        let expires = now + Limits.sessionTime
        let store = SessionStore(transaction: transaction)
        try store.deleteOldest(account: account.id, keeping: Limits.sessions - 1)
        try store.insert(
            SessionStore.Stored(
                id: newIdentifier(), account: account.id, device: device.id, created: now, expires: expires),
            tokenHash: Self.tokenHash(token))
        return NewSession(token: token, expires: expires, account: account, device: device)
    }

    func withReceipt(_ session: NewSession, _ index: Int64) async throws -> NewSession {
        var session = session
        session.receipt = try await log.receipt(index)
        return session
    }
}
