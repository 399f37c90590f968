import Encodings
import Interface

// Sharing of the vault, with this wallet's keys and the log that it has pinned.
extension WalletClient {
    /// What shares things of an open vault.
    package func sharing(_ home: OpenVault) throws -> VaultSharing {
        try VaultSharing(
            home: home, server: session(),
            sharer: VaultSharer(
                account: wallet.header.account, audience: wallet.header.publicURL, signingKey: wallet.signingKey(),
                encryptionKey: wallet.encryptionKey()),
            vouch: { try await self.vouch($0) }, now: now)
    }

    /// Stops a link to something of the vault.
    ///
    /// The vault need not open for it.
    package func stopVaultLink(_ id: String) async throws { try await session().stopVaultLink(id) }

    /// Checks that the log has the keys of somebody's device.
    ///
    /// - Throws: `badReceipt` if it has not.
    private func vouch(_ device: VaultDevice) async throws {
        let members: [(StaticString, JSON)] = [
            ("encryption_key", .text(device.encryptionKey)), ("signing_key", .text(device.signingKey)),
        ]
        do {
            try await check(device.receipt, "device.enrolled", members)
        } catch WalletError.badReceipt {
            // The main administrator may have signed a log policy with other keys.
            try await checkOrganisation()
            try await check(device.receipt, "device.enrolled", members)
        }
    }
}
