import Interface

extension TrustEvent.Kind {
    /// What vaults write into the log.
    static let ofVault: [Self] = [
        .vaultCreated, .vaultSlotChanged, .vaultSlotRemoved, .vaultContactAsked, .vaultContactRefused, .vaultRemoved,
    ]

    static let vaultCreated = Self("vault.created")
    static let vaultSlotChanged = Self("vault.slot_changed")
    static let vaultSlotRemoved = Self("vault.slot_removed")
    static let vaultContactAsked = Self("vault.contact_asked")
    static let vaultContactRefused = Self("vault.contact_refused")
    static let vaultRemoved = Self("vault.removed")
}

extension Permission {
    /// What accounts may do with vaults.
    static let ofVault = [keepVault]

    static let keepVault = Permission(
        "keep_vault", Role.allCases, "keep files and notes in a vault that the server cannot read")
}
