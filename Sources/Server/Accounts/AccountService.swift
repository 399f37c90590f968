import CryptoProvider
import Encodings
import Interface
import Storage

/// Sign-up: without an invitation as a member, or with one in another role.
struct AccountService {
    let environment: Environment

    func signUp(_ request: SignUpRequest) async throws -> NewSession {
        let username = try AccountRules.username(request.username)
        let parts = try request.parts.map(AccountRules.name)
        let name = try parts?.whole ?? AccountRules.name(request.name ?? username)
        let deviceName = try AccountRules.name(request.device.name)
        let passphrase = try request.passphrase.map(AccountRules.passphrase)
        guard passphrase != nil || request.passkey != nil else { throw AccountError.noWayToSignIn }
        let now = environment.now()
        _ = try await environment.organisation()
        _ = try DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
            .verify(request.device, username: username, now: now)
        let passkey = try await environment.prove(request.passkey, username: username, now: now)
        let hash = try await environment.hash(passphrase)
        var account = environment.newAccount(username: username, name: name, role: .member, now: now)
        account.parts = parts
        let device = environment.newDevice(request.device, name: deviceName, now: now)
        let (session, index) = try await environment.database.write { [account] transaction in
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
            return try environment.register(
                account, passphraseHash: hash, passkey: passkey, device: device, in: transaction, now: now)
        }
        environment.publish(
            LiveEvent(.account, id: session.account.id, state: "created"), toEveryoneWho: .readMembers)
        return try await environment.withReceipt(session, index)
    }

    func account(_ principal: Principal) async throws -> Account {
        try await environment.database.pointRead("account \(principal.account)") { transaction in
            guard let account = try AccountStore(transaction: transaction).find(id: principal.account) else {
                throw AccountError.signInFailed
            }
            return account
        }
    }

    /// Changes the name, as long as no administrator has checked it.
    func rename(_ request: AccountRename, _ principal: Principal) async throws -> Account {
        let parts = try request.parts.map(AccountRules.name)
        guard let name = try parts?.whole ?? request.name.map({ try AccountRules.name($0) }) else {
            throw AccountError.invalidNamePart
        }
        return try await environment.database.write { transaction in
            let store = AccountStore(transaction: transaction)
            guard var account = try store.find(id: principal.account) else { throw AccountError.signInFailed }
            guard !account.isVerified else { throw AccountError.alreadyVerified }
            try store.rename(id: account.id, to: name, parts: parts)
            (account.name, account.parts) = (name, parts)
            return account
        }
    }

    /// Keeps the language of pages with the account, on all its devices.
    func choose(_ choice: AccountLanguage, _ principal: Principal) async throws -> AccountLanguage {
        try AccountRules.check(language: choice.language)
        try await environment.database.write { transaction in
            try AccountLanguageStore(transaction: transaction).set(choice.language, of: principal.account)
        }
        return choice
    }

    /// Gives the account another passphrase, or its first, and ends its other sessions.
    func changePassphrase(_ request: PassphraseChange, _ principal: Principal) async throws {
        let hash = try await environment.passphrases.hash(try AccountRules.passphrase(request.passphrase)).text
        let now = environment.now()
        let ended = try await environment.database.write { transaction in
            try AccountStore(transaction: transaction).setPassphrase(id: principal.account, hash: hash)
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(.passphraseChanged), in: transaction, now: now)
            return try SessionStore(transaction: transaction).deleteAll(
                account: principal.account, except: principal.session)
        }
        for session in ended { environment.events.end(session: session) }
    }

    /// An account of the organisation.
    func member(_ id: String) async throws -> Account {
        let found = try await environment.database.read { try AccountStore(transaction: $0).find(id: id) }
        guard let found else { throw AccountError.accountNotFound }
        return found
    }

    /// The accounts of the organisation.
    func members(_ part: AccountListStore.Part, _ request: ListRequest) async throws -> Listing<Account> {
        try await environment.database.read { transaction in
            let store = AccountListStore(transaction: transaction)
            let (rows, next) = try store.page(part, request)
            return Listing(
                rows, next: next?.text, counts: request.cursor == nil ? try store.counts(request.words) : nil)
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

    /// The stored form of a new passphrase, if there is one.
    func hash(_ passphrase: Bytes?) async throws -> String? {
        guard let passphrase else { return nil }
        return try await passphrases.hash(passphrase).text
    }

    /// Stores a new account with its first device, enters the device in the log and opens a session.
    ///
    /// - Returns: the session, and the index of the log entry.
    func register(
        _ account: Account, passphraseHash: String?, passkey: ProvedPasskey?, device: Device,
        in transaction: Transaction, now: Int64
    ) throws -> (NewSession, Int64) {
        do {
            try AccountStore(transaction: transaction).insert(
                account, passphraseHash: passphraseHash, userHandle: passkey?.ceremony.userHandle)
            try transaction.settle()
        } catch let error as StorageError where error.isUniqueViolation {
            throw AccountError.usernameTaken
        }
        try passkey?.store(account: account.id, name: device.name, in: transaction, now: now)
        let index = try enrol(device, account: account.id, in: transaction, now: now)
        // A new account has no other sessions that could end.
        let opened = try openSession(
            account: account, device: device, passkey: passkey?.passkey.id, in: transaction, now: now)
        return (opened.session, index)
    }

    /// Stores a device and enters it in the log.
    ///
    /// - Parameter endorser: the signing key of the device that added it.
    /// - Returns: the index of the log entry.
    func enrol(
        _ device: Device, account: String, endorser: String? = nil, in transaction: Transaction, now: Int64
    ) throws -> Int64 {
        do {
            try DeviceStore(transaction: transaction).insert(device, account: account)
            try transaction.settle()
        } catch let error as StorageError where error.isUniqueViolation {
            throw AccountError.deviceTaken
        }
        let endorsed = endorser.map { [("endorsed_by", JSON.text($0))] } ?? []
        return try log.record(
            TrustEvent(
                .deviceEnrolled, account: account,
                endorsed + [
                    ("encryption_key", .text(device.encryptionKey)), ("signing_key", .text(device.signingKey)),
                ]),
            in: transaction, now: now)
    }

    /// Opens a session for a person who has just proved who they are.
    ///
    /// - Parameter isConfirmed: whether a user verification was seen.
    func openSession(
        account: Account, device: Device?, passkey: String? = nil, isConfirmed: Bool = true,
        in transaction: Transaction, now: Int64
    ) throws -> OpenedSession {
        if let block = try AccountStore(transaction: transaction).block(of: account.id) {
            throw AccountError.blocked(block.reason)
        }
        let token = randomText(32)
        let expires = now + Limits.sessionTime
        let store = SessionStore(transaction: transaction)
        let ended = try store.deleteOldest(account: account.id, keeping: Limits.sessions - 1)
        try store.insert(
            SessionStore.Stored(
                id: newIdentifier(), account: account.id, device: device?.id, passkey: passkey, created: now,
                expires: expires, confirmed: isConfirmed ? now + Limits.confirmationTime : nil),
            tokenHash: Self.tokenHash(token))
        let language = try AccountLanguageStore(transaction: transaction).find(of: account.id)
        return OpenedSession(
            session: NewSession(token: token, expires: expires, account: account, device: device, language: language),
            ended: ended)
    }

    /// Ends the streams of the sessions that ended for a new one: call it after the commit.
    ///
    /// Before it, a listener could come back with the old session.
    func committed(_ opened: OpenedSession) -> NewSession {
        for session in opened.ended { events.end(session: session) }
        return opened.session
    }

    func withReceipt(_ session: NewSession, _ index: Int64) async throws -> NewSession {
        var session = session
        session.receipt = try await log.receipt(index)
        return session
    }
}

/// A session that was opened, and those that ended for it.
struct OpenedSession: Sendable {
    let session: NewSession
    /// The account's oldest sessions beyond `Limits.sessions`, by their ids.
    let ended: [String]
}
