import Interface
import Storage

/// What waits to be delivered, in the database: a notice for one way each.
struct NotificationOutboxStore {
    let transaction: Transaction

    /// One notice for one way.
    struct Stored: Sendable, Equatable {
        var id: String
        var account: String
        var way: String
        var wayKind: NotificationWay.Kind
        var address: String
        var pushKey: String?
        var pushAuth: String?
        /// The name of the notice's kind.
        var kind: String
        var subject: String
        /// Whether it takes an earlier notice back.
        var isOver = false
        var created: Int64
        var expires: Int64
        /// When it is tried next; while it is under way, when it is tried again if nothing comes of it.
        var due: Int64
        /// How often it was begun.
        var attempts: Int64 = 0
    }

    private static let columns = """
        id, account, way, way_kind, address, push_key, push_auth, kind, subject, is_over, created, expires, due, attempts
        """

    func insert(_ item: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO notification_outbox (\(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            [
                .text(item.id), .text(item.account), .text(item.way), .text(item.wayKind.rawValue),
                .text(item.address), .optional(item.pushKey), .optional(item.pushAuth), .text(item.kind),
                .text(item.subject), .integer(item.isOver ? 1 : 0), .integer(item.created), .integer(item.expires),
                .integer(item.due), .integer(item.attempts),
            ])
    }

    /// Whether at least so many wait for an account.
    func hasWaiting(_ count: Int, of account: String) throws -> Bool {
        try transaction.rows(
            "SELECT id FROM notification_outbox WHERE account = $1 LIMIT \(count)", [.text(account)]
        ).count >= count
    }

    /// Takes some that are due, for this process alone.
    ///
    /// - Parameter lease: when they are due again if this process does not finish.
    /// - Returns: what was taken, and when the next is due.
    func claim(_ count: Int, at now: Int64, until lease: Int64) throws -> (taken: [Stored], next: Int64?) {
        let found = try transaction.rows(
            // Those that failed come after those that never did.
            """
            SELECT \(Self.columns) FROM notification_outbox WHERE due <= $1 ORDER BY attempts, due, id LIMIT \(count)
            """, [.integer(now)]
        ).map(Self.item)
        let taken = try found.filter { item in
            // Another process may have taken it since: then these are no longer its numbers.
            try transaction.changes(
                """
                UPDATE notification_outbox SET due = $1, attempts = attempts + 1
                WHERE id = $2 AND due = $3 AND attempts = $4
                """, [.integer(lease), .text(item.id), .integer(item.due), .integer(item.attempts)]) == 1
        }.map { item in
            var item = item
            (item.due, item.attempts) = (lease, item.attempts + 1)
            return item
        }
        return (taken, try nextDue())
    }

    /// When the next is due; `nil` while nothing waits.
    func nextDue() throws -> Int64? {
        try transaction.row("SELECT MIN(due) AS due FROM notification_outbox")?.optionalInteger("due")
    }

    func delete(_ id: String) throws {
        try transaction.execute("DELETE FROM notification_outbox WHERE id = $1", [.text(id)])
    }

    func delete(way: String) throws {
        try transaction.execute("DELETE FROM notification_outbox WHERE way = $1", [.text(way)])
    }

    func postpone(_ id: String, to due: Int64) throws {
        try transaction.execute(
            "UPDATE notification_outbox SET due = $1 WHERE id = $2", [.integer(due), .text(id)])
    }

    /// Removes what was not begun of a notice, because it is over.
    ///
    /// - Returns: the ways that have not heard of it, and need not hear that it is over.
    func withdraw(_ kind: NotificationKind, about subject: String, of account: String) throws -> Set<String> {
        let rows = try transaction.rows(
            """
            SELECT id, way, attempts FROM notification_outbox
            WHERE account = $1 AND kind = $2 AND subject = $3 AND is_over = 0
            """, [.text(account), .text(kind.name), .text(subject)])
        var spared: Set<String> = []
        for row in rows {
            try delete(try row.text("id"))
            if try row.integer("attempts") == 0 { spared.insert(try row.text("way")) }
        }
        return spared
    }

    private static func item(_ row: Row) throws -> Stored {
        guard let wayKind = NotificationWay.Kind(rawValue: try row.text("way_kind")) else {
            throw StoredValueError(column: "notification_outbox.way_kind")
        }
        return Stored(
            id: try row.text("id"), account: try row.text("account"), way: try row.text("way"), wayKind: wayKind,
            address: try row.text("address"), pushKey: try row.optionalText("push_key"),
            pushAuth: try row.optionalText("push_auth"), kind: try row.text("kind"),
            subject: try row.text("subject"), isOver: try row.integer("is_over") == 1,
            created: try row.integer("created"), expires: try row.integer("expires"), due: try row.integer("due"),
            attempts: try row.integer("attempts"))
    }
}
