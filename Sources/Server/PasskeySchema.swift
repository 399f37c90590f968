import Storage

extension Schema {
    /// Passkeys, sessions that begin without a device and are confirmed, and devices that add others.
    ///
    /// An empty `accounts.passphrase` means that there is none. A session's rows in `ceremonies` end with it.
    static let passkeys = Migration(
        name: "0002-passkeys",
        statements: [
            "ALTER TABLE accounts ADD COLUMN user_handle TEXT",
            "CREATE UNIQUE INDEX accounts_user_handle ON accounts (user_handle)",
            "ALTER TABLE devices ADD COLUMN approval TEXT",
            "ALTER TABLE devices ADD COLUMN approved_by TEXT REFERENCES devices (id)",
            "ALTER TABLE requests ADD COLUMN device TEXT REFERENCES devices (id)",
            """
            CREATE TABLE new_sessions (
                token_hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts (id),
                device TEXT REFERENCES devices (id), passkey TEXT, created BIGINT NOT NULL, expires BIGINT NOT NULL,
                confirmed BIGINT, failures BIGINT NOT NULL)
            """,
            """
            INSERT INTO new_sessions (token_hash, id, account, device, created, expires, failures)
            SELECT token_hash, id, account, device, created, expires, 0 FROM sessions
            """,
            "DROP TABLE sessions",
            "ALTER TABLE new_sessions RENAME TO sessions",
            "CREATE INDEX sessions_of_account ON sessions (account)",
            """
            CREATE TABLE ceremonies (
                challenge TEXT PRIMARY KEY, purpose TEXT NOT NULL, username TEXT, user_handle TEXT,
                session TEXT REFERENCES sessions (id) ON DELETE CASCADE, expires BIGINT NOT NULL)
            """,
            "CREATE INDEX ceremonies_expires ON ceremonies (expires)",
            "CREATE INDEX ceremonies_session ON ceremonies (session)",
            """
            CREATE TABLE passkeys (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
                public_key TEXT NOT NULL, user_handle TEXT NOT NULL, sign_count BIGINT NOT NULL,
                backup_eligible BIGINT NOT NULL, backed_up BIGINT NOT NULL, aaguid TEXT NOT NULL,
                transports TEXT NOT NULL, hardware_bound BIGINT NOT NULL, created BIGINT NOT NULL, last_used BIGINT)
            """,
            "CREATE INDEX passkeys_account ON passkeys (account)",
            """
            CREATE TABLE pairings (
                id TEXT PRIMARY KEY, token_hash TEXT NOT NULL, username TEXT NOT NULL,
                account TEXT REFERENCES accounts (id), device_name TEXT NOT NULL, signing_key TEXT NOT NULL,
                encryption_key TEXT NOT NULL, passkey TEXT, passphrase TEXT, passphrase_known BIGINT NOT NULL,
                state TEXT NOT NULL, device TEXT REFERENCES devices (id), log_index BIGINT, created BIGINT NOT NULL,
                expires BIGINT NOT NULL, fetched BIGINT)
            """,
            "CREATE INDEX pairings_username ON pairings (username)",
            "CREATE INDEX pairings_expires ON pairings (expires)",
        ])
}
