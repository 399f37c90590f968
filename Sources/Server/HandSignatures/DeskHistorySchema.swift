import Storage

extension Schema {
    /// Acts on clients, failed attempts, tickets of shown documents, and steps that need a key.
    static let deskHistory = Migration(
        name: "0007-desk-history",
        statements: [
            """
            CREATE TABLE client_acts (
                id TEXT PRIMARY KEY, client TEXT NOT NULL REFERENCES clients (id), kind TEXT NOT NULL,
                time BIGINT NOT NULL, operator TEXT NOT NULL REFERENCES accounts (id), template TEXT NOT NULL,
                sealed TEXT NOT NULL, log_index BIGINT NOT NULL)
            """,
            "CREATE INDEX client_acts_client ON client_acts (client, time)",
            "CREATE INDEX client_acts_operator ON client_acts (operator)",
            """
            CREATE TABLE desk_attempts (
                id TEXT PRIMARY KEY, subject TEXT NOT NULL, act TEXT NOT NULL, why TEXT NOT NULL,
                operator TEXT NOT NULL REFERENCES accounts (id), time BIGINT NOT NULL, last BIGINT NOT NULL,
                count BIGINT NOT NULL)
            """,
            "CREATE INDEX desk_attempts_subject ON desk_attempts (subject, time)",
            "CREATE INDEX desk_attempts_operator ON desk_attempts (operator, time)",
            "CREATE INDEX desk_attempts_last ON desk_attempts (last)",
            """
            CREATE TABLE signing_tickets (
                hash TEXT PRIMARY KEY, session TEXT NOT NULL, operator TEXT NOT NULL REFERENCES accounts (id),
                client TEXT NOT NULL REFERENCES clients (id), document TEXT NOT NULL, digest TEXT NOT NULL,
                capture TEXT NOT NULL, expires BIGINT NOT NULL)
            """,
            "CREATE INDEX signing_tickets_operator ON signing_tickets (operator, expires)",
            "CREATE INDEX signing_tickets_client ON signing_tickets (client)",
            "CREATE INDEX signing_tickets_expires ON signing_tickets (expires)",
            "ALTER TABLE handovers ADD COLUMN ticket TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX signings_digest ON signings (digest)",
            "CREATE TABLE desk_steps (name TEXT PRIMARY KEY, done BIGINT NOT NULL)",
        ])
}
