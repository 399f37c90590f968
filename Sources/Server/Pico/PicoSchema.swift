import Storage

extension Schema {
    /// Wallets that sign their owner in by scanning a code, and the sessions that they began.
    ///
    /// A wallet's identity key is made for this server alone, so it links nothing with other places.
    static let pico = Migration(
        name: "pico",
        statements: [
            """
            CREATE TABLE pico_wallets (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), device TEXT REFERENCES devices (id),
                name TEXT NOT NULL, identity TEXT NOT NULL, commitment TEXT NOT NULL UNIQUE, created BIGINT NOT NULL,
                used BIGINT)
            """,
            "CREATE INDEX pico_wallets_account ON pico_wallets (account)",
            "CREATE INDEX pico_wallets_device ON pico_wallets (device)",
            """
            CREATE TABLE pico_sessions (
                session TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), wallet TEXT NOT NULL,
                expires BIGINT NOT NULL)
            """,
            "CREATE INDEX pico_sessions_wallet ON pico_sessions (wallet)",
            "CREATE INDEX pico_sessions_account ON pico_sessions (account)",
            "CREATE INDEX pico_sessions_expires ON pico_sessions (expires)",
        ])

    /// What a wallet goes with that no device has paired: the passkey or the wallet that began the session which paired it.
    ///
    /// The parent is a row of the same table, which is removed after those that it paired.
    static let picoOrigins = Migration(
        name: "pico-origins",
        statements: [
            "ALTER TABLE pico_wallets ADD COLUMN passkey TEXT", "ALTER TABLE pico_wallets ADD COLUMN parent TEXT",
            "CREATE INDEX pico_wallets_passkey ON pico_wallets (passkey)",
            "CREATE INDEX pico_wallets_parent ON pico_wallets (parent)",
        ])
}
