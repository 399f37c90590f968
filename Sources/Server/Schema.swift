import Storage

/// The tables, in the common subset of SQLite and PostgreSQL: text and 64-bit integers, no type that only one has.
///
/// A migration is never changed once it was released. A slice names those that are its own (``Slice``).
enum Schema {
    static let firstWing = Migration(
        name: "0001-first-wing",
        statements: [
            """
            CREATE TABLE organisation (
                id BIGINT PRIMARY KEY, name TEXT NOT NULL, public_url TEXT NOT NULL,
                root_certificate TEXT NOT NULL, owner_certificate TEXT NOT NULL,
                status_certificate TEXT NOT NULL, created BIGINT NOT NULL)
            """,
            """
            CREATE TABLE accounts (
                id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL,
                passphrase TEXT NOT NULL, verified BIGINT NOT NULL, created BIGINT NOT NULL)
            """,
            """
            CREATE TABLE devices (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
                signing_key TEXT NOT NULL UNIQUE, encryption_key TEXT NOT NULL UNIQUE, created BIGINT NOT NULL,
                revoked BIGINT)
            """,
            "CREATE INDEX devices_account ON devices (account)",
            """
            CREATE TABLE sessions (
                token_hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL REFERENCES accounts (id),
                device TEXT NOT NULL REFERENCES devices (id), created BIGINT NOT NULL, expires BIGINT NOT NULL)
            """,
            "CREATE INDEX sessions_account ON sessions (account)",
            """
            CREATE TABLE challenges (
                nonce TEXT PRIMARY KEY, username TEXT NOT NULL, expires BIGINT NOT NULL)
            """,
            "CREATE INDEX challenges_expires ON challenges (expires)",
            """
            CREATE TABLE invitations (
                id TEXT PRIMARY KEY, code_hash TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
                created_by TEXT NOT NULL REFERENCES accounts (id), created BIGINT NOT NULL,
                expires BIGINT NOT NULL, used BIGINT)
            """,
            """
            CREATE TABLE delegations (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), authority_key TEXT NOT NULL,
                state TEXT NOT NULL, capabilities TEXT NOT NULL, certificate TEXT NOT NULL,
                status_list BIGINT NOT NULL, status_index BIGINT NOT NULL, created BIGINT NOT NULL, revoked BIGINT)
            """,
            "CREATE INDEX delegations_account ON delegations (account)",
            """
            CREATE TABLE status_entries (
                list BIGINT NOT NULL, position BIGINT NOT NULL, is_certificate BIGINT NOT NULL, revoked BIGINT,
                PRIMARY KEY (list, position))
            """,
            """
            CREATE TABLE enrolments (
                id TEXT PRIMARY KEY, state TEXT NOT NULL, holder TEXT NOT NULL REFERENCES accounts (id),
                device TEXT NOT NULL REFERENCES devices (id), commitment TEXT NOT NULL, administrator TEXT,
                administrator_nonce TEXT, holder_nonce TEXT, statement TEXT, status_list BIGINT,
                status_index BIGINT, expires BIGINT NOT NULL)
            """,
            """
            CREATE TABLE requests (
                id TEXT PRIMARY KEY, type TEXT NOT NULL, note TEXT NOT NULL, state TEXT NOT NULL,
                member TEXT NOT NULL REFERENCES accounts (id), administrator TEXT, reason TEXT,
                status_list BIGINT, status_index BIGINT, document TEXT, created BIGINT NOT NULL,
                changed BIGINT NOT NULL)
            """,
            "CREATE INDEX requests_member ON requests (member)",
            "CREATE INDEX requests_state ON requests (state)",
            """
            CREATE TABLE documents (
                id TEXT PRIMARY KEY, type TEXT NOT NULL, holder TEXT NOT NULL REFERENCES accounts (id),
                device TEXT NOT NULL REFERENCES devices (id), issuer TEXT NOT NULL REFERENCES accounts (id),
                credential TEXT NOT NULL UNIQUE, status_list BIGINT NOT NULL, status_index BIGINT NOT NULL,
                size BIGINT NOT NULL, blob TEXT NOT NULL, statement TEXT NOT NULL, log_index BIGINT NOT NULL,
                issued BIGINT NOT NULL, revoked BIGINT, reason TEXT, deleted BIGINT)
            """,
            "CREATE INDEX documents_holder ON documents (holder)",
            "CREATE INDEX documents_device ON documents (device)",
            """
            CREATE TABLE shares (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id),
                document TEXT NOT NULL REFERENCES documents (id), code_hash TEXT NOT NULL, failures BIGINT NOT NULL,
                blob TEXT NOT NULL, created BIGINT NOT NULL, expires BIGINT NOT NULL, views BIGINT NOT NULL,
                maximum_views BIGINT NOT NULL, stopped BIGINT)
            """,
            "CREATE INDEX shares_account ON shares (account)",
            """
            CREATE TABLE log_entries (
                position BIGINT PRIMARY KEY, account TEXT NOT NULL, type TEXT NOT NULL, time BIGINT NOT NULL,
                entry TEXT NOT NULL, opening TEXT NOT NULL, record TEXT NOT NULL)
            """,
            "CREATE INDEX log_entries_account ON log_entries (account)",
            """
            CREATE TABLE log_state (
                id BIGINT PRIMARY KEY, size BIGINT NOT NULL, checkpoint TEXT NOT NULL)
            """,
        ])

    /// Whose signatures the log's checkpoints need, and the newest checkpoint that has them.
    static let logPolicies = Migration(
        name: "0004-log-policies",
        statements: [
            """
            CREATE TABLE log_policies (
                version BIGINT PRIMARY KEY, policy TEXT NOT NULL, statement TEXT NOT NULL, certificate TEXT NOT NULL,
                created BIGINT NOT NULL)
            """,
            "CREATE TABLE log_cosigned (id BIGINT PRIMARY KEY, size BIGINT NOT NULL, checkpoint TEXT NOT NULL)",
        ])

    /// The index that every request for a status list needs.
    static let revocations = Migration(
        name: "0003-revocations",
        statements: ["CREATE INDEX status_entries_revoked ON status_entries (list) WHERE revoked IS NOT NULL"])
}
