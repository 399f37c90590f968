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
        let contents = try await lockContents(of: pin, try await self.vault(), vault)
        let lock = ItemLock(pin: contents.key, id: contents.lock)
        try await vault.unlock([lock])
        return lock
    }

    /// What the slot of the PIN for items holds.
    private func lockContents(of pin: Bytes, _ state: VaultState, _ vault: OpenVault) async throws -> PINContents {
        let client = VaultPINClient(server: try session(), account: try Self.account(state))
        let opened = try await client.attempt(pin, state)
        guard let contents = opened.contents.first(where: { $0.purpose == .item }) else {
            try? await opened.prove([])
            throw await client.wrong()
        }
        try? await opened.prove(await vault.knownPINs?.map(\.resetKey) ?? [])
        return contents
    }

    /// Sets the PIN for items, or changes it: then their locks stay.
    ///
    /// After it was destroyed nobody has its key: the new one is for items that are locked from now on.
    ///
    /// - Parameter old: the present PIN, if there is one that was not destroyed.
    /// - Throws: `unusable` without the present PIN; `wrongPIN`, `badPIN`, `pinsChanged`.
    package func setLockPIN(_ pin: Bytes, from old: Bytes?, in vault: OpenVault) async throws -> LoggedAct {
        try VaultPINClient.check(pin)
        let state = try await self.vault()
        let known = await vault.pinSlot(for: .item)
        guard let present = known, state.pins.contains(where: { $0.slot == present.slot && $0.usable }) else {
            let (key, lock) = (try VaultSecret.random(suite), try LockID.random(suite))
            return try await setPIN(pin, for: .item, key: key, lock: lock, replacing: known?.known, in: vault)
        }
        guard let old else {
            throw VaultFault.unusable(
                "a PIN for locked items is set. Give it with --lock-pin, so that their locks stay, or remove it with "
                    + "'countersign wallet vault slots pin remove' if it opens nothing")
        }
        let contents = try await lockContents(of: old, state, vault)
        return try await setPIN(
            pin, for: .item, key: contents.key, lock: contents.lock, replacing: present.known, in: vault)
    }

    /// Makes a PIN that locks items, in one of the four slots.
    ///
    /// - Throws: `unusable` if a PIN locks items already, if no slot is free, or if this is not the main vault;
    ///   `pinsChanged` if another device has just made one.
    package func makeLock(_ pin: Bytes, in vault: OpenVault) async throws -> (lock: ItemLock, act: LoggedAct) {
        guard await vault.pinSlot(for: .item) == nil else {
            throw VaultFault.unusable("a PIN locks items already: give that one with --lock-pin")
        }
        let (key, id) = (try VaultSecret.random(suite), try LockID.random(suite))
        let act = try await setPIN(pin, for: .item, key: key, lock: id, replacing: nil, in: vault)
        return (ItemLock(pin: key, id: id), act)
    }
}
