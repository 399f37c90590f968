package import Vault

// Locks that single items have beside the key of their folder.
extension OpenVault {
    /// Puts locks before an item, instead of those that it has; none takes them off.
    ///
    /// The item gets another key, and what is in it is wrapped again: also what lies in the trash, and what is locked.
    ///
    /// - Throws: `locked` if a lock is before it whose key is not at hand.
    package func setLocks(_ wanted: [ItemLock], on id: NodeID) async throws {
        try await change { vault in
            let node = try vault.opened(id)
            let inside = vault.children(id).compactMap { vault.records[$0]?.record }
            let (rotated, wrapped) = try vault.compartment.rotate(
                node, in: vault.tree.folder(node.parent), locks: wanted, children: inside, suite: vault.suite)
            var edit = VaultEdit(put: rotated)
            edit.wrapped = wrapped
            return edit
        }
    }
}
