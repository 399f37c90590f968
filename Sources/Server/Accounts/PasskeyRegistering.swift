import Encodings
import Interface
import Storage

/// A registration that was verified; the transaction that stores it uses its challenge up.
struct ProvedPasskey: Sendable {
    /// Whom the challenge was made for.
    let ceremony: CeremonyStore.Stored
    /// Without account and name.
    let passkey: PasskeyStore.Stored

    /// Stores the passkey, once: a second use of the same registration finds no challenge.
    func store(account: String, name: String, in transaction: Transaction, now: Int64) throws {
        try use(in: transaction, now: now)
        try passkey.store(account: account, name: name, in: transaction)
    }

    /// Uses the challenge up.
    func use(in transaction: Transaction, now: Int64) throws {
        let isUnused = try CeremonyStore(transaction: transaction).consume(
            ceremony.challenge, purpose: ceremony.purpose, session: ceremony.session, now: now)
        guard isUnused else { throw PasskeyRefused(.invalidPasskey, "challenge used") }
    }
}

extension PasskeyStore.Stored {
    /// Stores a passkey that was verified for an account.
    func store(account: String, name: String, in transaction: Transaction) throws {
        let store = PasskeyStore(transaction: transaction)
        guard try store.count(account: account) < Limits.passkeys else { throw AccountError.tooManyPasskeys }
        var passkey = self
        passkey.account = account
        passkey.name = name
        do {
            try store.insert(passkey)
            try transaction.settle()
        } catch let error as StorageError where error.isUniqueViolation {
            throw AccountError.passkeyTaken
        }
    }
}

extension Environment {
    /// Reads and verifies what an authenticator sent.
    var passkeys: PasskeyVerifier { PasskeyVerifier(publicURL: publicURL, roots: attestationRoots, suite: suite) }

    /// Verifies a new account's or device's passkey, made for this username.
    func prove(_ registration: PasskeyRegistration?, username: String, now: Int64) async throws -> ProvedPasskey? {
        guard let registration else { return nil }
        return try await prove(registration, now: now) { $0.purpose == .registration && $0.username == username }
    }

    /// Verifies one more passkey of an account, made in this session.
    func prove(_ registration: PasskeyRegistration, session: String, now: Int64) async throws -> ProvedPasskey {
        try await prove(registration, now: now) { $0.purpose == .addition && $0.session == session }
    }

    /// A challenge that was answered badly is used up, too.
    private func prove(
        _ registration: PasskeyRegistration, now: Int64, if isMeant: (CeremonyStore.Stored) -> Bool
    ) async throws -> ProvedPasskey {
        let read = try passkeys.read(registration)
        let challenge = read.challenge
        let found = try await database.read { try CeremonyStore(transaction: $0).find(challenge: challenge) }
        guard let ceremony = found, isMeant(ceremony), ceremony.expires > now else {
            throw PasskeyRefused(.invalidPasskey, found == nil ? "no such challenge" : "challenge for something else")
        }
        do {
            return ProvedPasskey(ceremony: ceremony, passkey: try passkeys.verify(read, ceremony, now: now))
        } catch let error as PasskeyRefused {
            try await database.write { transaction in
                _ = try CeremonyStore(transaction: transaction).consume(
                    challenge, purpose: ceremony.purpose, session: ceremony.session, now: now)
            }
            throw error
        }
    }
}
