import Storage

extension Schema {
    /// No time at which a compartment was made: that of the vault's own would tell the main one from a decoy.
    static let vaultTimes = Migration(
        name: "vault-times",
        statements: [
            // PostgreSQL keeps the values of a column that is dropped until each row is written again.
            "UPDATE vault_compartments SET created = 0",
            "ALTER TABLE vault_compartments DROP COLUMN created",
        ])
}
