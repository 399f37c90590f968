import Encodings
import Interface
import Passkeys
import Storage

/// Signing in with a passkey: alone, for a session without device, or together with a device's key.
struct PasskeySignInService {
    let environment: Environment

    /// Every failure looks the same, and takes the same work.
    func signIn(_ request: PasskeySignInRequest) async throws -> NewSession {
        let now = environment.now()
        let answer = try await environment.examine(request.assertion)
        let device = try await device(request, answer, now: now)
        let outcome = try await environment.database.write { transaction -> Result<OpenedSession, PasskeyRefused> in
            // Used up, whether it succeeds or not.
            let isUnused = try CeremonyStore(transaction: transaction).consume(
                answer.challenge, purpose: .signIn, session: nil, now: now)
            do {
                guard isUnused else { throw PasskeyRefused(.signInFailed, "no such challenge") }
                // The browser chose the passkey, so it must say whose it is (WebAuthn Level 3 section 7.2, step 6).
                guard request.assertion.userHandle != nil else { throw PasskeyRefused(.signInFailed, "no user handle") }
                let owned = try device.get()
                if let owned {
                    guard owned.account == answer.passkey?.account,
                        try DeviceStore(transaction: transaction).find(id: owned.device.id)?.device.revoked == nil
                    else { throw PasskeyRefused(.signInFailed, "device") }
                }
                let passkey = try answer.use(in: transaction, now: now)
                guard let account = try AccountStore(transaction: transaction).find(id: passkey.account) else {
                    throw StoredValueError(column: "passkeys.account")
                }
                return .success(
                    try environment.openSession(
                        account: account, device: owned?.device, passkey: passkey.id, in: transaction, now: now))
            } catch let refused as PasskeyRefused {
                return .failure(refused)
            }
        }
        return environment.committed(try outcome.get())
    }

    /// The device that the request names, if its key signed this very challenge.
    private func device(
        _ request: PasskeySignInRequest, _ answer: ExaminedAssertion, now: Int64
    ) async throws -> Result<DeviceStore.Owned?, PasskeyRefused> {
        guard request.device != nil || request.proof != nil else { return .success(nil) }
        let refused = Result<DeviceStore.Owned?, PasskeyRefused>.failure(PasskeyRefused(.signInFailed, "device"))
        guard let id = request.device, let proof = request.proof, let passkey = answer.passkey else { return refused }
        let (found, account) = try await environment.database.read { transaction in
            (
                try DeviceStore(transaction: transaction).find(name: id),
                try AccountStore(transaction: transaction).find(id: passkey.account)
            )
        }
        guard let found, let account, let key = DeviceProof.key(found.device.signingKey),
            let payload = try? DeviceProof(suite: environment.suite, publicURL: environment.publicURL).statement(
                proof, by: key, type: Statement.signInType, username: account.username, now: now),
            payload["nonce"]?.string == Bytes(text: answer.challenge)
        else { return refused }
        return .success(found)
    }
}

/// An assertion with what the server knows of its passkey, verified or refused, before its challenge is used up.
struct ExaminedAssertion: Sendable {
    /// Base64url.
    let challenge: String
    /// As it was read; `nil` when there is none by that id.
    let passkey: PasskeyStore.Stored?
    private let userHandle: String?
    private let verified: Result<VerifiedAssertion, PasskeyRefused>

    init(
        challenge: String, passkey: PasskeyStore.Stored?, userHandle: String?,
        verified: Result<VerifiedAssertion, PasskeyRefused>
    ) {
        self.challenge = challenge
        self.passkey = passkey
        self.userHandle = userHandle
        self.verified = verified
    }

    /// The passkey that answered, with its counter moved on.
    ///
    /// - Throws: `PasskeyRefused`.
    func use(in transaction: Transaction, now: Int64) throws -> PasskeyStore.Stored {
        let verified = try verified.get()
        let store = PasskeyStore(transaction: transaction)
        guard let passkey, let current = try store.find(id: passkey.id), current.account == passkey.account,
            current.publicKey == passkey.publicKey
        else { throw PasskeyRefused(.signInFailed, "no such passkey") }
        guard userHandle == nil || userHandle == current.userHandle else {
            throw PasskeyRefused(.signInFailed, "another user's passkey")
        }
        let isNewer = try store.use(
            id: current.id, signCount: Int64(verified.signCount), isBackedUp: verified.isBackedUp, at: now)
        guard isNewer else { throw PasskeyRefused(.signInFailed, "the counter went back: there is a copy") }
        return current
    }
}

extension Environment {
    /// Looks an assertion's passkey up and verifies it.
    ///
    /// - Throws: `PasskeyRefused` only for what cannot even be read.
    func examine(_ assertion: PasskeyAssertion) async throws -> ExaminedAssertion {
        let read = try passkeys.read(assertion)
        let passkey = try await database.read { try PasskeyStore(transaction: $0).find(id: assertion.id) }
        let verified: Result<VerifiedAssertion, PasskeyRefused>
        do {
            verified = .success(try passkeys.verify(read, by: passkey))
        } catch let refused as PasskeyRefused {
            verified = .failure(refused)
        }
        return ExaminedAssertion(
            challenge: read.challenge, passkey: passkey, userHandle: assertion.userHandle,
            verified: verified)
    }
}
