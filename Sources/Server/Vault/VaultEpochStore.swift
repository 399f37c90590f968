import Storage

/// Which rows are wrapped under the key of which week, and their next wrapping.
struct VaultEpochStore {
    let transaction: Transaction

    /// The tables whose rows have a wrapped key.
    enum Table: String, CaseIterable, Sendable {
        case nodes = "vault_nodes"
        case versions = "vault_versions"
        case drops = "vault_drops"
    }

    /// A row's key as stored.
    struct Wrapped: Sendable {
        var id: String
        var compartment: String
        var wrapped: String
        var epoch: Int64
    }

    /// Some rows of earlier weeks, the earliest first; those whose key is known to be gone are left out.
    func before(_ epoch: Int64, in table: Table, limit: Int) throws -> [Wrapped] {
        try transaction.rows(
            """
            SELECT id, compartment, wrapped, epoch FROM \(table.rawValue) WHERE epoch >= 0 AND epoch < $1
            ORDER BY epoch LIMIT $2
            """, [.integer(epoch), .integer(Int64(limit))]
        ).map {
            Wrapped(
                id: try $0.text("id"), compartment: try $0.text("compartment"), wrapped: try $0.text("wrapped"),
                epoch: try $0.integer("epoch"))
        }
    }

    /// Stores a row's next wrapping.
    func set(_ row: Wrapped, in table: Table) throws {
        try transaction.execute(
            "UPDATE \(table.rawValue) SET wrapped = $1, epoch = $2 WHERE compartment = $3 AND id = $4",
            [.text(row.wrapped), .integer(row.epoch), .text(row.compartment), .text(row.id)])
    }

    /// Whether rows need the key of a week.
    func isUsed(_ epoch: Int64) throws -> Bool {
        try Table.allCases.contains { table in
            try transaction.row("SELECT epoch FROM \(table.rawValue) WHERE epoch = $1 LIMIT 1", [.integer(epoch)])
                != nil
        }
    }

    /// The weeks whose keys rows need.
    func used() throws -> Set<Int64> {
        var epochs: Set<Int64> = []
        for table in Table.allCases {
            for row in try transaction.rows("SELECT DISTINCT epoch FROM \(table.rawValue) WHERE epoch >= 0") {
                epochs.insert(try row.integer("epoch"))
            }
        }
        return epochs
    }

    /// The weeks of rows that were set aside because their key was not there.
    func setAside() throws -> Set<Int64> {
        var epochs: Set<Int64> = []
        for table in Table.allCases {
            for row in try transaction.rows("SELECT DISTINCT epoch FROM \(table.rawValue) WHERE epoch < 0") {
                epochs.insert(-1 - (try row.integer("epoch")))
            }
        }
        return epochs
    }

    /// How many rows were set aside.
    func countSetAside() throws -> Int64 {
        try Table.allCases.reduce(0) { count, table in
            try count
                + (transaction.row("SELECT COUNT(*) AS rows FROM \(table.rawValue) WHERE epoch < 0")?.integer("rows")
                    ?? 0)
        }
    }

    /// Brings rows back that were set aside: the key of their week is there again.
    func bringBack(_ epoch: Int64) throws {
        for table in Table.allCases {
            try transaction.execute(
                "UPDATE \(table.rawValue) SET epoch = $1 WHERE epoch = $2", [.integer(epoch), .integer(-1 - epoch)])
        }
    }
}
