import CountersignService
import Foundation

/// The bank: who is here, what they have, and what waits for their second factor.
///
/// Everything is in memory, and gone when the program ends: this is an example.
actor Bank {
    let client: ServiceClient
    /// Seconds for which a second factor is waited for.
    let patience: Int64
    var ledger: Ledger
    var sessions: [String: Session] = [:]
    var timings: [Timing] = []
    /// What customers' phones have received, the newest first.
    var messages: [(phone: String, words: String)] = []
    var guards = Guards()
    private let clock: @Sendable () -> Int64

    private static let mostSessions = 10_000

    init(
        client: ServiceClient, customers: [Customer], patience: Int64,
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    ) {
        (self.client, self.patience, self.clock) = (client, patience, clock)
        ledger = Ledger(customers)
    }

    nonisolated func now() -> Int64 { clock() }

    // MARK: Sessions

    /// The session of a cookie; a new one if there is none.
    func visit(_ token: String?) -> (token: String, session: Session) {
        let now = now()
        if let token, var session = sessions[token], now - session.used <= Session.patience {
            session.used = now
            sessions[token] = session
            return (token, session)
        }
        sessions = sessions.filter { now - $0.value.used <= Session.patience }
        if sessions.count >= Self.mostSessions, let oldest = sessions.min(by: { $0.value.used < $1.value.used }) {
            sessions[oldest.key] = nil
        }
        return begin(Session(at: now))
    }

    /// Whether a form is from a page of this session.
    func isOwn(_ token: String, csrf: String?) -> Bool {
        guard let session = sessions[token], let csrf else { return false }
        return Secret.areEqual(session.csrf, csrf)
    }

    func signOut(_ token: String) async {
        await drop(sessions[token]?.confirmation)
        sessions[token] = nil
    }

    /// A page was opened on which a sign-in or a transfer begins.
    func noteOpened(_ token: String) { sessions[token]?.opened = .now }

    /// Shows a sentence on the next page.
    func say(_ words: String, _ token: String) { sessions[token]?.message = words }

    /// The sentence for this page.
    func takeMessage(_ token: String) -> String? {
        defer { sessions[token]?.message = nil }
        return sessions[token]?.message
    }

    func customer(_ token: String) throws(BankError) -> Customer {
        guard let username = sessions[token]?.username else { throw .signedOut }
        return try ledger.customer(username)
    }

    private func begin(_ session: Session) -> (token: String, session: Session) {
        let token = Secret.token()
        sessions[token] = session
        return (token, session)
    }

    /// Somebody is signed in: in a session of its own, so that a cookie that was planted before is worth nothing.
    func renew(_ token: String, for username: String) -> String {
        var session = Session(at: now())
        session.username = username
        sessions[token] = nil
        return begin(session).token
    }

    // MARK: Passwords

    /// Begins to sign somebody in: their own second factor is next, whatever this session waited for before.
    ///
    /// - Returns: the token of the session that is signed in, if no second factor is needed.
    func signIn(
        _ token: String, username: String, password: String, browser: String, from address: String = "unknown"
    ) async throws -> String? {
        let place = Guards.Place(username: username, address: address)
        try guards.checkPassword(place, at: now())
        let customer = try? ledger.customer(username)
        guard let customer, customer.password.matches(password) else {
            // As long as with a name that there is.
            if customer == nil { _ = ledger.customers.first?.value.password.matches(password) }
            if customer != nil { guards.notePassword(place, isRight: false, at: now()) }
            throw BankError.refused("Name or password is wrong.")
        }
        guards.notePassword(place, isRight: true, at: now())
        return try await ask(.signIn, of: customer, token, browser: browser, from: address)
    }

    // MARK: Transfers

    /// Keeps what was typed, to be shown before it is confirmed.
    func draft(_ transfer: Transfer, _ token: String) throws(BankError) {
        try ledger.check(transfer, of: try customer(token).username)
        sessions[token]?.draft = transfer
    }

    /// The person has seen the draft and wants it: their second factor is next.
    func confirmDraft(_ token: String, browser: String) async throws {
        let customer = try customer(token)
        guard let draft = sessions[token]?.draft else { throw BankError.refused("Begin the transfer again.") }
        try ledger.check(draft, of: customer.username)
        sessions[token]?.draft = nil
        _ = try await ask(.transfer(draft), of: customer, token, browser: browser)
    }

    func add(_ payee: Payee, _ token: String) throws(BankError) {
        try ledger.add(payee, of: try customer(token).username)
    }

    // MARK: Card reader, for the page that stands for one

    func read(_ input: Card.Input, pin: String, of username: String) throws(BankError) -> String {
        try ledger.read(input, pin: pin, of: username)
    }
}
