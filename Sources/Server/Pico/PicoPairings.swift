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
        let count = try await environment.database.read { transaction in
            _ = try origin(of: principal, in: transaction)
            return try PicoWalletStore(transaction: transaction).count(account: principal.account)
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
        let begun = PicoWalletStore.Stored(
            id: environment.newIdentifier(), account: principal.account, device: device, name: name,
            identity: claim.identity, commitment: claim.commitment.hexadecimal, created: environment.now())
        let isFree = try await environment.database.read { transaction in
            let store = PicoWalletStore(transaction: transaction)
            return try !store.isTaken(commitment: begun.commitment)
                && store.count(account: principal.account) < Limits.picoWallets
        }
        guard isFree else { return .refuse }
        return .accept(.newPairing) { _ in
            let wallet = try await environment.database.write { transaction in
                var wallet = begun
                let store = PicoWalletStore(transaction: transaction)
                // The session may have ended while its page waited.
                guard
                    try SessionStore(transaction: transaction).isOpen(
                        id: principal.session, account: principal.account, now: wallet.created)
                else { throw Problem(.unauthenticated) }
                guard try store.count(account: principal.account) < Limits.picoWallets else {
                    throw PicoRefusal.tooManyWallets
                }
                (wallet.passkey, wallet.parent) = try origin(of: principal, in: transaction)
                try store.insert(wallet)
                try environment.notify(
                    .access, principal.account, saying: NotificationDetail(.walletPaired), in: transaction,
                    now: wallet.created)
                return wallet
            }
            return wallet.shown(to: principal)
        }
    }

    /// What a wallet goes with that this session pairs: nothing more if the session has a device, whose wallet it then is.
    ///
    /// - Throws: `passkeyRemoved` if the passkey that began the session is gone: nothing would end the wallet.
    private func origin(
        of principal: Principal, in transaction: Transaction
    ) throws -> (passkey: String?, parent: String?) {
        guard principal.device == nil else { return (nil, nil) }
        if let wallet = try PicoWalletStore(transaction: transaction).wallet(ofSession: principal.session) {
            return (nil, wallet)
        }
        guard let passkey = try SessionStore(transaction: transaction).passkey(ofSession: principal.session) else {
            return (nil, nil)
        }
        guard try PasskeyStore(transaction: transaction).find(id: passkey)?.account == principal.account else {
            throw PicoRefusal.passkeyRemoved
        }
        return (passkey, nil)
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

    /// Removes a wallet and those that its sessions paired, and ends the sessions that they began.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let ended = try await environment.database.write { transaction in
            let store = PicoWalletStore(transaction: transaction)
            guard try store.find(id: id, account: principal.account) != nil else { throw PicoRefusal.notFound }
            let sessions = try store.deleteWhole([id], account: principal.account)
            for slice in environment.slices { try slice.walletRemoved(principal.account, transaction) }
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

    /// Removes wallets, and those that their sessions paired, and that theirs did.
    ///
    /// - Returns: the sessions that they began and that had not ended.
    func deleteWhole(_ wallets: [String], account: String) throws -> [String] {
        var (ended, waiting): ([String], [String]) = ([], wallets)
        while let id = waiting.popLast() {
            waiting += try self.wallets(ofParent: id)
            ended += try endSessions(ofWallet: id, account: account)
            try delete(id: id)
        }
        return ended
    }

    /// Ends the sessions that a device's wallets began, and removes the wallets that those paired: it is revoked.
    func endAll(ofDevice device: String, account: String) throws -> [String] {
        try wallets(ofDevice: device).flatMap { id in
            try endSessions(ofWallet: id, account: account)
                + deleteWhole(try wallets(ofParent: id), account: account)
        }
    }

    /// Removes the wallets that sessions of a passkey paired: it is removed.
    ///
    /// - Returns: the sessions that they began and that had not ended.
    func deleteAll(ofPasskey passkey: String, account: String) throws -> [String] {
        try deleteWhole(try wallets(ofPasskey: passkey, account: account), account: account)
    }
}
