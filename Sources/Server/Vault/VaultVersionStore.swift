import Storage

/// Versions of files in the database.
struct VaultVersionStore {
    let transaction: Transaction

    /// A version as stored.
    struct Stored: Sendable {
        var id: String
        var node: String
        /// 0 for the newest.
        var position: Int64
        var content: String
        /// Its wrapped key, wrapped under the epoch's key.
        var wrapped: String
        var epoch: Int64
        var size: Int64
        var created: Int64
        /// Since when there is a newer one.
        var superseded: Int64?
    }

    private static let columns =
        "v.id, v.node, v.position, v.content, v.wrapped, v.epoch, v.size, v.created, v.superseded"
    private static let together = 500

    /// The versions of some items, the newest first.
    func find(ofNodes ids: [String], in compartment: String) throws -> [String: [Stored]] {
        var found: [String: [Stored]] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.together) {
            let some = ids[start..<min(start + Self.together, ids.count)]
            let places = some.indices.map { "$\($0 - start + 2)" }.joined(separator: ", ")
            let rows = try transaction.rows(
                """
                SELECT \(Self.columns) FROM vault_versions v WHERE v.compartment = $1 AND v.node IN (\(places))
                ORDER BY v.node, v.position
                """, [.text(compartment)] + some.map { .text($0) })
            for row in rows {
                let version = try Self.stored(row)
                found[version.node, default: []].append(version)
            }
        }
        return found
    }

    func insert(_ version: Stored, in compartment: String, account: String) throws {
        try transaction.execute(
            """
            INSERT INTO vault_versions
                (compartment, id, node, account, position, content, wrapped, epoch, size, created, superseded)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .text(compartment), .text(version.id), .text(version.node), .text(account),
                .integer(version.position), .text(version.content), .text(version.wrapped), .integer(version.epoch),
                .integer(version.size), .integer(version.created), version.superseded.map { .integer($0) } ?? .null,
            ])
    }

    func update(_ version: Stored, in compartment: String) throws {
        try transaction.execute(
            """
            UPDATE vault_versions SET position = $1, wrapped = $2, epoch = $3, superseded = $4
            WHERE compartment = $5 AND id = $6
            """,
            [
                .integer(version.position), .text(version.wrapped), .integer(version.epoch),
                version.superseded.map { .integer($0) } ?? .null, .text(compartment), .text(version.id),
            ])
    }

    func delete(_ id: String, in compartment: String) throws {
        try transaction.execute(
            "DELETE FROM vault_versions WHERE compartment = $1 AND id = $2", [.text(compartment), .text(id)])
    }

    /// Whether an id is another item's version already.
    func isTaken(_ id: String, in compartment: String) throws -> Bool {
        try transaction.row(
            "SELECT id FROM vault_versions WHERE compartment = $1 AND id = $2", [.text(compartment), .text(id)]) != nil
    }

    /// Some versions that have been older ones for long enough.
    func superseded(before time: Int64, limit: Int) throws -> [(version: Stored, compartment: String)] {
        try transaction.rows(
            """
            SELECT \(Self.columns), v.compartment FROM vault_versions v WHERE v.superseded <= $1
            ORDER BY v.superseded LIMIT $2
            """, [.integer(time), .integer(Int64(limit))]
        ).map { (try Self.stored($0), try $0.text("compartment")) }
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), node: try row.text("node"), position: try row.integer("position"),
            content: try row.text("content"), wrapped: try row.text("wrapped"), epoch: try row.integer("epoch"),
            size: try row.integer("size"), created: try row.integer("created"),
            superseded: try row.optionalInteger("superseded"))
    }
}
