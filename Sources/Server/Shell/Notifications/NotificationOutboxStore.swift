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
        /// What it is about, if its way says that (``NotificationDetail/stored``).
        var detail: String?
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
        id, account, way, way_kind, address, push_key, push_auth, kind, subject, is_over, created, expires, due, attempts,
        detail
        """

    func insert(_ item: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO notification_outbox (\(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                .text(item.id), .text(item.account), .text(item.way), .text(item.wayKind.rawValue),
                .text(item.address), .optional(item.pushKey), .optional(item.pushAuth), .text(item.kind),
                .text(item.subject), .integer(item.isOver ? 1 : 0), .integer(item.created), .integer(item.expires),
                .integer(item.due), .integer(item.attempts), .optional(item.detail),
            ])
    }

    /// Whether at least so many wait for an account.
    func hasWaiting(_ count: Int, of account: String) throws -> Bool {
        try transaction.rows(
            "SELECT id FROM notification_outbox WHERE account = $1 LIMIT \(count)", [.text(account)]
        ).count >= count
    }

    /// Whether a notice that says the same to the same way waits, and was never begun.
    func hasFresh(like item: Stored) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM notification_outbox
            WHERE way = $1 AND kind = $2 AND subject = $3 AND is_over = $4 AND attempts = 0 AND id <> $5
                AND COALESCE(detail, '') = $6
            """,
            [
                .text(item.way), .text(item.kind), .text(item.subject), .integer(item.isOver ? 1 : 0),
                .text(item.id), .text(item.detail ?? ""),
            ]) != nil
    }

    /// Takes some that are due, for this process alone.
    ///
    /// - Parameters:
    ///   - most: how many.
    ///   - lease: when they are due again if this process does not finish.
    ///   - room: how many of an account.
    func claim(
        _ most: Int, by kind: NotificationWay.Kind, at now: Int64, until lease: Int64, room: (String) -> Int
    ) throws -> [Stored] {
        guard most > 0 else { return [] }
        let found = try transaction.rows(
            // Those that failed come after those that never did, and of each account its first before anybody's second.
            """
            SELECT \(Self.columns), ROW_NUMBER() OVER (PARTITION BY account ORDER BY attempts, due, id) AS place
            FROM (
                SELECT \(Self.columns) FROM notification_outbox WHERE due <= $1 AND way_kind = $2
                ORDER BY due LIMIT \(Limits.lookedAtNotifications)) AS waiting
            ORDER BY attempts, place, due, id LIMIT \(Limits.lookedAtNotifications)
            """, [.integer(now), .text(kind.rawValue)])
        var taken: [Stored] = []
        for row in found where taken.count < most {
            let account = try row.text("account")
            guard taken.count(where: { $0.account == account }) < room(account) else { continue }
            var item = try Self.item(row)
            // Another process may have taken it since: then these are no longer its numbers.
            let isTaken =
                try transaction.changes(
                    """
                    UPDATE notification_outbox SET due = $1, attempts = attempts + 1
                    WHERE id = $2 AND due = $3 AND attempts = $4
                    """, [.integer(lease), .text(item.id), .integer(item.due), .integer(item.attempts)]) == 1
            guard isTaken else { continue }
            (item.due, item.attempts) = (lease, item.attempts + 1)
            taken.append(item)
        }
        return taken
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

    /// Removes what waits for the same way and would say the same sentence as one that was sent.
    ///
    /// - Parameters:
    ///   - began: when that one was begun: what came later is news.
    ///   - security: the names of the kinds about the protection of accounts, which have a sentence of their own.
    func deleteSaid(by item: Stored, began: Int64, security: Set<String>) throws {
        let rows = try transaction.rows(
            """
            SELECT id, kind FROM notification_outbox
            WHERE way = $1 AND is_over = 0 AND created <= $2 AND (detail IS NULL OR detail = $3)
            """,
            [.text(item.way), .integer(began), .text(item.detail ?? "")])
        for row in rows where security.contains(try row.text("kind")) == security.contains(item.kind) {
            try delete(try row.text("id"))
        }
    }

    /// Removes what waits for a way, except notices of these kinds.
    func delete(way: String, except kinds: [NotificationKind]) throws {
        let rows = try transaction.rows("SELECT id, kind FROM notification_outbox WHERE way = $1", [.text(way)])
        let kept = Set(kinds.map(\.name))
        for row in rows {
            guard !kept.contains(try row.text("kind")) else { continue }
            try delete(try row.text("id"))
        }
    }

    /// A way says no more what its notices are about, also not those that wait.
    func forgetDetails(way: String) throws {
        try transaction.execute("UPDATE notification_outbox SET detail = NULL WHERE way = $1", [.text(way)])
    }

    func postpone(_ id: String, to due: Int64) throws {
        try transaction.execute(
            "UPDATE notification_outbox SET due = $1 WHERE id = $2", [.integer(due), .text(id)])
    }

    /// Removes what waits of a notice, because it is over.
    func withdraw(_ kind: NotificationKind, about subject: String, of account: String) throws {
        try transaction.execute(
            "DELETE FROM notification_outbox WHERE account = $1 AND kind = $2 AND subject = $3 AND is_over = 0",
            [.text(account), .text(kind.name), .text(subject)])
    }

    private static func item(_ row: Row) throws -> Stored {
        guard let wayKind = NotificationWay.Kind(rawValue: try row.text("way_kind")) else {
            throw StoredValueError(column: "notification_outbox.way_kind")
        }
        return Stored(
            id: try row.text("id"), account: try row.text("account"), way: try row.text("way"), wayKind: wayKind,
            address: try row.text("address"), pushKey: try row.optionalText("push_key"),
            pushAuth: try row.optionalText("push_auth"), kind: try row.text("kind"),
            subject: try row.text("subject"), detail: try row.optionalText("detail"),
            isOver: try row.integer("is_over") == 1,
            created: try row.integer("created"), expires: try row.integer("expires"), due: try row.integer("due"),
            attempts: try row.integer("attempts"))
    }
}
