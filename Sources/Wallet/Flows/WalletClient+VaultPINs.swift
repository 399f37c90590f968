package import Encodings
import Interface
package import Vault

/// A PIN that is set.
package struct VaultPINUse: Sendable {
    /// From 0 to 3.
    package let slot: Int
    /// What it is for.
    package let purpose: PINPurpose
    /// Where the folder is that it opens, if it is for a folder that is there.
    package let path: Bytes?
    /// False once ten wrong tries have destroyed it, or if the server has lost its guard keys.
    package let isUsable: Bool
}

// PINs are stored in two places: the slot with the guard, and what is known of it in the vault. Devices that do so at the
// same moment do not lose each other's slots: each takes its slot in the vault first, and the guard refuses a write of a
// device that has not seen the write before.
extension WalletClient {
    /// The PINs that are set, as a vault knows them.
    package func pins(of vault: OpenVault) async throws -> [VaultPINUse] {
        let state = try await self.vault()
        var uses: [VaultPINUse] = []
        for (slot, known) in (await vault.knownPINs ?? []).enumerated() {
            guard let purpose = known.purpose else { continue }
            let item: VaultItem? = if let node = known.node { await vault.item(node) } else { nil }
            let isUsable = state.pins.contains { $0.slot == slot && $0.usable }
            uses.append(VaultPINUse(slot: slot, purpose: purpose, path: item?.path, isUsable: isUsable))
        }
        return uses
    }

    /// Sets the PIN of a vault, or changes it.
    ///
    /// - Throws: `badPIN`, `pinsChanged`; `unusable` if no slot is free.
    package func setPIN(_ pin: Bytes, of vault: OpenVault) async throws -> LoggedAct {
        let present = await vault.pinSlot(for: .main)
        return try await setPIN(
            pin, for: .main, key: vault.compartment.key, replacing: present?.known, in: vault)
    }

    /// Removes a PIN: it opens nothing any more.
    ///
    /// - Throws: `unusable` if none is set there; `pinsChanged` if another device has just changed it.
    package func removePIN(_ slot: Int, from vault: OpenVault) async throws -> LoggedAct {
        guard let pins = await vault.knownPINs, pins.indices.contains(slot), pins[slot].purpose != nil else {
            throw VaultFault.unusable("no PIN is set in the slot \(slot)")
        }
        return try await clear(slot, pins[slot], in: vault)
    }

    /// Takes a PIN out of its slot: first there, and then in the vault, which lists it until it is done.
    private func clear(_ slot: Int, _ known: VaultSettings.PINSlot, in vault: OpenVault) async throws -> LoggedAct {
        let client = VaultPINClient(server: try session(), account: try Self.account(try await self.vault()))
        let resetKey = try VaultSecret.random(suite)
        let acknowledged = try await store(in: vault, while: known, isIn: slot) { revision in
            try await client.clear(slot, resetKey: resetKey, at: revision)
        }
        try await vault.setPINSlot(slot, from: known, to: .init(purpose: nil, resetKey: resetKey))
        return try await check(acknowledged.receipt, "vault.slot_changed")
    }

    /// Whether a PIN opens more than one slot; no, where nobody knows because the guard lets nobody try.
    private func opensSeveral(_ pin: Bytes, _ client: VaultPINClient) async -> Bool {
        guard let state = try? await self.vault(), let opened = try? await client.attempt(pin, state) else {
            return false
        }
        try? await opened.prove([])
        return opened.contents.count > 1
    }

    /// Sets a PIN, in the slot that it has or in one that is free.
    ///
    /// - Parameter replacing: what the vault knows of the PIN that is to be changed; `nil` for a new one.
    /// - Throws: `badPIN`; `pinsChanged` if another device has set the same PIN; `unusable` if no slot is
    ///   free.
    func setPIN(
        _ pin: Bytes, for purpose: PINPurpose, key: VaultSecret, lock: LockID? = nil,
        replacing: VaultSettings.PINSlot?, in vault: OpenVault
    ) async throws -> LoggedAct {
        try VaultPINClient.check(pin)
        let client = VaultPINClient(server: try session(), account: try Self.account(try await self.vault()))
        let input = try await VaultPINClient.input(pin, client.account)
        let taken = try await vault.takePINSlot(for: purpose, replacing: replacing)
        let acknowledged: Acknowledgement
        do {
            acknowledged = try await store(in: vault, while: taken.known, isIn: taken.slot) { revision in
                try await client.set(
                    input, slot: taken.slot, purpose, key: key, lock: lock, resetKey: taken.known.resetKey,
                    at: revision)
            }
        } catch {
            // Where nobody knows whether it was stored, the vault goes on listing the slot, so that it can be removed.
            if !OpenVault.isUncertain(error) {
                try? await vault.setPINSlot(taken.slot, from: taken.known, to: taken.before)
            }
            throw error
        }
        let act = try await check(acknowledged.receipt, "vault.slot_changed")
        guard await opensSeveral(pin, client) else { return act }
        _ = try await clear(taken.slot, taken.known, in: vault)
        throw VaultFault.badPIN("another one of your PINs is the same. Nothing opens with it here: set another one")
    }

    /// Stores PIN slots, again as long as other devices are quicker.
    ///
    /// - Parameters:
    ///   - known: what the vault knows of the slot while it is this device's to write.
    ///   - write: stores them if the guard is still at a revision.
    /// - Throws: `pinsChanged` if another device has taken the slot.
    func store(
        in vault: OpenVault, while known: VaultSettings.PINSlot, isIn slot: Int,
        _ write: @Sendable (Int64) async throws -> Acknowledgement
    ) async throws -> Acknowledgement {
        for attempt in 0..<OpenVault.tries {
            // In this order: who has written before this revision, took their slot in the vault before.
            let revision = try await self.vault().guard.revision
            try await vault.refresh()
            guard await vault.has(known, in: slot) else { throw VaultFault.pinsChanged }
            do {
                return try await write(revision)
            } catch let error as ProblemError where Self.wasLate(error) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...100) << min(attempt, 5)))
            }
        }
        throw VaultFault.contended
    }

    /// Whether another device has written slots, or asked for fresh keys, in between.
    private static func wasLate(_ error: ProblemError) -> Bool {
        error.problem.error == "pins" || error.problem.error == "enrolment"
    }
}
