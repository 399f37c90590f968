import Storage

/// Contents in the database: which parts there are, and until when one that no version has yet is kept.
struct VaultContentStore {
    let transaction: Transaction

    /// A content as stored.
    struct Stored: Sendable {
        var id: String
        /// The compartment's owner.
        var account: String
        var compartment: String
        var size: Int64
        /// Until when it waits; `nil` once a version has it.
        var expires: Int64?

        /// How many parts it has.
        var parts: Int64 { (size + Limits.vaultPart - 1) / Limits.vaultPart }

        /// The length that a part must have; `nil` when there is no such part.
        func length(ofPart number: Int64) -> Int64? {
            guard (0..<parts).contains(number) else { return nil }
            return min(Limits.vaultPart, size - number * Limits.vaultPart)
        }

        /// What all of its blobs are under.
        var folder: String { Self.folder(id) }
        static func folder(_ id: String) -> String { "vault/\(id)" }
    }

    /// A part as stored.
    struct Part: Sendable {
        var number: Int64
        var blob: String
        var size: Int64
    }

    private static let columns = "id, account, compartment, size, expires"

    func insert(_ content: Stored) throws {
        try transaction.execute(
            "INSERT INTO vault_contents (id, account, compartment, size, expires) VALUES ($1, $2, $3, $4, $5)",
            [
                .text(content.id), .text(content.account), .text(content.compartment), .integer(content.size),
                content.expires.map { .integer($0) } ?? .null,
            ])
    }

    func find(_ id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM vault_contents WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// How many uploads of an account no version has; what lies in an inbox is none.
    func countOpen(account: String) throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS open FROM vault_contents c WHERE c.account = $1 AND c.expires IS NOT NULL
                AND NOT EXISTS (SELECT d.id FROM vault_drops d WHERE d.content = c.id)
            """, [.text(account)])?.integer("open") ?? 0
    }

    /// The parts that are there, in their order.
    func parts(_ id: String) throws -> [Part] {
        try transaction.rows(
            "SELECT number, blob, size FROM vault_parts WHERE content = $1 ORDER BY number", [.text(id)]
        ).map {
            Part(number: try $0.integer("number"), blob: try $0.text("blob"), size: try $0.integer("size"))
        }
    }

    func part(_ number: Int64, of id: String) throws -> Part? {
        try transaction.row(
            "SELECT number, blob, size FROM vault_parts WHERE content = $1 AND number = $2",
            [.text(id), .integer(number)]
        ).map {
            Part(number: try $0.integer("number"), blob: try $0.text("blob"), size: try $0.integer("size"))
        }
    }

    func insert(_ part: Part, of content: Stored) throws {
        try transaction.execute(
            "INSERT INTO vault_parts (content, number, account, blob, size) VALUES ($1, $2, $3, $4, $5)",
            [
                .text(content.id), .integer(part.number), .text(content.account), .text(part.blob),
                .integer(part.size),
            ])
    }

    /// How many bytes of a content are there.
    func received(_ id: String) throws -> Int64 {
        try transaction.row(
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS bytes FROM vault_parts WHERE content = $1", [.text(id)])?
            .integer("bytes") ?? 0
    }

    /// Gives a content to a version, or says until when it waits for one.
    func setExpiry(_ id: String, _ expires: Int64?) throws {
        try transaction.execute(
            "UPDATE vault_contents SET expires = $1 WHERE id = $2",
            [expires.map { .integer($0) } ?? .null, .text(id)])
    }

    /// Takes a content over into another compartment of the same owner, where it waits for a version.
    func move(_ id: String, to compartment: String, until expires: Int64) throws {
        try transaction.execute(
            "UPDATE vault_contents SET compartment = $1, expires = $2 WHERE id = $3",
            [.text(compartment), .integer(expires), .text(id)])
    }

    /// Removes a content; its blobs go after the commit.
    func delete(_ id: String) throws {
        try transaction.execute("UPDATE vault_drops SET content = NULL WHERE content = $1", [.text(id)])
        try transaction.execute("DELETE FROM vault_parts WHERE content = $1", [.text(id)])
        try transaction.execute("DELETE FROM vault_contents WHERE id = $1", [.text(id)])
    }

    /// The ids of all contents of a compartment.
    func ids(compartment: String) throws -> [String] {
        try transaction.rows("SELECT id FROM vault_contents WHERE compartment = $1", [.text(compartment)])
            .map { try $0.text("id") }
    }

    /// Some uploads that nobody has used in time.
    func expired(now: Int64, limit: Int) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM vault_contents WHERE expires <= $1 ORDER BY expires LIMIT $2",
            [.integer(now), .integer(Int64(limit))]
        ).map(Self.stored)
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), account: try row.text("account"), compartment: try row.text("compartment"),
            size: try row.integer("size"), expires: try row.optionalInteger("expires"))
    }
}
