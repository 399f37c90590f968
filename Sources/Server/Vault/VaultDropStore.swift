import Storage

/// What caretakers have put into inboxes, in the database.
struct VaultDropStore {
    let transaction: Transaction

    /// A thing as stored.
    struct Stored: Sendable {
        var id: String
        var compartment: String
        /// The compartment's owner.
        var account: String
        var sender: String?
        /// What is sealed to the inbox, wrapped under the epoch's key.
        var wrapped: String
        var epoch: Int64
        /// Bytes of what is sealed.
        var size: Int64
        var content: String?
        var created: Int64
        var expires: Int64
    }

    private static let columns = "id, compartment, account, sender, wrapped, epoch, size, content, created, expires"

    func insert(_ drop: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO vault_drops
                (compartment, id, account, sender, wrapped, epoch, size, content, created, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .text(drop.compartment), .text(drop.id), .text(drop.account), .optional(drop.sender),
                .text(drop.wrapped), .integer(drop.epoch), .integer(drop.size), .optional(drop.content),
                .integer(drop.created), .integer(drop.expires),
            ])
    }

    func find(_ id: String, in compartment: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM vault_drops WHERE compartment = $1 AND id = $2",
            [.text(compartment), .text(id)]
        ).map(Self.stored)
    }

    /// Whether a content is in an inbox.
    func has(content: String) throws -> Bool {
        try transaction.row("SELECT id FROM vault_drops WHERE content = $1", [.text(content)]) != nil
    }

    func list(compartment: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM vault_drops WHERE compartment = $1 ORDER BY created, id", [.text(compartment)]
        ).map(Self.stored)
    }

    func count(compartment: String) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS drops FROM vault_drops WHERE compartment = $1", [.text(compartment)])?
            .integer("drops") ?? 0
    }

    /// Bytes of what is sealed in an inbox, without contents.
    func bytes(compartment: String) throws -> Int64 {
        try transaction.row(
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM vault_drops WHERE compartment = $1",
            [.text(compartment)])?.integer("bytes") ?? 0
    }

    func delete(_ id: String, in compartment: String) throws {
        try transaction.execute(
            "DELETE FROM vault_drops WHERE compartment = $1 AND id = $2", [.text(compartment), .text(id)])
    }

    /// Some that nobody has taken in time.
    func expired(now: Int64, limit: Int) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM vault_drops WHERE expires <= $1 ORDER BY expires LIMIT $2",
            [.integer(now), .integer(Int64(limit))]
        ).map(Self.stored)
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), compartment: try row.text("compartment"), account: try row.text("account"),
            sender: try row.optionalText("sender"), wrapped: try row.text("wrapped"),
            epoch: try row.integer("epoch"), size: try row.integer("size"),
            content: try row.optionalText("content"), created: try row.integer("created"),
            expires: try row.integer("expires"))
    }
}
