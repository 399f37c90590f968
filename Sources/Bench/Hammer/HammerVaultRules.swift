import Encodings

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
            found.append("content \(content) in use lacks \(left) bytes")
        }
        for (blob, size) in vault.blobs where blobs[blob] != size {
            found.append("part \(blob) has \(blobs[blob].map(String.init) ?? "no") bytes, not \(size)")
        }
        // The load removes no item whose content lies in an inbox too.
        for (id, drop) in vault.drops where drop.content == nil { found.append("drop \(id) has no content") }
        for content in vault.astray { found.append("content \(content) is not where its version is") }
        let created = tables.entries.count { $0.type == "vault.created" }
        if created != vault.vaults.count {
            found.append("\(created) entries vault.created for \(vault.vaults.count) vaults")
        }
        return found + guards() + slots()
    }

    /// The guard's file is there before the vault is.
    private func guards() -> [String] {
        tables.vault.vaults.filter { tables.vault.guards[$0] == nil }.sorted().map {
            "the guard has no PIN slots of the vault of \($0)"
        }
    }

    /// The load gives no vault a slot when it sets it up: each has an entry of its own.
    private func slots() -> [String] {
        let (changed, removed) = (named(by: "vault.slot_changed"), named(by: "vault.slot_removed"))
        let all = Set(changed.keys).union(removed.keys).union(tables.vault.slots.keys)
        return all.sorted().flatMap { id -> [String] in
            let (name, isThere) = ("slot \(id) of a vault", tables.vault.slots[id] != nil)
            let (removals, expected) = (removed[id] ?? 0, isThere ? 0 : 1)
            return (changed[id] == nil ? ["\(name) has no entry vault.slot_changed"] : [])
                + (removals == expected ? [] : ["\(name): \(removals) entries vault.slot_removed, not \(expected)"])
        }
    }

    /// How many entries of a type name each slot; entries about PINs name none.
    private func named(by type: String) -> [String: Int] {
        tables.entries.filter { $0.type == type }.reduce(into: [:]) { counts, entry in
            guard let slot = (try? JSON.parse(Bytes(text: entry.record)))?["slot"]?.string else { return }
            counts[String(decoding: slot, as: UTF8.self), default: 0] += 1
        }
    }
}
