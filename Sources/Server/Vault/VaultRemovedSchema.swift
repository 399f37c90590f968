import Storage

extension Schema {
    /// How many items of each compartment were removed: their ids stay as rows, of which there is a limit.
    static let vaultRemoved = Migration(
        name: "vault-removed",
        statements: [
            "ALTER TABLE vault_compartments ADD COLUMN removed BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE vault_compartments SET removed = (
                SELECT COUNT(*) FROM vault_nodes n WHERE n.compartment = vault_compartments.id AND n.removed IS NOT NULL)
            """,
        ])
}
