import Interface
import Storage

/// Offers to enrol a device at a service, in the database.
struct ApprovalOfferStore {
    let transaction: Transaction

    /// An offer as stored.
    struct Stored: Sendable {
        var id: String
        var service: String
        /// What the service knows the account by, base64url.
        var label: String
        /// Of the service's session that began.
        var sessionMark: String
        /// The offer that travels, base64url.
        var message: String
        var created: Int64
        var expires: Int64
        var state = ApprovalEnrolment.State.open
        /// Who has taken it, with which device; before, who asks for another device's word.
        var account: String?
        var device: String?
        /// The message by which it was taken, base64url.
        var enrolment: String?
        /// What it has instead of a device's word.
        var recovery: ApprovalRecovering.Way?
        /// What a device asks of the account's others, before it takes the offer.
        var handover: ApprovalHandoverStore.Stored?

        /// The state that a reader is told at this time.
        func state(at now: Int64) -> ApprovalEnrolment.State {
            now > expires && (state == .open || state == .taken) ? .expired : state
        }
    }

    private static let columns =
        """
        id, service, label, session_mark, message, created, expires, state, account, device, enrolment, recovery,
        \(ApprovalHandoverStore.columns)
        """

    func insert(_ offer: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO approval_offers (id, service, label, session_mark, message, created, expires, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(offer.id), .text(offer.service), .text(offer.label), .text(offer.sessionMark),
                .text(offer.message), .integer(offer.created), .integer(offer.expires), .text(offer.state.rawValue),
            ])
        try WebhookNoticeStore(transaction: transaction)
            .expect(.enrolment, offer.id, of: offer.service, expires: offer.expires, at: offer.created)
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM approval_offers WHERE id = $1", [.text(id)])
            .map(Self.stored)
    }

    /// Whether a service may begin another enrolment of this user, after those begun lately that were not completed.
    ///
    /// Those that were ended count, too: nobody fills the disk by ending what they begin.
    func hasRoom(service: String, label: String, now: Int64) throws -> Bool {
        let start = now - Limits.approvalOfferTime
        func count(_ condition: String, _ value: String) throws -> Int64 {
            try transaction.row(
                """
                SELECT COUNT(*) AS begun FROM approval_offers
                WHERE \(condition) AND state IN ('open', 'taken', 'ended') AND expires > $2 AND created > $2
                """, [.text(value), .integer(start)])?.integer("begun") ?? 0
        }
        return try count("label = $1", label) < Limits.approvalOffersOfUser
            && count("service = $1", service) < Limits.approvalOffers
    }

    /// A device takes an offer.
    func take(
        _ id: String, account: String, device: String, enrolment: String, recovery: ApprovalRecovering.Way?
    ) throws {
        try transaction.execute(
            """
            UPDATE approval_offers SET state = 'taken', account = $1, device = $2, enrolment = $3, recovery = $4
            WHERE id = $5
            """,
            [.text(account), .text(device), .text(enrolment), .optional(recovery?.rawValue), .text(id)])
    }

    /// An enrolment is over; the service is told.
    func end(_ id: String, as state: ApprovalEnrolment.State, at now: Int64) throws {
        try transaction.execute(
            "UPDATE approval_offers SET state = $1 WHERE id = $2", [.text(state.rawValue), .text(id)])
        try WebhookNoticeStore(transaction: transaction).end(.enrolment, id, as: state.rawValue, at: now)
    }

    /// Ends what was begun for this user before: one enrolment at a time.
    func endOthers(label: String, at now: Int64) throws {
        try WebhookNoticeStore(transaction: transaction).endOffers(label: label, at: now)
        try transaction.execute(
            "UPDATE approval_offers SET state = 'ended' WHERE label = $1 AND state IN ('open', 'taken')",
            [.text(label)])
    }

    /// Ends everything that a service has begun.
    func endAll(service: String) throws {
        try transaction.execute(
            "UPDATE approval_offers SET state = 'ended' WHERE service = $1 AND state IN ('open', 'taken')",
            [.text(service)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = ApprovalEnrolment.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "approval_offers.state")
        }
        return Stored(
            id: try row.text("id"), service: try row.text("service"), label: try row.text("label"),
            sessionMark: try row.text("session_mark"), message: try row.text("message"),
            created: try row.integer("created"), expires: try row.integer("expires"), state: state,
            account: try row.optionalText("account"), device: try row.optionalText("device"),
            enrolment: try row.optionalText("enrolment"),
            recovery: try row.optionalText("recovery").map { text in
                guard let way = ApprovalRecovering.Way(rawValue: text) else {
                    throw StoredValueError(column: "approval_offers.recovery")
                }
                return way
            }, handover: try ApprovalHandoverStore.Stored(row))
    }
}
