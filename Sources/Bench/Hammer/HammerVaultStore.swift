import Storage

/// Reads the tables of vaults for the hammer's rules.
struct HammerVaultStore {
    let transaction: Transaction

    func tables() throws -> HammerVaultTables {
        var tables = HammerVaultTables()
        tables.vaults = Set(try transaction.rows("SELECT account FROM vaults").map { try $0.text("account") })
        for row in try transaction.rows("SELECT id, bytes, nodes FROM vault_compartments") {
            tables.compartments[try row.text("id")] = (try row.integer("bytes"), try row.integer("nodes"))
        }
        for row in try transaction.rows("SELECT id, compartment, size, removed FROM vault_nodes") {
            let compartment = try row.text("compartment")
            tables.files[try row.text("id")] = HammerVaultTables.File(
                compartment: compartment, isRemoved: try row.optionalInteger("removed") != nil)
            tables.bytes[compartment, default: 0] += try row.integer("size")
        }
        for table in ["vault_contents", "vault_drops"] {
            for row in try transaction.rows("SELECT compartment, size FROM \(table)") {
                tables.bytes[try row.text("compartment"), default: 0] += try row.integer("size")
            }
        }
        for row in try transaction.rows("SELECT content, size FROM vault_versions") {
            tables.missing[try row.text("content")] = try row.integer("size")
        }
        for row in try transaction.rows("SELECT id, content FROM vault_drops") {
            tables.drops[try row.text("id")] = HammerVaultTables.Drop(content: try row.optionalText("content"))
        }
        for row in try transaction.rows(
            "SELECT id, size FROM vault_contents WHERE id IN (SELECT content FROM vault_drops)")
        {
            tables.missing[try row.text("id")] = try row.integer("size")
        }
        for row in try transaction.rows("SELECT compartment, account FROM vault_members") {
            tables.members[try row.text("compartment"), default: []].insert(try row.text("account"))
        }
        for row in try transaction.rows("SELECT content, blob, size FROM vault_parts WHERE gone IS NULL") {
            let (content, size) = (try row.text("content"), try row.integer("size"))
            tables.blobs[try row.text("blob")] = size
            if let left = tables.missing[content] { tables.missing[content] = left - size }
        }
        tables.astray = try transaction.rows(
            """
            SELECT c.id AS content FROM vault_contents c LEFT JOIN vault_versions v ON v.content = c.id
            WHERE (v.content IS NULL) <> (c.expires IS NOT NULL) OR v.compartment <> c.compartment
            ORDER BY c.id
            """
        ).map { try $0.text("content") }
        for row in try transaction.rows("SELECT id, account, sealed FROM vault_slots") {
            tables.slots[try row.text("id")] = HammerVaultTables.Slot(
                account: try row.text("account"), sealed: try row.text("sealed"))
        }
        return tables
    }
}
