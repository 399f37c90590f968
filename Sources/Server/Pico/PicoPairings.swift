import CryptoProvider
import Encodings
import Interface
import Pico
import Storage

/// The wallets that sign an account in: paired, named and removed.
struct PicoPairings: Sendable {
    let office: PicoOffice
    private var environment: Environment { office.environment }

    func list(_ principal: Principal) async throws -> [PicoWallet] {
        try await environment.database.read { transaction in
            try PicoWalletStore(transaction: transaction).list(account: principal.account)
                .map { $0.shown(to: principal) }
        }
    }

    /// A code for one wallet; the session's former code no longer counts.
    func begin(_ request: PicoWalletName, _ call: Call, _ principal: Principal) async throws -> PicoPairingOffer {
        let name = try AccountRules.name(request.name)
        let organisation = try await environment.organisation()
        let count = try await environment.database.read {
            try PicoWalletStore(transaction: $0).count(account: principal.account)
        }
        guard count < Limits.picoWallets else { throw PicoRefusal.tooManyWallets }
        for old in office.runs.removePairings(ofSession: principal.session) { office.end(old) }
        let run = try office.begin(
            .pairing(account: principal.account, session: principal.session, device: principal.device, name: name),
            call)
        let code = try PicoPairingCode(
            name: Bytes(text: organisation.name), address: office.address(of: run), identity: office.identity.key,
            suite: environment.suite)
        return PicoPairingOffer(
            id: run.id, code: String(decoding: code.encoded(), as: UTF8.self),
            fingerprint: office.identity.commitment.hexadecimal, expires: run.expires)
    }

    /// Waits for the wallet that scans the code.
    func wait(_ id: String, _ call: Call, _ principal: Principal) async throws -> PicoPairingProgress {
        let run = try own(id, principal)
        guard case .pairing(_, _, let device, let name) = run.purpose else { throw PicoRefusal.notFound }
        let wallet = try await office.wait(for: run, call) { claim in
            try await decide(claim, name: name, device: device, principal)
        }
        if let wallet {
            office.runs.remove(run)
            return PicoPairingProgress(state: .paired, wallet: wallet)
        }
        let stage = run.stage(at: office.exchange.uptime)
        guard stage == .waiting || stage == .seen else {
            office.runs.remove(run)
            return PicoPairingProgress(state: .expired)
        }
        return PicoPairingProgress(state: .waiting)
    }

    /// The page shows its code no more.
    func end(_ id: String, _ principal: Principal) throws { office.end(try own(id, principal)) }

    private func own(_ id: String, _ principal: Principal) throws(PicoRefusal) -> PicoRun {
        guard let run = office.runs.find(id), case .pairing(let account, let session, _, _) = run.purpose,
            account == principal.account, session == principal.session
        else { throw .notFound }
        return run
    }

    private func decide(
        _ claim: PicoClaim, name: String, device: String?, _ principal: Principal
    ) async throws -> PicoExchange.Decision<PicoWallet> {
        let wallet = PicoWalletStore.Stored(
            id: environment.newIdentifier(), account: principal.account, device: device, name: name,
            identity: claim.identity, commitment: claim.commitment.hexadecimal, created: environment.now())
        let isFree = try await environment.database.read { transaction in
            let store = PicoWalletStore(transaction: transaction)
            return try !store.isTaken(commitment: wallet.commitment)
                && store.count(account: principal.account) < Limits.picoWallets
        }
        guard isFree else { return .refuse }
        return .accept(.newPairing) { _ in
            try await environment.database.write { transaction in
                let store = PicoWalletStore(transaction: transaction)
                // The session may have ended while its page waited.
                guard
                    try SessionStore(transaction: transaction).isOpen(
                        id: principal.session, account: principal.account, now: wallet.created)
                else { throw Problem(.unauthenticated) }
                guard try store.count(account: principal.account) < Limits.picoWallets else {
                    throw PicoRefusal.tooManyWallets
                }
                try store.insert(wallet)
                try environment.notify(
                    .access, principal.account, saying: NotificationDetail(.walletPaired), in: transaction,
                    now: wallet.created)
            }
            return wallet.shown(to: principal)
        }
    }

    func rename(_ id: String, _ request: PicoWalletName, _ principal: Principal) async throws -> PicoWallet {
        let name = try AccountRules.name(request.name)
        return try await environment.database.write { transaction in
            let store = PicoWalletStore(transaction: transaction)
            guard var wallet = try store.find(id: id, account: principal.account) else { throw PicoRefusal.notFound }
            try store.rename(id: id, to: name)
            wallet.name = name
            return wallet.shown(to: principal)
        }
    }

    /// Removes a wallet, and ends the sessions that it began.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let ended = try await environment.database.write { transaction in
            let store = PicoWalletStore(transaction: transaction)
            guard try store.find(id: id, account: principal.account) != nil else { throw PicoRefusal.notFound }
            let sessions = try store.endSessions(ofWallet: id, account: principal.account)
            try store.delete(id: id)
            try environment.notify(
                .access, principal.account, saying: NotificationDetail(.walletRemoved), in: transaction, now: now)
            return sessions
        }
        for session in ended { environment.events.end(session: session) }
    }
}

extension PicoWalletStore {
    /// Ends the sessions that a wallet began.
    ///
    /// - Returns: those that had not ended.
    func endSessions(ofWallet id: String, account: String) throws -> [String] {
        let store = SessionStore(transaction: transaction)
        return try sessions(ofWallet: id).filter { try store.delete(id: $0, account: account) }
    }

    /// Ends the sessions that a device's wallets began: it is revoked.
    func endSessions(ofDevice device: String, account: String) throws -> [String] {
        try wallets(ofDevice: device).flatMap { try endSessions(ofWallet: $0, account: account) }
    }
}
