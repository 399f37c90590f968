import CryptoProvider
import Encodings
import Interface
import Pico
import Storage

/// Signing a browser in by the proof of a paired wallet.
struct PicoSignIns: Sendable {
    let office: PicoOffice
    private var environment: Environment { office.environment }

    /// A code for the browser that asks.
    func begin(_ request: NewPicoSignIn, _ call: Call) async throws -> PicoSignInOffer {
        _ = try await environment.organisation()
        let secret = environment.randomText(32)
        let run = try office.begin(
            .signIn(
                secret: Environment.tokenHash(secret), isContinuous: request.continuous ?? false,
                replaces: request.replaces ?? false ? call.sessionToken.map { Environment.tokenHash($0) } : nil), call)
        let code = PicoAuthenticationCode(service: office.identity.commitment, address: try office.address(of: run))
        return PicoSignInOffer(
            id: run.id, secret: secret, code: String(decoding: code.encoded(), as: UTF8.self), expires: run.expires)
    }

    /// Waits for a wallet.
    func wait(_ id: String, _ request: PicoSignInSecret, _ call: Call) async throws -> PicoSignInProgress {
        let run = try own(id, request)
        let session = try await office.wait(for: run, call) { try await decide($0, run) }
        if let session {
            office.runs.remove(run)
            return PicoSignInProgress(state: .signedIn, session: session)
        }
        switch run.tell(at: office.exchange.uptime) {
        case .waiting: return PicoSignInProgress(state: .waiting)
        case .seen: return PicoSignInProgress(state: .seen)
        case .denied:
            office.runs.remove(run)
            return PicoSignInProgress(state: .denied)
        case .over:
            office.runs.remove(run)
            return PicoSignInProgress(state: .expired)
        }
    }

    /// The browser wants it no more.
    func end(_ id: String, _ request: PicoSignInSecret) throws { office.end(try own(id, request)) }

    /// Who asks, for a wallet that scanned the code: from now on it comes in nowhere else.
    func asking(_ channel: String, _ principal: Principal) throws -> PicoAsking {
        let run = try scanned(channel)
        run.see()
        office.looks.note(principal.account, principal.session, at: channel, uptime: office.exchange.uptime)
        // The page waits at its channel: it is told that it was seen.
        office.rendezvous.close(channel)
        return PicoAsking(browser: run.browser, address: run.address, created: run.created, expires: run.expires)
    }

    /// The wallet's owner did not ask for it.
    func deny(_ channel: String, _ principal: Principal) throws {
        // Also when the code was over before.
        office.looks.forget(principal.account, at: channel)
        try scanned(channel).deny()
        office.rendezvous.close(channel)
    }

    private func scanned(_ channel: String) throws(PicoRefusal) -> PicoRun {
        guard let run = office.runs.find(channel: channel), case .signIn = run.purpose else { throw .notFound }
        switch run.stage(at: office.exchange.uptime) {
        case .waiting, .seen: return run
        case .denied, .over: throw .notFound
        }
    }

    private func own(_ id: String, _ request: PicoSignInSecret) throws(PicoRefusal) -> PicoRun {
        guard let run = office.runs.find(id), case .signIn(let hash, _, _) = run.purpose,
            Environment.tokenHash(request.secret) == hash
        else { throw .notFound }
        return run
    }

    private func decide(_ claim: PicoClaim, _ run: PicoRun) async throws -> PicoExchange.Decision<NewSession> {
        guard case .signIn(let secret, let isContinuous, let replaced) = run.purpose else { return .refuse }
        let commitment = claim.commitment.hexadecimal
        let found = try await environment.database.read {
            try PicoWalletStore(transaction: $0).find(commitment: commitment)
        }
        // Its owner has looked at another code: somebody hands on here what the wallet says there.
        guard let found, office.looks.allow(found.account, through: run.channel, at: office.exchange.uptime) else {
            return .refuse
        }
        return .accept(.paired(found.identity), isContinuous: isContinuous) { held in
            let now = environment.now()
            let (opened, id, ended) = try await environment.database.write { transaction in
                let store = PicoWalletStore(transaction: transaction)
                // It may have been removed, or its device revoked, a moment ago.
                guard let wallet = try store.find(id: found.id, account: found.account),
                    let account = try AccountStore(transaction: transaction).find(id: wallet.account)
                else { throw AccountError.signInFailed }
                // The wallet says nothing about a face or a finger: what needs a confirmation asks this browser for it.
                let opened = try environment.openSession(
                    account: account, device: nil, isConfirmed: false, in: transaction, now: now)
                let sessions = SessionStore(transaction: transaction)
                guard let stored = try sessions.find(tokenHash: Environment.tokenHash(opened.session.token)) else {
                    throw AccountError.signInFailed
                }
                try store.use(
                    id: wallet.id, account: account.id, session: stored.id, expires: stored.expires, now: now)
                if held != nil { try sessions.hold(id: stored.id, until: now + PicoHold.firstTime) }
                let old = try replaced.flatMap { try sessions.find(tokenHash: $0) }
                let isOurs = try old.map { try sessions.delete(id: $0.id, account: account.id) } ?? false
                return (opened, stored.id, isOurs ? old?.id : nil)
            }
            let session = environment.committed(opened)
            office.looks.forget(found.account, at: run.channel)
            if let ended { environment.events.end(session: ended) }
            if let held {
                try office.holds.add(
                    PicoHold(
                        run: run, secret: secret, session: id, held, at: office.exchange.uptime,
                        suite: environment.suite), at: office.exchange.uptime)
            }
            return session
        }
    }
}
