package import Encodings
package import Vault

// What a person does with what is in a vault.
extension OpenVault {
    /// The most nodes of one change: one that hands over is one of two in a request.
    static let together = 450
    /// The most bytes of their metadata: the server writes the rows of all of them, while others wait.
    static let mostBytes = 8 << 20

    /// Milliseconds since 1970.
    nonisolated var milliseconds: Int64 { now() * 1_000 }

    /// Makes a folder.
    ///
    /// - Throws: `exists` if something in that folder is called so.
    @discardableResult
    package func makeFolder(_ name: NodeName, in parent: NodeID) async throws -> NodeID {
        let id = try NodeID.random(suite)
        try await change { vault in
            try vault.checkFree(name, in: parent)
            let metadata = NodeMetadata(.folder, name: name, created: vault.milliseconds)
            return VaultEdit(
                put: try vault.compartment.make(
                    metadata, in: vault.key(ofFolder: parent), id: id, suite: vault.suite))
        }
        return id
    }

    /// Writes a note.
    ///
    /// - Parameter replacing: whether a note of that name gets the text; otherwise it is refused.
    @discardableResult
    package func writeNote(_ text: Bytes, _ name: NodeName, in parent: NodeID, replacing: Bool) async throws -> NodeID {
        guard UTF8Text.isValid(text), text.count <= NodeMetadataLimits.text else {
            throw VaultFault.unusable("a note has at most \(NodeMetadataLimits.text >> 10) KiB of text in UTF-8")
        }
        let id = try NodeID.random(suite)
        try await change { vault in
            if let known = try vault.known(name, in: parent) {
                guard replacing else { throw VaultFault.exists(vault.path(name, in: parent)) }
                var metadata = known.metadata
                guard metadata.kind == .note else { throw VaultFault.notANote(vault.path(name, in: parent)) }
                metadata.text = text
                metadata.modified = max(metadata.modified, vault.milliseconds)
                return VaultEdit(put: try vault.changed(known, to: metadata))
            }
            var metadata = NodeMetadata(.note, name: name, created: vault.milliseconds)
            metadata.text = text
            return VaultEdit(
                put: try vault.compartment.make(
                    metadata, in: vault.key(ofFolder: parent), id: id, suite: vault.suite))
        }
        return id
    }

    /// Remembers what the owner knows of the PIN slots.
    func setSettings(_ settings: VaultSettings) async throws {
        let id = try NodeID.random(suite)
        try await change { vault in
            if let known = vault.settings {
                var metadata = known.metadata
                (metadata.settings, metadata.modified) = (settings, max(metadata.modified, vault.milliseconds))
                return VaultEdit(put: try vault.changed(known, to: metadata))
            }
            var metadata = NodeMetadata(.settings, name: .cleaned(Bytes(text: "settings")), created: vault.milliseconds)
            metadata.settings = settings
            return VaultEdit(
                put: try vault.compartment.make(metadata, in: vault.compartment.root, id: id, suite: vault.suite))
        }
    }

    /// Moves an item to another folder, under another name, or both.
    package func move(_ id: NodeID, to folder: NodeID, as name: NodeName? = nil) async throws {
        try await change { vault in
            let node = try vault.opened(id)
            let target = try vault.key(ofFolder: folder)
            let wanted = name ?? node.metadata.name
            if node.parent == folder, node.metadata.name == wanted { return VaultEdit() }
            try vault.checkFree(wanted, in: folder, except: id)
            let above = try vault.tree.path(of: folder)
            guard !above.contains(id) else {
                throw VaultFault.intoItself(String(decoding: node.metadata.name.bytes, as: UTF8.self))
            }
            var metadata = node.metadata
            metadata.name = wanted
            return VaultEdit(
                put: try vault.compartment.move(node, to: target, metadata: metadata, suite: vault.suite))
        }
    }

    /// Moves items to the trash, with all that is in them.
    package func trash(_ ids: [NodeID]) async throws {
        try await inGroups(ids) { group, vault in
            var edit = VaultEdit()
            edit.trash = group.filter { vault.records[$0].map { $0.trashed == nil } ?? false }
            return edit
        }
    }

    /// Puts an item back, with all that went to the trash with it.
    ///
    /// If its folder is in the trash itself, it comes to the top.
    package func restore(_ id: NodeID) async throws {
        try await inGroups([id]) { group, vault in
            var edit = VaultEdit()
            edit.restore = group.filter { vault.records[$0]?.trashed != nil }
            return edit
        }
        guard let parent = tree.node(id)?.parent, parent != .root, records[parent]?.trashed != nil else { return }
        try await move(id, to: .root)
    }

    /// Destroys items, with all that is in them.
    package func remove(_ ids: [NodeID]) async throws {
        try await inGroups(ids) { group, vault in
            var edit = VaultEdit()
            edit.remove = group.filter { vault.records[$0] != nil }
            return edit
        }
    }

    private func inGroups(
        _ ids: [NodeID], _ make: @escaping @Sendable ([NodeID], isolated OpenVault) -> VaultEdit
    ) async throws {
        var all: [NodeID] = []
        var known: Set<NodeID> = []
        for id in ids.flatMap(below) where known.insert(id).inserted { all.append(id) }
        for group in groups(of: all) { try await change { make(group, $0) } }
    }

    /// The ids in parts that one change can hold.
    func groups(of ids: [NodeID]) -> [[NodeID]] {
        var parts: [[NodeID]] = []
        var bytes = 0
        for id in ids {
            let size = records[id]?.record.metadata.count ?? 0
            bytes += size
            if parts.last.map({ $0.count == Self.together }) ?? true || bytes > Self.mostBytes {
                parts.append([])
                bytes = size
            }
            parts[parts.count - 1].append(id)
        }
        return parts
    }

    /// An item and all that is in it.
    func below(_ id: NodeID) -> [NodeID] {
        var all = [id]
        var index = 0
        while index < all.count {
            all += children(all[index])
            index += 1
        }
        return all
    }

    // MARK: For those who change

    /// A node that is open.
    func opened(_ id: NodeID) throws -> OpenedNode {
        guard let node = tree.node(id) else {
            throw tree.locked.contains { $0.record.id == id }
                ? VaultFault.locked("id:\(id.text)") : VaultFault.notFound("id:\(id.text)")
        }
        return node
    }

    /// The key of a folder that is not in the trash.
    ///
    /// - Throws: `elsewhere` if the folder stands for another compartment: what is put into it here, nobody would find.
    func key(ofFolder id: NodeID) throws -> NodeKey {
        guard door(id) == nil else { throw VaultFault.elsewhere(item(id)?.path.text ?? id.text) }
        guard id == .root || records[id].map({ $0.trashed == nil }) ?? false, let key = try? tree.folder(id) else {
            throw VaultFault.notFound("id:\(id.text)")
        }
        return key
    }

    /// A node with other metadata.
    func changed(_ node: OpenedNode, to metadata: NodeMetadata) throws -> OpenedNode {
        try compartment.change(node, to: metadata, in: tree.folder(node.parent), suite: suite)
    }

    /// What is called so in a folder.
    ///
    /// - Throws: `ambiguous` if there are several.
    func known(_ name: NodeName, in folder: NodeID) throws -> OpenedNode? {
        let found = children(folder).compactMap { tree.node($0) }.filter {
            $0.metadata.name == name && $0.metadata.kind != .settings && records[$0.id]?.trashed == nil
        }
        guard found.count <= 1 else {
            throw VaultFault.ambiguous(path(name, in: folder), found.map(\.id.text))
        }
        return found.first
    }

    func checkFree(_ name: NodeName, in folder: NodeID, except id: NodeID? = nil) throws {
        let isTaken = children(folder).contains { child in
            guard child != id, records[child]?.trashed == nil, let node = tree.node(child) else { return false }
            return node.metadata.name == name && node.metadata.kind != .settings
        }
        guard !isTaken else { throw VaultFault.exists(path(name, in: folder)) }
    }

    /// A name with the folders before it, for people.
    func path(_ name: NodeName, in folder: NodeID) -> String {
        let above = item(folder)?.path ?? []
        return String(decoding: above.isEmpty ? name.bytes : above + [0x2F] + name.bytes, as: UTF8.self)
    }
}
