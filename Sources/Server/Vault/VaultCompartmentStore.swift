import Interface
import Storage

/// Compartments in the database.
struct VaultCompartmentStore {
    let transaction: Transaction

    /// Of a migration: PostgreSQL keeps the values of a column that is dropped until each row is written again.
    static let forgettingTimes = "UPDATE vault_compartments SET created = 0"

    /// A compartment as stored.
    struct Stored: Sendable {
        var id: String
        var account: String
        var head: String
        var sequence: Int64
        /// Of contents, uploads under way and metadata.
        var bytes: Int64
        /// That are not removed.
        var nodes: Int64
        /// That were removed: their ids stay.
        var removed: Int64
    }

    private static let columns = "id, account, head, sequence, bytes, nodes, removed"

    /// Stores a new one; its id is taken from now on, also when the compartment is gone.
    func insert(_ compartment: NewVaultCompartment, account: String) throws {
        try transaction.execute("INSERT INTO compartment_names (id) VALUES ($1)", [.text(compartment.id)])
        try transaction.execute(
            """
            INSERT INTO vault_compartments (id, account, head, sequence, bytes, nodes)
            VALUES ($1, $2, $3, 0, 0, 0)
            """,
            [.text(compartment.id), .text(account), .text(compartment.head)])
    }

    /// Whether anybody has a compartment of this id, or had one.
    func isTaken(_ id: String) throws -> Bool {
        try transaction.row("SELECT id FROM compartment_names WHERE id = $1", [.text(id)]) != nil
    }

    func count(account: String) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS compartments FROM vault_compartments WHERE account = $1", [.text(account)])?
            .integer("compartments") ?? 0
    }

    /// A compartment, without asking who may use it.
    func find(_ id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM vault_compartments WHERE id = $1", [.text(id)])
            .map(Self.stored)
    }

    /// The ids of an account's compartments.
    func ids(account: String) throws -> [String] {
        try transaction.rows("SELECT id FROM vault_compartments WHERE account = $1 ORDER BY id", [.text(account)])
            .map { try $0.text("id") }
    }

    func sequence(_ id: String) throws -> Int64 {
        try transaction.row("SELECT sequence FROM vault_compartments WHERE id = $1", [.text(id)])?
            .integer("sequence") ?? 0
    }

    func change(_ id: String, sequence: Int64, head: String) throws {
        try transaction.execute(
            "UPDATE vault_compartments SET sequence = $1, head = $2 WHERE id = $3",
            [.integer(sequence), .text(head), .text(id)])
    }

    /// Adds to what a compartment has; what is taken away is negative.
    ///
    /// - Parameter removed: items that left their ids.
    func add(_ id: String, bytes: Int64, nodes: Int64 = 0, removed: Int64 = 0) throws {
        try transaction.execute(
            """
            UPDATE vault_compartments SET bytes = bytes + $1, nodes = nodes + $2, removed = removed + $3 WHERE id = $4
            """, [.integer(bytes), .integer(nodes), .integer(removed), .text(id)])
    }

    /// Removes a compartment with everything in it.
    func delete(_ id: String) throws {
        for table in ["vault_members", "vault_drops", "vault_versions", "vault_nodes"] {
            try transaction.execute("DELETE FROM \(table) WHERE compartment = $1", [.text(id)])
        }
        try transaction.execute(
            "DELETE FROM vault_parts WHERE content IN (SELECT id FROM vault_contents WHERE compartment = $1)",
            [.text(id)])
        // One that was handed over may still be named in the inbox of the compartment it came from.
        try transaction.execute(
            """
            UPDATE vault_drops SET content = NULL
            WHERE content IN (SELECT id FROM vault_contents WHERE compartment = $1)
            """, [.text(id)])
        try transaction.execute("DELETE FROM vault_contents WHERE compartment = $1", [.text(id)])
        try transaction.execute("DELETE FROM vault_compartments WHERE id = $1", [.text(id)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), account: try row.text("account"), head: try row.text("head"),
            sequence: try row.integer("sequence"), bytes: try row.integer("bytes"), nodes: try row.integer("nodes"),
            removed: try row.integer("removed"))
    }
}

extension VaultCompartmentStore.Stored {
    /// As its owner's wallet sees it.
    var shown: VaultCompartment {
        VaultCompartment(
            id: id, sequence: sequence, head: head, bytes: bytes, quota: Limits.vaultQuota, nodes: nodes)
    }
}
