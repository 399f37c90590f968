import Storage

/// Tickets of documents that are shown, in the database, for half an hour.
struct TicketStore {
    let transaction: Transaction

    /// A ticket as stored.
    struct Stored: Equatable {
        /// The hash of its text: a reader of the database cannot present one.
        var hash: String
        /// The session that asked for the document.
        var session: String
        var operatorID: String
        var client: String
        var document: String
        /// Of what was shown, as `signings.digest` has it.
        var digest: String
        /// The capture that a phone has sent for it; empty while none has.
        var capture: String
        var expires: Int64
    }

    /// Stores a ticket, and lets go of what is over and of an operator's oldest.
    func insert(_ ticket: Stored, now: Int64, keeping count: Int) throws {
        try transaction.execute(
            "DELETE FROM signing_tickets WHERE operator = $1 AND expires <= $2",
            [.text(ticket.operatorID), .integer(now)])
        let kept = try transaction.rows(
            "SELECT hash FROM signing_tickets WHERE operator = $1 ORDER BY expires DESC, hash",
            [.text(ticket.operatorID)])
        for row in kept.dropFirst(count - 1) {
            try transaction.execute("DELETE FROM signing_tickets WHERE hash = $1", [.text(try row.text("hash"))])
        }
        try transaction.execute(
            """
            INSERT INTO signing_tickets (hash, session, operator, client, document, digest, capture, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(ticket.hash), .text(ticket.session), .text(ticket.operatorID), .text(ticket.client),
                .text(ticket.document), .text(ticket.digest), .text(ticket.capture), .integer(ticket.expires),
            ])
    }

    func find(hash: String) throws -> Stored? {
        try transaction.row(
            """
            SELECT hash, session, operator, client, document, digest, capture, expires FROM signing_tickets
            WHERE hash = $1
            """, [.text(hash)]
        ).map {
            Stored(
                hash: try $0.text("hash"), session: try $0.text("session"), operatorID: try $0.text("operator"),
                client: try $0.text("client"), document: try $0.text("document"), digest: try $0.text("digest"),
                capture: try $0.text("capture"), expires: try $0.integer("expires"))
        }
    }

    /// Binds a ticket to the capture that a phone has sent; with an empty text to none.
    func bind(hash: String, capture: String) throws {
        try transaction.execute(
            "UPDATE signing_tickets SET capture = $1 WHERE hash = $2", [.text(capture), .text(hash)])
    }

    /// Takes a ticket away.
    ///
    /// - Returns: whether it was there: of several who present it one has it.
    func consume(hash: String) throws -> Bool {
        try transaction.changes("DELETE FROM signing_tickets WHERE hash = $1", [.text(hash)]) == 1
    }

    /// Forgets every ticket.
    func deleteAll() throws {
        try transaction.execute("DELETE FROM signing_tickets")
    }

    /// Forgets a client's tickets, and the hand-overs that were opened with them.
    func forget(client: String) throws {
        try transaction.execute(
            "DELETE FROM handovers WHERE ticket IN (SELECT hash FROM signing_tickets WHERE client = $1)",
            [.text(client)])
        try transaction.execute("DELETE FROM signing_tickets WHERE client = $1", [.text(client)])
    }
}
