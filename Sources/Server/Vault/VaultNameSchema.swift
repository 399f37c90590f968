import Storage

extension Schema {
    /// The ids that compartments have or had: none is given a second time.
    ///
    /// Members remember a compartment by its id. If somebody could make one with the id of a removed one, its members
    /// would take it for that of the former owner. A row does not say whose it is: the id comes from a random key.
    static let vaultNames = Migration(
        name: "vault-names",
        statements: [
            "CREATE TABLE compartment_names (id TEXT PRIMARY KEY)",
            "INSERT INTO compartment_names (id) SELECT id FROM vault_compartments",
        ])
}
