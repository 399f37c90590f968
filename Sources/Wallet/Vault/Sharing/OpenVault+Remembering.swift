import Encodings
package import Vault

// What a vault remembers beside its items, and what a folder says of a compartment that it stands for.
extension OpenVault {
    /// What the vault remembers under a name.
    func remembered(_ name: String) -> JSON? { settings?.metadata[other: name] }

    /// Remembers something under a name, in the node of the kind `settings`.
    ///
    /// - Parameter make: gives the new value for the one that is there; it is called again if another device was quicker.
    func remember(_ name: String, _ make: @escaping @Sendable (JSON?) -> JSON) async throws {
        let id = try NodeID.random(suite)
        try await change { vault in
            if let known = vault.settings {
                var metadata = known.metadata
                metadata[other: name] = make(metadata[other: name])
                metadata.modified = max(metadata.modified, vault.milliseconds)
                return VaultEdit(put: try vault.changed(known, to: metadata))
            }
            var metadata = NodeMetadata(.settings, name: .cleaned(Bytes(text: "settings")), created: vault.milliseconds)
            metadata[other: name] = make(nil)
            return VaultEdit(
                put: try vault.compartment.make(metadata, in: vault.compartment.root, id: id, suite: vault.suite))
        }
    }

    /// Changes what a folder says of the compartment that it stands for.
    ///
    /// - Parameter make: changes key and share as they are now; it is called again if another device was quicker. If it
    ///   throws, nothing is changed.
    func mark(
        _ id: NodeID, _ make: @escaping @Sendable (inout VaultSecret?, inout FolderShare) throws -> Void
    ) async throws {
        try await change { vault in
            let node = try vault.opened(id)
            var metadata = node.metadata
            var share = FolderShare(metadata) ?? FolderShare()
            try make(&metadata.compartment, &share)
            metadata[other: FolderShare.name] = share.json
            metadata.modified = max(metadata.modified, vault.milliseconds)
            return VaultEdit(put: try vault.changed(node, to: metadata))
        }
    }

    /// Makes a folder that stands for a compartment.
    ///
    /// - Parameter mayRepeat: whether something may be called the same: the folder whose place it takes.
    func makePointer(
        _ name: NodeName, in parent: NodeID, to compartment: Compartment, _ share: FolderShare, tags: [Bytes] = [],
        mayRepeat: Bool = false
    ) async throws -> NodeID {
        let id = try NodeID.random(suite)
        try await change { vault in
            if !mayRepeat { try vault.checkFree(name, in: parent) }
            var metadata = NodeMetadata(.folder, name: name, created: vault.milliseconds)
            metadata.tags = tags
            metadata.compartment = compartment.key
            metadata[other: FolderShare.name] = share.json
            return VaultEdit(
                put: try vault.compartment.make(
                    metadata, in: vault.key(ofFolder: parent), id: id, suite: vault.suite))
        }
        return id
    }

    /// The key of the compartment that a folder stands for; `nil` where others write.
    func door(_ id: NodeID) -> VaultSecret? {
        guard !isInner, let node = tree.node(id), node.metadata.kind == .folder else { return nil }
        return node.metadata.compartment
    }

    /// Whether items are folders that stand for other compartments, or hold one: its key is nowhere else.
    package func haveDoors(_ ids: [NodeID]) -> Bool { ids.contains { below($0).contains { door($0) != nil } } }

    /// What a folder says of those with whom it is shared; `nil` if it is not shared.
    package func share(_ id: NodeID) -> FolderShare? {
        guard door(id) != nil, let node = tree.node(id) else { return nil }
        return FolderShare(node.metadata)
    }

    /// The folders that stand for something that others share with the account.
    func foldersOfOthers() -> [(id: NodeID, name: NodeName, share: FolderShare)] {
        tree.nodes.compactMap { node in
            guard records[node.id]?.trashed == nil, let share = share(node.id), share.owner != nil else { return nil }
            return (node.id, node.metadata.name, share)
        }
    }
}
