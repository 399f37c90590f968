import Storage

extension Schema {
    /// Which secrets are in force, which of the main administrator's certificates issued an administrator's, and which
    /// ones the main administrator has had.
    static let keys = Migration(
        name: "0005-keys",
        statements: [
            "CREATE TABLE server_keys (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, since BIGINT NOT NULL)",
            "ALTER TABLE delegations ADD COLUMN issuer TEXT NOT NULL DEFAULT ''",
            """
            CREATE TABLE recoveries (
                code_hash TEXT PRIMARY KEY, created BIGINT NOT NULL, expires BIGINT NOT NULL, used BIGINT)
            """,
            "CREATE TABLE replaced_owner_certificates (certificate TEXT PRIMARY KEY)",
        ])
}
