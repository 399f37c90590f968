import Encodings
import Interface
import Storage

/// The passkeys of an account: listed, named, added and removed.
struct PasskeyService {
    let environment: Environment

    func list(_ principal: Principal) async throws -> [Passkey] {
        try await environment.database.read { transaction in
            try PasskeyStore(transaction: transaction).list(account: principal.account).map(\.shown)
        }
    }

    /// A challenge for one more passkey, for this session only.
    func begin(_ principal: Principal) async throws -> RegistrationOptions {
        let now = environment.now()
        let fresh = environment.randomText(32)
        let empty = environment.newCeremony(.addition, session: principal.session)
        let (ceremony, username, known) = try await environment.database.write { transaction in
            let accounts = AccountStore(transaction: transaction)
            guard let account = try accounts.find(id: principal.account) else { throw AccountError.signInFailed }
            var ceremony = empty
            ceremony.userHandle = try accounts.userHandle(id: account.id, orSet: fresh)
            let store = CeremonyStore(transaction: transaction)
            try store.deleteExpired(now: now)
            try store.insert(ceremony)
            return (ceremony, account.username, try PasskeyStore(transaction: transaction).list(account: account.id))
        }
        return try await environment.registrationOptions(
            ceremony, username: username, exclude: known.map(\.descriptor))
    }

    func add(_ request: NewPasskey, _ principal: Principal) async throws -> Passkey {
        let name = try AccountRules.name(request.name)
        let now = environment.now()
        let proved = try await environment.prove(request.registration, session: principal.session, now: now)
        try await environment.database.write { transaction in
            try proved.store(account: principal.account, name: name, in: transaction, now: now)
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(.passkeyAdded), in: transaction, now: now)
        }
        return try await find(proved.passkey.id, principal)
    }

    func rename(_ id: String, _ request: PasskeyRename, _ principal: Principal) async throws -> Passkey {
        let name = try AccountRules.name(request.name)
        let found = try await environment.database.write { transaction in
            try PasskeyStore(transaction: transaction).rename(id: id, account: principal.account, to: name)
        }
        guard found else { throw AccountError.passkeyNotFound }
        return try await find(id, principal)
    }

    /// Removes a passkey and ends the sessions that began with it, except the calling one.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let ended = try await environment.database.write { transaction in
            guard try PasskeyStore(transaction: transaction).delete(id: id, account: principal.account) else {
                throw AccountError.passkeyNotFound
            }
            guard try environment.canSignIn(principal.account, in: transaction) else {
                throw AccountError.lastWayToSignIn
            }
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(.passkeyRemoved), in: transaction, now: now)
            let others = try SessionStore(transaction: transaction).deleteAll(
                passkey: id, account: principal.account, except: principal.session)
            return try others
                + environment.slices.flatMap { try $0.passkeyRemoved(id, principal.account, transaction) }
        }
        for session in ended { environment.events.end(session: session) }
    }

    private func find(_ id: String, _ principal: Principal) async throws -> Passkey {
        let found = try await environment.database.read { try PasskeyStore(transaction: $0).find(id: id) }
        guard let found, found.account == principal.account else { throw AccountError.passkeyNotFound }
        return found.shown
    }
}

extension Environment {
    /// Whether anything is left to sign in with: a passkey, or a passphrase and a device that is not revoked.
    fileprivate func canSignIn(_ account: String, in transaction: Transaction) throws -> Bool {
        if try PasskeyStore(transaction: transaction).count(account: account) > 0 { return true }
        return try AccountStore(transaction: transaction).credentials(id: account)?.passphraseHash != nil
            && DeviceStore(transaction: transaction).current(account: account) != nil
    }
}
