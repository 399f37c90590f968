import CryptoProvider
import Encodings
import Interface
import Storage

/// The person shows that they are there; so many failures in a row end the session.
///
/// A page cannot tell a failed finger from a cancelled one, and may not want to tell at all. So three things count as
/// failures: those that it reports, wrong answers, and challenges that nobody answered in time.
struct ConfirmationService {
    let environment: Environment

    /// How an attempt ended, decided in its transaction.
    private enum Outcome<Value: Sendable>: Sendable {
        case done(Value)
        /// The session counts it.
        case failed(cause: String)
        /// It was one too many.
        case ended
        case impossible(AccountError)
    }

    /// A challenge for the account's passkeys, for this session only.
    func begin(_ principal: Principal) async throws -> AssertionOptions {
        let now = environment.now()
        let ceremony = environment.newCeremony(.confirmation, session: principal.session)
        let outcome = try await environment.database.write { transaction -> Outcome<AssertionOptions> in
            guard try reckon(principal, in: transaction, now: now) != nil else { return .ended }
            let passkeys = try PasskeyStore(transaction: transaction).list(account: principal.account)
            // Without any it is for the passphrase, which the page tries by itself first: failures are counted alike.
            let store = CeremonyStore(transaction: transaction)
            guard try store.countOpen(session: principal.session) < Limits.ceremonies else {
                return .impossible(.tooManyCeremonies)
            }
            try store.insert(ceremony)
            return .done(environment.assertionOptions(ceremony, passkeys, confirmedUntil: principal.confirmedUntil))
        }
        return try finish(outcome, principal)
    }

    func confirm(_ request: ConfirmationRequest, _ principal: Principal) async throws -> Confirmation {
        switch (request.assertion, request.passphrase, request.proof) {
        case (let assertion?, nil, nil): try await confirm(assertion, principal)
        case (nil, let passphrase?, let proof?): try await confirm(passphrase, proof, principal)
        default: throw AccountError.invalidConfirmation
        }
    }

    /// A page reports that an authenticator did not answer.
    func report(_ report: CeremonyFailureReport, _ principal: Principal) async throws -> CeremonyFailure {
        let now = environment.now()
        let failures = try await environment.database.write { transaction -> Int64? in
            // A challenge that is not this session's, or was counted before, changes nothing.
            let isOpen = try CeremonyStore(transaction: transaction).consume(
                report.challenge, purpose: .confirmation, session: principal.session, now: now)
            return try reckon(principal, failures: isOpen ? 1 : 0, in: transaction, now: now)
        }
        if failures == nil { environment.events.end(session: principal.session) }
        return CeremonyFailure(remaining: Int(Limits.ceremonyFailures - (failures ?? Limits.ceremonyFailures)))
    }

    private func confirm(_ assertion: PasskeyAssertion, _ principal: Principal) async throws -> Confirmation {
        let now = environment.now()
        let answer: Result<ExaminedAssertion, PasskeyRefused>
        do {
            answer = .success(try await environment.examine(assertion))
        } catch let refused as PasskeyRefused {
            answer = .failure(refused)
        }
        let outcome = try await environment.database.write { transaction -> Outcome<Confirmation> in
            do {
                let answer = try answer.get()
                let isOpen = try CeremonyStore(transaction: transaction).consume(
                    answer.challenge, purpose: .confirmation, session: principal.session, now: now)
                guard isOpen else { throw PasskeyRefused(.confirmationFailed, "no such challenge") }
                guard answer.passkey?.account == principal.account else {
                    throw PasskeyRefused(.confirmationFailed, "another account's passkey")
                }
                _ = try answer.use(in: transaction, now: now)
                return try succeed(principal, in: transaction, now: now)
            } catch let refused as PasskeyRefused {
                // An expired one is counted as such, and not a second time.
                let challenge = try? answer.get().challenge
                return try fail(principal, refused.cause, challenge: challenge, in: transaction, now: now)
            }
        }
        return try finish(outcome, principal)
    }

    private func confirm(_ passphrase: String, _ proof: String, _ principal: Principal) async throws -> Confirmation {
        let now = environment.now()
        guard let device = principal.device else { throw Problem(.deviceRequired) }
        let (credentials, owned) = try await environment.database.read { transaction in
            (
                try AccountStore(transaction: transaction).credentials(id: principal.account),
                try DeviceStore(transaction: transaction).find(id: device)
            )
        }
        let isPassphrase = try await environment.passphrases.verify(
            PassphraseHash.bytes(of: passphrase), against: credentials?.passphraseHash)
        let username = credentials?.account.username ?? ""
        let nonce = owned.flatMap { DeviceProof.key($0.device.signingKey) }.flatMap { key in
            try? DeviceProof(suite: environment.suite, publicURL: environment.publicURL).statement(
                proof, by: key, type: Statement.signInType, username: username, now: now)["nonce"]?.string
        }.map { String(decoding: $0, as: UTF8.self) }
        let outcome = try await environment.database.write { transaction -> Outcome<Confirmation> in
            let isChallenge = try nonce.map {
                try SessionStore(transaction: transaction).consumeNonce(nonce: $0, username: username, now: now)
            }
            guard isPassphrase, isChallenge == true else {
                return try fail(principal, "passphrase or proof", challenge: nil, in: transaction, now: now)
            }
            return try succeed(principal, in: transaction, now: now)
        }
        return try finish(outcome, principal)
    }

    private func succeed(
        _ principal: Principal, in transaction: Transaction, now: Int64
    ) throws -> Outcome<Confirmation> {
        guard try reckon(principal, in: transaction, now: now) != nil else { return .ended }
        let until = now + Limits.confirmationTime
        try SessionStore(transaction: transaction).confirm(id: principal.session, until: until)
        return .done(Confirmation(confirmedUntil: until))
    }

    private func fail(
        _ principal: Principal, _ cause: String, challenge: String?, in transaction: Transaction, now: Int64
    ) throws -> Outcome<Confirmation> {
        let isLeft = try reckon(principal, failures: 1, unless: challenge, in: transaction, now: now) != nil
        return isLeft ? .failed(cause: cause) : .ended
    }

    /// Counts failures, those that nobody answered first, and ends the session when they are too many.
    ///
    /// - Parameter unless: adds nothing for this challenge if it is one that nobody answered in time.
    /// - Returns: how many there are in a row now; `nil` when the session is over.
    private func reckon(
        _ principal: Principal, failures added: Int64 = 0, unless challenge: String? = nil,
        in transaction: Transaction, now: Int64
    ) throws -> Int64? {
        let sessions = SessionStore(transaction: transaction)
        let expired = try CeremonyStore(transaction: transaction).takeExpired(session: principal.session, now: now)
        let isCounted = challenge.map(expired.contains) ?? false
        let failures = try sessions.addFailures(
            id: principal.session, Int64(expired.count) + (isCounted ? 0 : added))
        guard let failures else { return nil }
        guard failures < Limits.ceremonyFailures else {
            _ = try sessions.delete(id: principal.session, account: principal.account)
            try environment.notify(
                .session, principal.account, saying: NotificationDetail(.sessionFailed), in: transaction, now: now)
            return nil
        }
        return failures
    }

    private func finish<Value>(_ outcome: Outcome<Value>, _ principal: Principal) throws -> Value {
        switch outcome {
        case .done(let value): return value
        case .failed(let cause): throw PasskeyRefused(.confirmationFailed, cause)
        case .impossible(let error): throw error
        case .ended:
            environment.events.end(session: principal.session)
            throw AccountError.sessionEnded
        }
    }
}
