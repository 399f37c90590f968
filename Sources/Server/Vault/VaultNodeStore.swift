import Storage

/// Files and folders in the database; what is removed leaves its id.
struct VaultNodeStore {
    let transaction: Transaction

    /// A file or folder as stored.
    struct Stored: Sendable {
        var id: String
        var sequence: Int64
        var revision: Int64
        var place: String
        /// Its wrapped key, wrapped under the epoch's key.
        var wrapped: String
        /// None of a removed one.
        var epoch: Int64?
        var metadata: String
        /// Bytes of its metadata.
        var size: Int64
        var trashed: Int64?
        var removed: Int64?
    }

    private static let columns =
        "id, sequence, revision, place, wrapped, epoch, metadata, size, trashed, removed"
    /// Ids that one statement asks for.
    private static let together = 500
    /// Items whose length one statement asks for: with the longest metadata, some twenty mebibytes.
    private static let few = 64

    /// What a change has to know of a file or folder: all but its keys and metadata, which may be long.
    struct Known: Sendable {
        var revision: Int64
        var place: String
        var size: Int64
        var trashed: Int64?
        var removed: Int64?
    }

    /// Those of some ids that are there, removed ones too.
    func find(_ ids: [String], in compartment: String) throws -> [String: Known] {
        var found: [String: Known] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.together) {
            let some = ids[start..<min(start + Self.together, ids.count)]
            let places = some.indices.map { "$\($0 - start + 2)" }.joined(separator: ", ")
            let rows = try transaction.rows(
                """
                SELECT id, revision, place, size, trashed, removed FROM vault_nodes
                WHERE compartment = $1 AND id IN (\(places))
                """,
                [.text(compartment)] + some.map { .text($0) })
            for row in rows {
                found[try row.text("id")] = Known(
                    revision: try row.integer("revision"), place: try row.text("place"), size: try row.integer("size"),
                    trashed: try row.optionalInteger("trashed"), removed: try row.optionalInteger("removed"))
            }
        }
        return found
    }

    /// Whether a file or folder has this metadata.
    func has(_ metadata: String, _ id: String, in compartment: String) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM vault_nodes WHERE compartment = $1 AND id = $2 AND metadata = $3",
            [.text(compartment), .text(id), .text(metadata)]) != nil
    }

    /// Stores a new one.
    func insert(_ node: Stored, in compartment: String, account: String) throws {
        try transaction.execute(
            """
            INSERT INTO vault_nodes
                (compartment, id, account, sequence, revision, place, wrapped, epoch, metadata, size)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .text(compartment), .text(node.id), .text(account), .integer(node.sequence), .integer(node.revision),
                .text(node.place), .text(node.wrapped), node.epoch.map { .integer($0) } ?? .null, .text(node.metadata),
                .integer(node.size),
            ])
    }

    /// Stores the next revision of one; whether it is in the trash stays.
    func update(_ node: Stored, in compartment: String) throws {
        try transaction.execute(
            """
            UPDATE vault_nodes SET sequence = $1, revision = $2, place = $3, wrapped = $4, epoch = $5, metadata = $6,
                size = $7
            WHERE compartment = $8 AND id = $9
            """,
            [
                .integer(node.sequence), .integer(node.revision), .text(node.place), .text(node.wrapped),
                node.epoch.map { .integer($0) } ?? .null, .text(node.metadata), .integer(node.size),
                .text(compartment), .text(node.id),
            ])
    }

    /// Puts one into the trash, or takes it out.
    func setTrashed(_ id: String, _ time: Int64?, sequence: Int64, in compartment: String) throws {
        try transaction.execute(
            "UPDATE vault_nodes SET trashed = $1, sequence = $2 WHERE compartment = $3 AND id = $4",
            [time.map { .integer($0) } ?? .null, .integer(sequence), .text(compartment), .text(id)])
    }

    /// Removes one for good: its id stays, so that wallets learn of it.
    func remove(_ id: String, at time: Int64, sequence: Int64, in compartment: String) throws {
        try transaction.execute(
            """
            UPDATE vault_nodes SET place = '', wrapped = '', epoch = NULL, metadata = '', size = 0, trashed = NULL,
                removed = $1, sequence = $2
            WHERE compartment = $3 AND id = $4
            """,
            [.integer(time), .integer(sequence), .text(compartment), .text(id)])
    }

    /// A place in the order of changes.
    struct Place: Sendable, Equatable {
        var sequence: Int64
        /// The last item of that change; all of them, if it sorts behind every id.
        var id: String
    }

    /// Where the page behind a place ends, and whether there is more; `nil` if it has nothing.
    ///
    /// - Parameters:
    ///   - limit: the most items.
    ///   - bytes: of metadata, as base64; one item comes always.
    func end(
        behind place: Place, in compartment: String, limit: Int, bytes: Int64
    ) throws -> (end: Place, hasMore: Bool)? {
        var (end, taken, count): (Place?, Int64, Int) = (nil, 0, 0)
        while true {
            // A few at a time: an engine reads all of what it says the length of.
            let few = min(Self.few, limit + 1 - count)
            let from = end ?? place
            let rows = try transaction.rows(
                """
                SELECT sequence, id, LENGTH(metadata) AS length FROM vault_nodes
                WHERE compartment = $1 AND (sequence, id) > ($2, $3) ORDER BY sequence, id LIMIT $4
                """,
                [.text(compartment), .integer(from.sequence), .text(from.id), .integer(Int64(few))])
            for row in rows {
                taken += try row.integer("length")
                if count == limit || (count > 0 && taken > bytes) { return end.map { ($0, true) } }
                end = Place(sequence: try row.integer("sequence"), id: try row.text("id"))
                count += 1
            }
            guard rows.count == few else { return end.map { ($0, false) } }
        }
    }

    /// The items behind one place up to another.
    func list(behind place: Place, to end: Place, in compartment: String) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM vault_nodes
            WHERE compartment = $1 AND (sequence, id) > ($2, $3) AND (sequence, id) <= ($4, $5)
            ORDER BY sequence, id
            """,
            [
                .text(compartment), .integer(place.sequence), .text(place.id), .integer(end.sequence), .text(end.id),
            ]
        ).map(Self.stored)
    }

    /// Some items whose time in the trash is over.
    func trashed(before time: Int64, limit: Int) throws -> [(id: String, compartment: String, size: Int64)] {
        try transaction.rows(
            "SELECT id, compartment, size FROM vault_nodes WHERE trashed <= $1 ORDER BY trashed LIMIT $2",
            [.integer(time), .integer(Int64(limit))]
        ).map { (try $0.text("id"), try $0.text("compartment"), try $0.integer("size")) }
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), sequence: try row.integer("sequence"), revision: try row.integer("revision"),
            place: try row.text("place"), wrapped: try row.text("wrapped"), epoch: try row.optionalInteger("epoch"),
            metadata: try row.text("metadata"), size: try row.integer("size"),
            trashed: try row.optionalInteger("trashed"), removed: try row.optionalInteger("removed"))
    }
}
