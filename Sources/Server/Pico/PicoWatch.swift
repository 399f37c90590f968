import Encodings
import Interface
import Pico
import Storage

/// Holds sessions open while their wallets answer, and locks them when these pause or are gone.
struct PicoWatch: Sendable {
    let office: PicoOffice
    private var environment: Environment { office.environment }

    /// Waits for the wallet's next messages, answers them, and says when something changes.
    ///
    /// A page that shows the session asks again and again; if none does, the session locks itself.
    func wait(_ id: String, _ request: PicoSignInSecret, _ call: Call) async throws -> PicoHeldSession {
        guard let hold = office.holds.find(id), hold.secret == Environment.tokenHash(request.secret) else {
            throw PicoRefusal.notFound
        }
        try hold.place.take()
        defer { hold.place.leave() }
        let presence = try await office.forClient(call) { try await watch(hold) }
        return presence ?? PicoHeldSession(state: .active, until: environment.now())
    }

    private func watch(_ hold: PicoHold) async throws -> PicoHeldSession {
        let exchange = office.exchange
        let end = exchange.uptime + Limits.picoWait * 1_000
        let wasPaused = hold.isPaused
        var until = environment.now()
        while !hold.isOver(at: exchange.uptime) {
            let left = min(end, hold.deadline + 1) - exchange.uptime
            // A page that was left reads no more: the next page of the browser does.
            guard left > 0, !Task.isCancelled else { break }
            let heard = try? await office.rendezvous.wait(
                at: hold.channel, writing: nil, from: hold.waiter, for: .milliseconds(left))
            // Somebody else reads what the wallet writes, or there is no place to wait for it.
            guard let heard, heard != .busy else { return try await lock(hold, .lost) }
            guard case .data(let body) = heard else { continue }
            switch hold.take(body, ending: try await isOver(hold), suite: environment.suite, at: exchange.uptime) {
            case .lost: return try await lock(hold, .lost)
            case .answer(let message, let state, let seconds):
                until = environment.now() + seconds
                try await answer(hold, message, state, until)
                if state != .active || wasPaused { return PicoHeldSession(state: state, until: until) }
            }
        }
        if hold.isOver(at: exchange.uptime) { return try await lock(hold, .lost) }
        return PicoHeldSession(state: hold.isPaused ? .paused : .active, until: until)
    }

    /// Answers a wallet that was heard.
    ///
    /// It is done in a task of its own: if the page is left in this moment, the wallet would otherwise wait and hear nothing.
    private func answer(
        _ hold: PicoHold, _ message: Bytes, _ state: PicoHeldSession.State, _ until: Int64
    ) async throws {
        try await Task {
            // Locked before the wallet hears it: what it says is then true.
            if state == .active { try await store(hold, until) } else { _ = try await lock(hold, state) }
            await office.exchange.send(message, to: hold.channel, from: hold.waiter)
        }.value
    }

    private func lock(_ hold: PicoHold, _ state: PicoHeldSession.State) async throws -> PicoHeldSession {
        let now = environment.now()
        if state == .lost { office.holds.remove(hold) }
        try await store(hold, now - 1)
        environment.events.end(session: hold.session)
        return PicoHeldSession(state: state, until: now - 1)
    }

    /// Whether there is no session any more to hold: its person signed out, or the wallet was removed.
    private func isOver(_ hold: PicoHold) async throws -> Bool {
        let now = environment.now()
        return try await environment.database.read { transaction in
            try !SessionStore(transaction: transaction).exists(id: hold.session, now: now)
        }
    }

    private func store(_ hold: PicoHold, _ time: Int64) async throws {
        try await environment.database.write { transaction in
            try SessionStore(transaction: transaction).hold(id: hold.session, until: time)
        }
        environment.events.hold(session: hold.session, until: time)
    }
}
