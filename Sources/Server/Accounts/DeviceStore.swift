import Interface
import Storage

/// Devices in the database; an endorsement is in the column `approval`, as version 0.3 called it.
struct DeviceStore {
    let transaction: Transaction

    private static let columns =
        "id, account, name, signing_key, encryption_key, created, revoked, approval, approved_by"

    /// A device and whose it is.
    struct Owned {
        var account: String
        var device: Device
    }

    func insert(_ device: Device, account: String) throws {
        try transaction.execute(
            """
            INSERT INTO devices (id, account, name, signing_key, encryption_key, created, approval, approved_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(device.id), .text(account), .text(device.name), .text(device.signingKey),
                .text(device.encryptionKey), .integer(device.created), .optional(device.endorsement),
                .optional(device.endorsedBy),
            ])
    }

    func find(id: String) throws -> Owned? {
        try transaction.row("SELECT \(Self.columns) FROM devices WHERE id = $1", [.text(id)]).map(Self.owned)
    }

    /// A device by its id, or by its signing key: a wallet whose first answer was lost knows only its keys.
    func find(name: String) throws -> Owned? {
        try transaction.row(
            "SELECT \(Self.columns) FROM devices WHERE id = $1 OR signing_key = $1", [.text(name)]
        ).map(Self.owned)
    }

    func list(account: String) throws -> [Device] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM devices WHERE account = $1 ORDER BY created, id", [.text(account)]
        ).map { try Self.owned($0).device }
    }

    /// The device that documents for this account are bound to when none asked for them: the newest that is not revoked.
    func current(account: String) throws -> Device? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM devices WHERE account = $1 AND revoked IS NULL
            ORDER BY created DESC, id LIMIT 1
            """, [.text(account)]
        ).map { try Self.owned($0).device }
    }

    func rename(id: String, to name: String) throws {
        try transaction.execute("UPDATE devices SET name = $1 WHERE id = $2", [.text(name), .text(id)])
    }

    func revoke(id: String, at time: Int64) throws {
        try transaction.execute("UPDATE devices SET revoked = $1 WHERE id = $2", [.integer(time), .text(id)])
    }

    private static func owned(_ row: Row) throws -> Owned {
        Owned(
            account: try row.text("account"),
            device: Device(
                id: try row.text("id"), name: try row.text("name"), signingKey: try row.text("signing_key"),
                encryptionKey: try row.text("encryption_key"), created: try row.integer("created"),
                revoked: try row.optionalInteger("revoked"), endorsement: try row.optionalText("approval"),
                endorsedBy: try row.optionalText("approved_by")))
    }
}
