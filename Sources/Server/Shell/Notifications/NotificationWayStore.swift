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
        var created: Int64
        var confirmed: Int64?
        var codeHash: String?
        var tries: Int64 = 0
    }

    private static let columns =
        "id, account, kind, address, push_key, push_auth, device, created, confirmed, code_hash, tries"

    func insert(_ way: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO notification_ways (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .text(way.id), .text(way.account), .text(way.kind.rawValue), .text(way.address),
                .optional(way.pushKey), .optional(way.pushAuth), .optional(way.device), .integer(way.created),
                .optional(way.confirmed), .optional(way.codeHash), .integer(way.tries),
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
        let all = "SELECT \(Self.columns) FROM notification_ways w WHERE account = $1 AND confirmed IS NOT NULL"
        guard !kind.isSecurity else { return try transaction.rows(all, [.text(account)]).map(Self.way) }
        return try transaction.rows(
            """
            \(all) AND NOT EXISTS (
                SELECT 1 FROM notification_mutes m WHERE m.account = w.account AND m.way = w.kind AND m.kind = $2)
            """, [.text(account), .text(kind.name)]
        ).map(Self.way)
    }

    func confirm(_ id: String, at now: Int64) throws {
        try transaction.execute(
            "UPDATE notification_ways SET confirmed = $1, code_hash = NULL WHERE id = $2", [.integer(now), .text(id)])
    }

    func setTries(_ id: String, _ tries: Int64) throws {
        try transaction.execute(
            "UPDATE notification_ways SET tries = $1 WHERE id = $2", [.integer(tries), .text(id)])
    }

    func delete(_ id: String) throws {
        try transaction.execute("DELETE FROM notification_ways WHERE id = $1", [.text(id)])
    }

    /// A device that is revoked gets nothing more.
    func delete(device: String) throws {
        try transaction.execute("DELETE FROM notification_ways WHERE device = $1", [.text(device)])
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
            device: try row.optionalText("device"), created: try row.integer("created"),
            confirmed: try row.optionalInteger("confirmed"), codeHash: try row.optionalText("code_hash"),
            tries: try row.integer("tries"))
    }
}
