import Encodings
import Interface
import Storage
import Workers

/// Signing on another device: the desk shows a code, a phone scans it, and the signatures made there come to the desk.
///
/// The phone has no session. Its code is for one operator and one purpose, works once, and for minutes.
struct HandoverService {
    let environment: Environment
    let judge: SignatureJudge

    var box: TemplateBox { TemplateBox(environment.keys) }
    static let purpose = "handover"
    /// So many seconds later the desk still gets what was sent at the last moment.
    private static let grace: Int64 = 60

    // MARK: The desk

    func open(_ request: NewHandover, _ principal: Principal) async throws -> Handover {
        let title = try DeskRules.name(request.title, "title")
        guard (1...6).contains(request.count) else { throw HandSignatureError.invalid("count: 1 to 6.") }
        guard request.ticket == nil || request.count == 1 else {
            throw HandSignatureError.invalid("count: 1, for a document is signed once.")
        }
        let code = environment.humanCode(groups: 5)
        let now = environment.now()
        let new = HandoverStore.Stored(
            id: environment.newIdentifier(), codeHash: environment.codeHash(code, purpose: Self.purpose),
            operatorID: principal.account, title: title, count: request.count, state: .open,
            expires: now + Limits.handoverTime, ticket: "")
        let stored = try await environment.database.write { transaction in
            var stored = new
            if let text = request.ticket {
                let ticket = try SigningTickets(environment: environment).find(text, principal, in: transaction)
                stored.ticket = ticket.hash
                // What an earlier code brought does not count.
                try TicketStore(transaction: transaction).bind(hash: ticket.hash, capture: "")
            }
            let store = HandoverStore(transaction: transaction)
            try store.deleteOld(operatorID: principal.account, now: now)
            try store.insert(stored)
            return stored
        }
        return Handover(
            id: stored.id, state: .open, address: "\(environment.publicURL)/sign-here#\(code)",
            expires: stored.expires)
    }

    /// How it goes, and what was written there: until the desk says that it has it, by ``cancel(_:_:)``.
    func find(_ id: String, _ principal: Principal) async throws -> Handover {
        let now = environment.now()
        let stored = try await environment.database.read { try Self.own(id, principal, in: $0) }
        guard stored.state == .done, let sealed = stored.sealed, now < stored.expires + Self.grace else {
            return Handover(
                id: id, state: stored.expires <= now ? .expired : stored.state, expires: stored.expires,
                device: stored.device)
        }
        let opened = try box.openText(sealed, .handover, of: id)
        let captures = try JSON.parse(opened, maximumLength: 1 << 24).array?.compactMap { element in
            element.string.map { String(decoding: $0, as: UTF8.self) }
        }
        return Handover(
            id: id, state: .done, expires: stored.expires, captures: captures ?? [], device: stored.device)
    }

    /// Forgets a hand-over: it is given up, or the desk has what was written.
    func cancel(_ id: String, _ principal: Principal) async throws {
        try await environment.database.write { transaction in
            _ = try Self.own(id, principal, in: transaction)
            try HandoverStore(transaction: transaction).delete(id: id)
        }
    }

    private static func own(
        _ id: String, _ principal: Principal, in transaction: Transaction
    ) throws -> HandoverStore.Stored {
        guard let stored = try HandoverStore(transaction: transaction).find(id: id),
            stored.operatorID == principal.account
        else { throw HandSignatureError.handoverNotFound }
        return stored
    }

    // MARK: The other device

    func task(_ request: HandoverCode) async throws -> HandoverTask {
        let organisation = try await environment.organisation().name
        let stored = try await change(request.code, to: .opened) { _, _ in }
        return HandoverTask(
            organisation: organisation, title: stored.title, count: stored.count, expires: stored.expires,
            hasDocument: !stored.ticket.isEmpty)
    }

    func finish(_ request: HandoverResult) async throws {
        let device = try DeskRules.device(request.device)
        let (captures, hash, now) = (
            request.captures, environment.codeHash(request.code, purpose: Self.purpose), environment.now()
        )
        // The code first: strangers make nobody read captures. And captures before anything is kept, so that the phone can
        // have them written again.
        let (waiting, client) = try await environment.database.read { transaction in
            let waiting = try Self.open(hash, in: transaction, now: now)
            return (waiting, try TicketStore(transaction: transaction).find(hash: waiting.ticket)?.client)
        }
        guard Int64(captures.count) == waiting.count else {
            throw HandSignatureError.invalid("captures: \(waiting.count).")
        }
        _ = try await Attempts(environment: environment).keeping(
            .handover, of: client ?? Self.purpose, by: waiting.operatorID
        ) { try await environment.work.run { try judge.read(captures) } }
        _ = try await change(request.code, to: .done) { stored, transaction in
            stored.device = device
            if !stored.ticket.isEmpty, let capture = captures.first {
                try TicketStore(transaction: transaction).bind(
                    hash: stored.ticket, capture: box.index(ofCapture: capture))
            }
            stored.sealed = try box.sealText(
                JSON.array(captures.map { .text($0) }).serialized(), .handover, of: stored.id)
        }
    }

    /// The hand-over of a code that still works.
    static func open(
        _ codeHash: String, in transaction: Transaction, now: Int64
    ) throws -> HandoverStore.Stored {
        guard let stored = try HandoverStore(transaction: transaction).find(codeHash: codeHash) else {
            throw HandSignatureError.handoverNotFound
        }
        guard stored.state != .done, stored.expires > now else { throw HandSignatureError.handoverOver }
        return stored
    }

    private func change(
        _ code: String, to state: Handover.State,
        _ body: @escaping @Sendable (inout HandoverStore.Stored, Transaction) throws -> Void
    ) async throws -> HandoverStore.Stored {
        let hash = environment.codeHash(code, purpose: Self.purpose)
        let now = environment.now()
        let stored = try await environment.database.write { transaction in
            let store = HandoverStore(transaction: transaction)
            var stored = try Self.open(hash, in: transaction, now: now)
            try body(&stored, transaction)
            stored.state = state
            try store.update(stored)
            return stored
        }
        environment.publish(
            LiveEvent(.handover, id: stored.id, state: state.rawValue), to: stored.operatorID)
        return stored
    }
}
