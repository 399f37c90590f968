package import Encodings
import Interface
package import Vault

// PINs of items: each is one of the four PIN slots, which the guard counts together.
extension WalletClient {
    /// Opens the items that a PIN locks, and gives the lock.
    ///
    /// - Throws: `wrongPIN` if it opens no lock; the try stays counted.
    @discardableResult
    package func openLock(_ pin: Bytes, in vault: OpenVault) async throws -> ItemLock {
        let state = try await self.vault()
        let client = VaultPINClient(server: try session(), account: try Self.account(state))
        let opened = try await client.attempt(pin, state)
        guard let contents = opened.contents.first(where: { $0.purpose == .item }) else {
            try? await opened.prove([])
            throw await client.wrong()
        }
        try? await opened.prove(await vault.settings?.metadata.settings?.pins.map(\.resetKey) ?? [])
        let lock = ItemLock(pin: contents.key, id: contents.lock)
        try await vault.unlock([lock])
        return lock
    }

    /// Makes a PIN that locks items, in one of the four slots.
    ///
    /// - Throws: `unusable` if a PIN locks items already, if no slot is free, or if this is not the main vault.
    package func makeLock(_ pin: Bytes, in vault: OpenVault) async throws -> (lock: ItemLock, act: LoggedAct) {
        guard var settings = await vault.settings?.metadata.settings else {
            throw VaultFault.unusable("only the main vault, with what it knows of its PINs, can set a PIN for items")
        }
        guard !settings.pins.contains(where: { $0.purpose == .item }) else {
            throw VaultFault.unusable("a PIN locks items already: give that one with --lock-pin")
        }
        guard let slot = settings.pins.firstIndex(where: { $0.purpose == nil }) else {
            throw VaultFault.unusable("all four PIN slots are used")
        }
        let account = try Self.account(try await self.vault())
        let (key, id) = (try VaultSecret.random(suite), try LockID.random(suite))
        let resetKey = try VaultSecret.random(suite)
        var resets: [VaultSecret?] = [nil, nil, nil, nil]
        resets[slot] = resetKey
        let acknowledged = try await VaultPINClient(server: session(), account: account)
            .set(pin, slot: slot, .item, key: key, lock: id, resetKeys: resets)
        let act = try await check(acknowledged.receipt, "vault.slot_changed")
        settings.pins[slot] = .init(purpose: .item, resetKey: resetKey)
        try await vault.setSettings(settings)
        return (ItemLock(pin: key, id: id), act)
    }
}
