import Interface
import Storage

/// Vaults and their slots in the database; the PIN slots are with the guard.
struct VaultStore {
    let transaction: Transaction

    /// A vault as stored.
    struct Stored: Sendable {
        var salt: String
        var created: Int64
    }

    func insert(account: String, _ vault: Stored) throws {
        try transaction.execute(
            "INSERT INTO vaults (account, salt, created) VALUES ($1, $2, $3)",
            [.text(account), .text(vault.salt), .integer(vault.created)])
    }

    func find(account: String) throws -> Stored? {
        try transaction.row("SELECT salt, created FROM vaults WHERE account = $1", [.text(account)]).map {
            Stored(salt: try $0.text("salt"), created: try $0.integer("created"))
        }
    }

    /// Those of some accounts that have a vault.
    func accounts(among names: [String]) throws -> Set<String> {
        let places = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return Set(
            try transaction.rows("SELECT account FROM vaults WHERE account IN (\(places))", names.map { .text($0) })
                .map { try $0.text("account") })
    }

    /// The accounts that have a vault, in order, behind one of them.
    func accounts(after account: String, limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT account FROM vaults WHERE account > $1 ORDER BY account LIMIT $2",
            [.text(account), .integer(Int64(limit))]
        ).map { try $0.text("account") }
    }

    func slots(account: String) throws -> [StoredVaultSlot] {
        try transaction.rows(
            """
            SELECT id, kind, sealed, contact, wait, asked, created FROM vault_slots WHERE account = $1
            ORDER BY created, id
            """, [.text(account)]
        ).map(Self.slot)
    }

    func slot(_ id: String, account: String) throws -> StoredVaultSlot? {
        try transaction.row(
            """
            SELECT id, kind, sealed, contact, wait, asked, created FROM vault_slots WHERE account = $1 AND id = $2
            """, [.text(account), .text(id)]
        ).map(Self.slot)
    }

    /// One page of the slots of others whose contact an account is.
    func page(
        contact: String, _ request: ListRequest
    ) throws -> (rows: [(owner: String, slot: StoredVaultSlot)], next: ListCursor?) {
        try query(contact: contact).page(request, in: transaction) { (try $0.text("account"), try Self.slot($0)) }
    }

    /// The slots of others whose contact an account is, the newest first.
    ///
    /// Wallets make ids at random: nobody makes a second one with the same id in the same second.
    func query(contact: String) -> KeysetStore {
        var query = KeysetStore(
            "account, id, kind, sealed, contact, wait, asked, created", from: "vault_slots", order: .newest("created"),
            id: "id")
        query.require("contact = ?", [.text(contact)])
        return query
    }

    /// Says when the contact of a slot asked for it; `nil` for not, or no longer.
    func setAsked(_ id: String, account: String, _ time: Int64?) throws {
        try transaction.execute(
            "UPDATE vault_slots SET asked = $1 WHERE account = $2 AND id = $3",
            [time.map { .integer($0) } ?? .null, .text(account), .text(id)])
    }

    /// Whether a contact has asked for a slot of an owner who has not said no in time.
    func isReleased(by owner: String, to contact: String, now: Int64) throws -> Bool {
        try transaction.row(
            "SELECT id FROM vault_slots WHERE account = $1 AND contact = $2 AND asked + wait <= $3 LIMIT 1",
            [.text(owner), .text(contact), .integer(now)]) != nil
    }

    func countSlots(account: String) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS slots FROM vault_slots WHERE account = $1", [.text(account)])?
            .integer("slots") ?? 0
    }

    /// Stores a slot in place of one that has its id, if there is one.
    func set(_ slot: StoredVaultSlot, account: String) throws {
        try delete(slot: slot.id, account: account)
        try transaction.execute(
            """
            INSERT INTO vault_slots (account, id, kind, sealed, contact, wait, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(account), .text(slot.id), .text(slot.kind.rawValue), .text(slot.sealed), .optional(slot.contact),
                slot.wait.map { .integer($0) } ?? .null, .integer(slot.created),
            ])
    }

    func delete(slot id: String, account: String) throws {
        try transaction.execute(
            "DELETE FROM vault_slots WHERE account = $1 AND id = $2", [.text(account), .text(id)])
    }

    /// Removes a vault with its slots; its compartments go before.
    func delete(account: String) throws {
        for table in ["vault_slots", "vault_tries", "vaults"] {
            try transaction.execute("DELETE FROM \(table) WHERE account = $1", [.text(account)])
        }
    }

    private static func slot(_ row: Row) throws -> StoredVaultSlot {
        guard let kind = VaultSlot.Kind(rawValue: try row.text("kind")) else {
            throw StoredValueError(column: "vault_slots.kind")
        }
        return StoredVaultSlot(
            id: try row.text("id"), kind: kind, sealed: try row.text("sealed"), created: try row.integer("created"),
            contact: try row.optionalText("contact"), wait: try row.optionalInteger("wait"),
            asked: try row.optionalInteger("asked"))
    }
}
