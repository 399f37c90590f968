import Storage

extension Schema {
    /// No time at which a compartment was made: that of the vault's own would tell the main one from a decoy.
    static let vaultTimes = Migration(
        name: "vault-times",
        statements: [
            VaultCompartmentStore.forgettingTimes,
            "ALTER TABLE vault_compartments DROP COLUMN created",
        ])
}
