import Interface
import Storage

/// One-time tickets: each binds a document as it was shown to the session that asked, and to the capture that follows.
struct SigningTickets {
    let environment: Environment

    private var box: TemplateBox { TemplateBox(environment.keys) }
    private static let purpose = "signing ticket"

    /// What a ticket is for.
    struct Purpose: Sendable {
        var client: String
        var document: String
        /// SHA-256 of the bytes, base64url.
        var digest: String
    }

    /// Gives a ticket.
    ///
    /// - Returns: its text, which is stored nowhere, and until when it holds.
    func issue(_ purpose: Purpose, _ principal: Principal) async throws -> (text: String, expires: Int64) {
        let text = environment.randomText(32)
        let now = environment.now()
        let ticket = TicketStore.Stored(
            hash: hash(text), session: principal.session, operatorID: principal.account, client: purpose.client,
            document: purpose.document, digest: box.index(ofDigest: purpose.digest), capture: "",
            expires: now + Limits.ticketTime)
        try await environment.database.write {
            try TicketStore(transaction: $0).insert(ticket, now: now, keeping: Limits.tickets)
        }
        return (text, ticket.expires)
    }

    /// A ticket that holds for this session.
    ///
    /// - Throws: `badTicket`.
    func find(_ text: String, _ principal: Principal, in transaction: Transaction) throws -> TicketStore.Stored {
        guard let ticket = try TicketStore(transaction: transaction).find(hash: hash(text)),
            ticket.session == principal.session, ticket.operatorID == principal.account,
            ticket.expires > environment.now()
        else { throw HandSignatureError.badTicket }
        return ticket
    }

    /// Checks that a ticket is for this, and for this capture.
    ///
    /// - Throws: `badTicket`, `otherCapture`.
    func check(
        _ text: String, for purpose: Purpose, capture: String, _ principal: Principal, in transaction: Transaction
    ) throws -> TicketStore.Stored {
        let ticket = try find(text, principal, in: transaction)
        guard ticket.client == purpose.client, ticket.document == purpose.document,
            box.isIndex(ticket.digest, ofDigest: purpose.digest)
        else { throw HandSignatureError.badTicket }
        guard ticket.capture.isEmpty || box.isIndex(ticket.capture, ofCapture: capture) else {
            throw HandSignatureError.otherCapture
        }
        return ticket
    }

    /// The same, and takes the ticket: nobody else signs with it.
    func consume(
        _ text: String, for purpose: Purpose, capture: String, _ principal: Principal, in transaction: Transaction
    ) throws {
        let ticket = try check(text, for: purpose, capture: capture, principal, in: transaction)
        guard try TicketStore(transaction: transaction).consume(hash: ticket.hash) else {
            throw HandSignatureError.badTicket
        }
    }

    private func hash(_ text: String) -> String { environment.codeHash(text, purpose: Self.purpose) }
}
