import Interface
import Storage

/// What webhooks are still to be told, in the database.
struct WebhookNoticeStore {
    let transaction: Transaction

    /// A notice as stored.
    struct Stored: Sendable {
        var notice: ApprovalNotice
        var service: String
        /// How often it was sent without success.
        var attempts: Int64
    }

    /// The state of everything that nobody ends.
    static let expired = "expired"

    /// Something begins that will be over by this time at the latest.
    ///
    /// Nothing is stored for a service without a webhook, or for one that takes so little that thousands wait for it: it
    /// has to ask.
    func expect(
        _ kind: ApprovalNotice.Kind, _ subject: String, of service: String, expires: Int64, at now: Int64
    ) throws {
        try transaction.execute(
            """
            INSERT INTO approval_notices (kind, subject, service, state, time, attempts, due)
            SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), id, '\(Self.expired)', CAST($4 AS BIGINT), 0, CAST($5 AS BIGINT)
            FROM approval_services WHERE id = $3 AND webhook IS NOT NULL AND (
                SELECT COUNT(*) FROM (
                    SELECT 1 AS one FROM approval_notices WHERE service = $3 AND due <= $6
                    LIMIT \(Limits.waitingWebhookNotices)) AS waiting) < \(Limits.waitingWebhookNotices)
            """,
            [
                .text(kind.rawValue), .text(subject), .text(service), .integer(expires), .integer(expires + 1),
                .integer(now),
            ])
    }

    /// Something ended before its time was over: the notice is due.
    ///
    /// - Parameters:
    ///   - time: when it ended, as its receipt says.
    ///   - due: from when the notice is sent, on this server's clock; when it ended, if it is left out.
    func end(
        _ kind: ApprovalNotice.Kind, _ subject: String, as state: String, at time: Int64, due: Int64? = nil
    ) throws {
        try transaction.execute(
            """
            UPDATE approval_notices SET state = $1, time = $2, due = $5
            WHERE kind = $3 AND subject = $4 AND state = '\(Self.expired)' AND time >= $2
            """,
            [.text(state), .integer(time), .text(kind.rawValue), .text(subject), .integer(due ?? time)])
    }

    /// The open offers of a user end.
    func endOffers(label: String, at now: Int64) throws {
        try transaction.execute(
            """
            UPDATE approval_notices SET state = 'ended', time = $1, due = $1
            WHERE kind = 'enrolment' AND state = '\(Self.expired)' AND time >= $1
                AND subject IN (SELECT id FROM approval_offers WHERE label = $2 AND state IN ('open', 'taken'))
            """, [.integer(now), .text(label)])
    }

    /// What is to be sent, the longest due first, and of no service more than so many: thousands of one hide no other's.
    func due(at now: Int64, ofEach: Int, limit: Int) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT kind, subject, service, state, time, attempts FROM (
                SELECT kind, subject, service, state, time, attempts, due,
                    ROW_NUMBER() OVER (PARTITION BY service ORDER BY due, kind, subject) AS place
                FROM approval_notices WHERE due <= $1) AS waiting
            WHERE place <= $2 ORDER BY due, kind, subject LIMIT $3
            """, [.integer(now), .integer(Int64(ofEach)), .integer(Int64(limit))]
        ).map { row in
            guard let kind = ApprovalNotice.Kind(rawValue: try row.text("kind")) else {
                throw StoredValueError(column: "approval_notices.kind")
            }
            return Stored(
                notice: ApprovalNotice(
                    kind: kind, id: try row.text("subject"), state: try row.text("state"),
                    time: try row.integer("time")),
                service: try row.text("service"), attempts: try row.integer("attempts"))
        }
    }

    /// When the next one is due.
    func nextDue() throws -> Int64? {
        try transaction.row("SELECT due FROM approval_notices ORDER BY due LIMIT 1", [])?.integer("due")
    }

    /// One is sent now, and again at this time unless it is removed before.
    func attempt(_ notice: ApprovalNotice, next due: Int64) throws {
        try transaction.execute(
            "UPDATE approval_notices SET attempts = attempts + 1, due = $1 WHERE kind = $2 AND subject = $3",
            [.integer(due), .text(notice.kind.rawValue), .text(notice.id)])
    }

    /// The service has it, or it was tried for long enough.
    ///
    /// What it has not been told stays: an answer may have been stored while it was told that the time is over.
    func remove(_ notice: ApprovalNotice) throws {
        try transaction.execute(
            "DELETE FROM approval_notices WHERE kind = $1 AND subject = $2 AND state = $3",
            [.text(notice.kind.rawValue), .text(notice.id), .text(notice.state)])
    }

    /// Nothing that is due goes to a service before this time: it does not answer.
    func pause(service: String, until due: Int64, now: Int64) throws {
        try transaction.execute(
            "UPDATE approval_notices SET due = $1 WHERE service = $2 AND due <= $3",
            [.integer(due), .text(service), .integer(now)])
    }

    /// Nothing that is over goes to a service before this time: it has said so.
    func hold(service: String, until due: Int64, now: Int64) throws {
        try transaction.execute(
            """
            UPDATE approval_notices SET due = $1
            WHERE service = $2 AND due < $1 AND (state <> '\(Self.expired)' OR time < $3)
            """, [.integer(due), .text(service), .integer(now)])
    }

    /// A service has no webhook any more.
    func removeAll(service: String) throws {
        try transaction.execute("DELETE FROM approval_notices WHERE service = $1", [.text(service)])
    }
}
