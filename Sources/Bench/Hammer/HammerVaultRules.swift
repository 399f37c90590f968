/// The rules that vaults must meet, even if the server's processes were killed.
struct HammerVaultRules {
    private let tables: HammerTables
    private let blobs: [String: Int64]

    /// - Parameter blobs: sizes by name.
    init(tables: HammerTables, blobs: [String: Int64]) { (self.tables, self.blobs) = (tables, blobs) }

    /// Everything that is there in part, in words.
    func halves() -> [String] {
        let vault = tables.vault
        var found: [String] = []
        for (id, says) in vault.compartments {
            let nodes = vault.files.values.count { $0.compartment == id && !$0.isRemoved }
            if says.nodes != nodes { found.append("compartment \(id) counts \(says.nodes) items and has \(nodes)") }
            let bytes = vault.bytes[id] ?? 0
            if says.bytes != bytes { found.append("compartment \(id) counts \(says.bytes) bytes and has \(bytes)") }
        }
        for (content, left) in vault.missing where left != 0 {
            found.append("content \(content) of a version lacks \(left) bytes")
        }
        for (blob, size) in vault.blobs where blobs[blob] != size {
            found.append("part \(blob) has \(blobs[blob].map(String.init) ?? "no") bytes, not \(size)")
        }
        let created = tables.entries.count { $0.type == "vault.created" }
        if created != vault.vaults.count {
            found.append("\(created) entries vault.created for \(vault.vaults.count) vaults")
        }
        return found
    }
}
