import CryptoProvider
import Encodings
import Interface
import Storage

/// Signing in and out: a passphrase and a proof by the device key give an opaque token.
struct SessionService: SessionAuthenticator {
    let environment: Environment
    /// A nonce to sign, once.
    ///
    /// It is made for unknown usernames too, so that the answer tells nothing.
    func nonce(_ request: SignInNonceRequest) async throws -> SignInNonce {
        let username = try AccountRules.username(request.username)
        let nonce = environment.randomText(32)
        let now = environment.now()
        let expires = now + Limits.signInNonceTime
        try await environment.database.write { transaction in
            let store = SessionStore(transaction: transaction)
            try store.deleteExpiredNonces(now: now)
            try store.insertNonce(nonce: nonce, username: username, expires: expires)
        }
        return SignInNonce(nonce: nonce, expires: expires)
    }

    /// Signs in.
    ///
    /// Every failure looks the same and costs the same. The device's proof is looked at first. It decides which limit
    /// an attempt counts for, so that strangers lock nobody out.
    func signIn(_ request: SignInRequest, limit: SignInLimit) async throws -> NewSession {
        let now = environment.now()
        // Only what can be a username becomes a key that is remembered.
        let username = try AccountRules.username(request.username)
        let isIdentifier = request.device.utf8.count == 32 && Hex.decode(Bytes(text: request.device)) != nil
        let isKey = DeviceProof.key(request.device) != nil
        let (credentials, owned, stranger, device) = try await environment.database.read { transaction in
            let owned =
                try isIdentifier || isKey ? DeviceStore(transaction: transaction).find(name: request.device) : nil
            let tries = TryStore(transaction: transaction)
            func buckets(_ device: String?) throws -> SignInLimit.Shared {
                let buckets = limit.buckets(username: username, device: device, environment)
                return SignInLimit.Shared(buckets: buckets, wait: try tries.wait(buckets, now: now))
            }
            return (
                try AccountStore(transaction: transaction).credentials(username: username), owned,
                try buckets(nil), try owned.map { try buckets($0.device.id) }
            )
        }
        let known = owned.flatMap {
            $0.account == credentials?.account.id && $0.device.revoked == nil ? $0.device : nil
        }
        let nonce = try await proved(request.proof, by: known, username: username, now: now)
        let shared = nonce == nil ? stranger : device ?? stranger
        try limit.spend(username: username, device: nonce == nil ? nil : known?.id)
        try shared.check()
        let isPassphrase = try await environment.passphrases.verify(
            PassphraseHash.bytes(of: request.passphrase), against: credentials?.passphraseHash)
        guard isPassphrase, let credentials, let known, let nonce else {
            throw try await failed(shared.buckets, now: now)
        }
        let opened = try await environment.database.write { transaction -> OpenedSession in
            // Attempts at the same time, on any number of servers, count no more than attempts one after the other.
            guard
                try SessionStore(transaction: transaction).consumeNonce(
                    nonce: nonce, username: username, now: now, while: shared.buckets.first)
            else {
                let wait = try TryStore(transaction: transaction).wait(shared.buckets, now: now)
                throw wait.map { RateLimiter.problem($0.bucket.rate, wait: $0.seconds) as any Error }
                    ?? AccountError.signInFailed
            }
            guard try DeviceStore(transaction: transaction).find(id: known.id)?.device.revoked == nil else {
                throw AccountError.signInFailed
            }
            return try environment.openSession(
                account: credentials.account, device: known, in: transaction, now: now)
        }
        return environment.committed(opened)
    }

    /// Counts a try that failed.
    ///
    /// - Returns: the answer to it. If others have used the limit up in between, it says nothing about the passphrase.
    private func failed(_ buckets: [TryStore.Bucket], now: Int64) async throws -> any Error {
        guard !buckets.isEmpty else { return AccountError.signInFailed }
        return try await environment.database.write { transaction -> any Error in
            let tries = TryStore(transaction: transaction)
            if let wait = try tries.wait(buckets, now: now) {
                return RateLimiter.problem(wait.bucket.rate, wait: wait.seconds)
            }
            try tries.count(buckets, now: now)
            return AccountError.signInFailed
        }
    }

    /// A key that no device has.
    private static let nobody = try? SigningKey().publicKey

    /// The open nonce that a registered device has signed, or `nil`.
    ///
    /// Without such a device another key is tried, which takes as long.
    private func proved(_ proof: String, by device: Device?, username: String, now: Int64) async throws -> String? {
        let key = device.flatMap { DeviceProof.key($0.signingKey) }
        guard let verifier = key ?? Self.nobody else { return nil }
        let nonce = try? proofNonce(proof, by: verifier, username: username, now: now)
        guard key != nil, let nonce else { return nil }
        let isOpen = try await environment.database.read { transaction in
            try SessionStore(transaction: transaction).hasNonce(nonce: nonce, username: username, now: now)
        }
        return isOpen ? nonce : nil
    }

    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
        let hash = Environment.tokenHash(token)
        let now = environment.now()
        // What was read may be given again as long as nobody writes: times are compared behind it.
        let found = try await environment.database.pointRead("session \(hash)") { transaction in
            guard let session = try SessionStore(transaction: transaction).find(tokenHash: hash),
                let account = try AccountStore(transaction: transaction).find(id: session.account)
            else { return Principal?.none }
            return Principal(
                account: account.id, role: account.role, session: session.id, device: session.device,
                confirmedUntil: session.confirmed, expires: session.expires, held: session.held)
        }
        guard let found, found.expires > now else { return nil }
        guard evenLocked || found.held ?? now >= now else { throw Problem(.sessionLocked) }
        return found
    }

    func list(_ principal: Principal) async throws -> [SessionInfo] {
        let now = environment.now()
        return try await environment.database.read { transaction in
            try SessionStore(transaction: transaction).list(account: principal.account, now: now).map {
                $0.shown(to: principal)
            }
        }
    }

    /// The calling session, whose it is, and how its owner can confirm it.
    func current(_ principal: Principal) async throws -> CurrentSession {
        let now = environment.now()
        return try await environment.database.read { transaction in
            let sessions = try SessionStore(transaction: transaction).list(account: principal.account, now: now)
            guard let session = sessions.first(where: { $0.id == principal.session }),
                let credentials = try AccountStore(transaction: transaction).credentials(id: principal.account)
            else { throw AccountError.sessionNotFound }
            let permissions = environment.slices.permissions.filter { $0.isGranted(to: credentials.account.role) }
            return CurrentSession(
                account: credentials.account, permissions: permissions.map(\.rawValue),
                device: try session.device.flatMap { try DeviceStore(transaction: transaction).find(id: $0)?.device },
                session: session.shown(to: principal), hasPassphrase: credentials.passphraseHash != nil,
                passkeys: Int(try PasskeyStore(transaction: transaction).count(account: principal.account)),
                confirmedUntil: session.confirmed.flatMap { $0 > now ? $0 : nil },
                language: try AccountLanguageStore(transaction: transaction).find(of: principal.account))
        }
    }

    /// Ends a session of the account, with its streams.
    func end(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let found = try await environment.database.write { transaction in
            let found = try SessionStore(transaction: transaction).delete(id: id, account: principal.account)
            if found, id != principal.session {
                try environment.notify(
                    .session, principal.account, saying: NotificationDetail(.sessionEnded), in: transaction, now: now)
            }
            return found
        }
        guard found else { throw AccountError.sessionNotFound }
        environment.events.end(session: id)
    }

    private func proofNonce(_ proof: String, by key: P256PublicKey, username: String, now: Int64) throws -> String {
        let prover = DeviceProof(suite: environment.suite, publicURL: environment.publicURL)
        do {
            let payload = try prover.statement(
                proof, by: key, type: Statement.signInType, username: username, now: now)
            guard let nonce = payload["nonce"]?.string else { throw AccountError.signInFailed }
            return String(decoding: nonce, as: UTF8.self)
        } catch AccountError.invalidDevice {
            throw AccountError.signInFailed
        }
    }
}

extension SessionStore.Stored {
    /// As its owner sees it.
    fileprivate func shown(to principal: Principal) -> SessionInfo {
        SessionInfo(id: id, device: device, created: created, expires: expires, isCurrent: id == principal.session)
    }
}
