import Interface
package import Vault

// The end of a shared folder. It need not open for it: others could have broken it.
extension VaultSharing {
    /// Destroys a shared folder of the account with everything in it, at once, for everybody.
    ///
    /// - Throws: `notShared`; `notShareable` for a folder of somebody else.
    package func delete(_ id: NodeID) async throws {
        _ = try await ownShare(id)
        for compartment in try await compartments(of: id) {
            _ = try await ifThere { try await server.removeVaultCompartment(compartment) }
        }
        try await home.remove([id])
    }

    /// Leaves somebody else's folder, which they still have, and takes it out of the vault.
    ///
    /// - Throws: `notShared` for a folder that nobody else shares with the account.
    package func leave(_ id: NodeID) async throws {
        guard await home.share(id)?.owner != nil else {
            throw VaultFault.notShared(await home.item(id)?.path.text ?? id.text)
        }
        for compartment in try await compartments(of: id) {
            _ = try await ifThere { try await server.endVaultMember(sharer.account, of: compartment) }
        }
        try await home.remove([id])
    }
}
