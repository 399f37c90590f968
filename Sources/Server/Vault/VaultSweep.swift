import Storage

/// What vaults keep for a while only: uploads that nobody used, the trash, older versions, guards of accounts that are
/// gone.
struct VaultSweep: Sendable {
    let environment: Environment

    /// Items of one transaction.
    static let together = 100

    /// Removes uploads that no change has used in time.
    ///
    /// - Returns: how many.
    func endUploads() async throws -> Int {
        let now = environment.now()
        let gone = try await environment.database.write { transaction in
            let store = VaultContentStore(transaction: transaction)
            let expired = try store.expired(now: now, limit: Self.together)
            for content in expired {
                try store.delete(content.id)
                try VaultCompartmentStore(transaction: transaction).add(content.compartment, bytes: -content.size)
            }
            return expired.map(\.id)
        }
        await environment.deleteVaultContents(gone)
        return gone.count
    }

    /// Removes items that have been in the trash for their time.
    ///
    /// - Returns: how many.
    func emptyTrash() async throws -> Int {
        let now = environment.now()
        let (count, gone) = try await environment.database.write { transaction in
            let nodes = VaultNodeStore(transaction: transaction)
            let compartments = VaultCompartmentStore(transaction: transaction)
            let over = try nodes.trashed(before: now - Limits.vaultTrashTime, limit: Self.together)
            var gone: [String] = []
            for node in over {
                var bytes = node.size
                let versions = VaultVersionStore(transaction: transaction)
                for version in try versions.find(ofNodes: [node.id], in: node.compartment)[node.id] ?? [] {
                    try versions.delete(version.id, in: node.compartment)
                    try VaultContentStore(transaction: transaction).delete(version.content)
                    gone.append(version.content)
                    bytes += version.size
                }
                // The sequence stays: only a wallet can seal another head.
                let sequence = try compartments.sequence(node.compartment)
                try nodes.remove(node.id, at: now, sequence: sequence, in: node.compartment)
                try compartments.add(node.compartment, bytes: -bytes, nodes: -1, removed: 1)
            }
            return (over.count, gone)
        }
        await environment.deleteVaultContents(gone)
        return count
    }

    /// Removes versions that have had a newer one for long enough.
    ///
    /// - Returns: how many.
    func endVersions() async throws -> Int {
        let now = environment.now()
        let gone = try await environment.database.write { transaction in
            let store = VaultVersionStore(transaction: transaction)
            let over = try store.superseded(before: now - Limits.vaultVersionTime, limit: Self.together)
            for (version, compartment) in over {
                try store.delete(version.id, in: compartment)
                try VaultContentStore(transaction: transaction).delete(version.content)
                try VaultCompartmentStore(transaction: transaction).add(compartment, bytes: -version.size)
            }
            return over.map { $0.version.content }
        }
        await environment.deleteVaultContents(gone)
        return gone.count
    }

    /// Destroys what the guard has of accounts that have no vault, once nobody is setting one up, and what is left of
    /// processes that were killed.
    func endGuards() async throws {
        let pins = VaultGuard(environment: environment)
        let now = environment.now()
        try await pins.folder.destroyUnfinished()
        try await pins.folder.forEachFolder { accounts in
            for start in stride(from: 0, to: accounts.count, by: Self.together) {
                let some = Array(accounts[start..<min(start + Self.together, accounts.count)])
                let kept = try await environment.database.read {
                    try VaultStore(transaction: $0).accounts(among: some)
                }
                for account in some where !kept.contains(account) {
                    do {
                        try await pins.folder.change(account) { file in
                            if file?.isFresh(at: now) == false { file = nil }
                        }
                    } catch is GuardFolder.Damaged {
                        // Nobody can use it, and its keys may be those of somebody who was erased.
                        try await pins.folder.destroy(account)
                    }
                }
            }
        }
    }
}
