import Interface
import Storage

/// The ways to reach accounts, and what is switched off, in the database.
struct NotificationWayStore {
    let transaction: Transaction

    /// A way with all that delivery needs.
    struct Stored: Sendable, Equatable {
        var id: String
        var account: String
        var kind: NotificationWay.Kind
        /// The e-mail address, or the push subscription's endpoint.
        var address: String
        var pushKey: String?
        var pushAuth: String?
        /// The device whose session subscribed: it is no way any more once that is revoked.
        var device: String?
        /// Without a device: the passkey that began the session, in the same way.
        var passkey: String?
        var created: Int64
        var confirmed: Int64?
        var codeHash: String?
        var tries: Int64 = 0
        /// Whether notices say here what they are about.
        var saysContent = false
    }

    private static let columns =
        """
        id, account, kind, address, push_key, push_auth, device, passkey, created, confirmed, code_hash, tries, says_content
        """

    func insert(_ way: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO notification_ways (\(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .text(way.id), .text(way.account), .text(way.kind.rawValue), .text(way.address),
                .optional(way.pushKey), .optional(way.pushAuth), .optional(way.device), .optional(way.passkey),
                .integer(way.created), .optional(way.confirmed), .optional(way.codeHash), .integer(way.tries),
                .integer(way.saysContent ? 1 : 0),
            ])
    }

    /// All of an account, the oldest first: there are never many.
    func list(of account: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM notification_ways WHERE account = $1 ORDER BY created, id", [.text(account)]
        ).map(Self.way)
    }

    /// Everybody's subscriptions with this endpoint.
    func list(endpoint: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM notification_ways WHERE kind = 'push' AND address = $1", [.text(endpoint)]
        ).map(Self.way)
    }

    /// The confirmed ways of an account that get notices of a kind.
    func wanted(_ kind: NotificationKind, of account: String) throws -> [Stored] {
        guard !kind.isSecurity else { return try transaction.rows(Self.confirmed, [.text(account)]).map(Self.way) }
        return try transaction.rows(
            "\(Self.confirmed) AND \(Self.isNotMuted)", [.text(account), .text(kind.name)]
        ).map(Self.way)
    }

    /// The same, without those where a notice about something still waits and was never begun: they have not heard of it,
    /// and need not hear that it is over.
    func told(_ kind: NotificationKind, about subject: String, of account: String) throws -> [Stored] {
        try transaction.rows(
            """
            \(Self.confirmed) AND \(Self.isNotMuted) AND NOT EXISTS (
                SELECT 1 FROM notification_outbox o
                WHERE o.way = w.id AND o.kind = $2 AND o.subject = $3 AND o.is_over = 0 AND o.attempts = 0)
            """, [.text(account), .text(kind.name), .text(subject)]
        ).map(Self.way)
    }

    private static let confirmed =
        "SELECT \(columns) FROM notification_ways w WHERE account = $1 AND confirmed IS NOT NULL"
    private static let isNotMuted =
        """
        NOT EXISTS (SELECT 1 FROM notification_mutes m WHERE m.account = w.account AND m.way = w.kind AND m.kind = $2)
        """

    func confirm(_ id: String, at now: Int64) throws {
        try transaction.execute(
            "UPDATE notification_ways SET confirmed = $1, code_hash = NULL WHERE id = $2", [.integer(now), .text(id)])
    }

    func setTries(_ id: String, _ tries: Int64) throws {
        try transaction.execute(
            "UPDATE notification_ways SET tries = $1 WHERE id = $2", [.integer(tries), .text(id)])
    }

    func setSaysContent(_ id: String, _ says: Bool) throws {
        try transaction.execute(
            "UPDATE notification_ways SET says_content = $1 WHERE id = $2", [.integer(says ? 1 : 0), .text(id)])
    }

    func delete(_ id: String) throws {
        try transaction.execute("DELETE FROM notification_ways WHERE id = $1", [.text(id)])
    }

    /// A device that is revoked gets nothing more, also not what waits.
    func delete(device: String) throws {
        try transaction.execute(
            "DELETE FROM notification_outbox WHERE way IN (SELECT id FROM notification_ways WHERE device = $1)",
            [.text(device)])
        try transaction.execute("DELETE FROM notification_ways WHERE device = $1", [.text(device)])
    }

    /// Browsers that subscribed without a device, by a passkey that is removed, get nothing more.
    ///
    /// Neither do those of whose session no passkey is known: it may have been this one.
    func delete(passkey: String, of account: String) throws {
        try deletePush(of: account, where: "device IS NULL AND (passkey IS NULL OR passkey = $2)", [.text(passkey)])
    }

    /// Browsers that subscribed in a session of which neither device nor passkey is known get nothing more: whatever is
    /// removed may have begun it.
    func deleteUnknown(of account: String) throws {
        try deletePush(of: account, where: "device IS NULL AND passkey IS NULL")
    }

    /// No browser of an account gets anything more.
    func deletePush(of account: String) throws { try deletePush(of: account, where: "1 = 1") }

    private func deletePush(of account: String, where condition: String, _ values: [SQLValue] = []) throws {
        let ways = "FROM notification_ways WHERE account = $1 AND kind = 'push' AND \(condition)"
        try transaction.execute(
            "DELETE FROM notification_outbox WHERE way IN (SELECT id \(ways))", [.text(account)] + values)
        try transaction.execute("DELETE \(ways)", [.text(account)] + values)
    }

    // MARK: What is switched off

    func off(of account: String) throws -> [NotificationChoice] {
        try transaction.rows(
            "SELECT way, kind FROM notification_mutes WHERE account = $1 ORDER BY way, kind", [.text(account)]
        ).map { row in
            guard let way = NotificationWay.Kind(rawValue: try row.text("way")) else {
                throw StoredValueError(column: "notification_mutes.way")
            }
            return NotificationChoice(way: way, kind: try row.text("kind"))
        }
    }

    func set(_ choice: NotificationSwitch, of account: String) throws {
        let values: [SQLValue] = [.text(account), .text(choice.way.rawValue), .text(choice.kind)]
        try transaction.execute(
            choice.isOn
                ? "DELETE FROM notification_mutes WHERE account = $1 AND way = $2 AND kind = $3"
                : "INSERT INTO notification_mutes (account, way, kind) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            values)
    }

    private static func way(_ row: Row) throws -> Stored {
        guard let kind = NotificationWay.Kind(rawValue: try row.text("kind")) else {
            throw StoredValueError(column: "notification_ways.kind")
        }
        return Stored(
            id: try row.text("id"), account: try row.text("account"), kind: kind, address: try row.text("address"),
            pushKey: try row.optionalText("push_key"), pushAuth: try row.optionalText("push_auth"),
            device: try row.optionalText("device"), passkey: try row.optionalText("passkey"),
            created: try row.integer("created"),
            confirmed: try row.optionalInteger("confirmed"), codeHash: try row.optionalText("code_hash"),
            tries: try row.integer("tries"), saysContent: try row.integer("says_content") == 1)
    }
}
