import Vault

/// A PIN slot that this device has taken, for a PIN that it is about to store.
struct TakenPINSlot: Sendable {
    /// From 0 to 3.
    let slot: Int
    /// What the vault knows of it now.
    let known: VaultSettings.PINSlot
    /// What it knew before.
    let before: VaultSettings.PINSlot
}

// What the main vault knows of the four PIN slots. Devices agree here on who writes which: a slot is taken in the vault
// before its PIN is stored, so no other device takes the same one.
extension OpenVault {
    /// What is known of the four slots; `nil` in a vault that does not know them.
    var knownPINs: [VaultSettings.PINSlot]? { settings?.metadata.settings?.pins }

    /// The slot of the PIN that opens something, and what is known of it; `nil` if there is none.
    func pinSlot(for purpose: PINPurpose, node: NodeID? = nil) -> (slot: Int, known: VaultSettings.PINSlot)? {
        guard let pins = knownPINs else { return nil }
        return pins.firstIndex { $0.purpose == purpose && $0.node == node }.map { ($0, pins[$0]) }
    }

    /// How many items the PIN for items opens, and nothing else does.
    package var countLockedByPINAlone: Int {
        let locks = tree.nodes.map(\.locks) + tree.locked.map(\.locks)
        return locks.filter { !$0.isEmpty && $0.allSatisfy { $0.method == .pin } }.count
    }

    /// Takes a slot for a PIN: the one that it has, or any that is free, so that its number says nothing.
    ///
    /// - Parameter replacing: the PIN that is to be changed; `nil` for a new one.
    /// - Throws: `pinsChanged` if the vault has another PIN for it by now; `unusable` if no slot is free.
    func takePINSlot(
        for purpose: PINPurpose, node: NodeID? = nil, replacing: VaultSettings.PINSlot?
    ) async throws -> TakenPINSlot {
        let fresh = VaultSettings.PINSlot(purpose: purpose, resetKey: try .random(suite), node: node)
        let taken = Guarded<TakenPINSlot?>(nil)
        try await changePINs { pins in
            let own = pins.firstIndex { $0.purpose == purpose && $0.node == node }
            if let own, pins[own] != replacing { throw VaultFault.pinsChanged }
            let free = pins.indices.filter { pins[$0].purpose == nil }
            guard let slot = own ?? free.randomElement() else {
                throw VaultFault.unusable("all four PIN slots are used. Remove a PIN first")
            }
            let made = TakenPINSlot(slot: slot, known: fresh, before: pins[slot])
            pins[slot] = fresh
            taken.withValue { $0 = made }
        }
        guard let made = taken.withValue({ $0 }) else { throw VaultFault.broken }
        return made
    }

    /// Whether a slot is still known as it was taken.
    func has(_ known: VaultSettings.PINSlot, in slot: Int) -> Bool {
        knownPINs.map { $0.indices.contains(slot) && $0[slot] == known } ?? false
    }

    /// Has the vault know something else of a slot, unless another device has taken it since.
    func setPINSlot(_ slot: Int, from known: VaultSettings.PINSlot, to next: VaultSettings.PINSlot) async throws {
        try await changePINs { pins in
            if pins[slot] == known { pins[slot] = next }
        }
    }

    /// Changes what is known of the slots.
    ///
    /// - Parameter make: called again if another device was quicker.
    /// - Throws: `unusable` in a vault that does not know them.
    private func changePINs(_ make: @escaping @Sendable (inout [VaultSettings.PINSlot]) throws -> Void) async throws {
        try await change { vault in
            guard let known = vault.settings, var settings = known.metadata.settings else {
                throw VaultFault.unusable("only the main vault, with what it knows of its PINs, can set PINs")
            }
            try make(&settings.pins)
            guard settings != known.metadata.settings else { return VaultEdit() }
            var metadata = known.metadata
            metadata.settings = settings
            metadata.modified = max(metadata.modified, vault.milliseconds)
            return VaultEdit(put: try vault.changed(known, to: metadata))
        }
    }
}
