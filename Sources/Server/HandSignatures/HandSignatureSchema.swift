import Storage

extension Schema {
    /// Clients and their templates, the desk's documents, what was signed, and what the organisation allows there.
    ///
    /// Columns named `sealed` hold what `TemplateBox` made: nothing in them can be read without the server's secret.
    static let handSignatures = Migration(
        name: "0006-hand-signatures",
        statements: [
            "ALTER TABLE organisation ADD COLUMN desk_certificate TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE accounts ADD COLUMN blocked BIGINT",
            "ALTER TABLE accounts ADD COLUMN blocked_reason TEXT NOT NULL DEFAULT ''",
            """
            CREATE TABLE clients (
                id TEXT PRIMARY KEY, number_hash TEXT NOT NULL UNIQUE, given_name TEXT NOT NULL,
                family_name TEXT NOT NULL, tool TEXT NOT NULL, sealed TEXT NOT NULL, created BIGINT NOT NULL,
                erased BIGINT)
            """,
            """
            CREATE TABLE client_templates (
                client TEXT PRIMARY KEY REFERENCES clients (id), id TEXT NOT NULL, sealed TEXT NOT NULL,
                enrolled BIGINT NOT NULL, sittings BIGINT NOT NULL)
            """,
            """
            CREATE TABLE workspace_documents (
                id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, version BIGINT NOT NULL,
                content TEXT NOT NULL, changed BIGINT NOT NULL, changed_by TEXT NOT NULL REFERENCES accounts (id),
                deleted BIGINT)
            """,
            """
            CREATE TABLE signed_files (
                digest TEXT PRIMARY KEY, blob TEXT NOT NULL, media_type TEXT NOT NULL, created BIGINT NOT NULL)
            """,
            """
            CREATE TABLE signings (
                id TEXT PRIMARY KEY, state TEXT NOT NULL, client TEXT NOT NULL REFERENCES clients (id),
                operator TEXT NOT NULL REFERENCES accounts (id), document TEXT NOT NULL, document_name TEXT NOT NULL,
                digest TEXT NOT NULL REFERENCES signed_files (digest), is_match BIGINT NOT NULL,
                created BIGINT NOT NULL, decided BIGINT, sealed TEXT NOT NULL, pending TEXT, decision TEXT,
                log_index BIGINT)
            """,
            "CREATE INDEX signings_created ON signings (created)",
            "CREATE INDEX signings_client ON signings (client, created)",
            "CREATE INDEX signings_operator ON signings (operator)",
            """
            CREATE TABLE desk_settings (
                id BIGINT PRIMARY KEY, learns BIGINT NOT NULL, takes_place BIGINT NOT NULL,
                takes_photographs BIGINT NOT NULL, forensic_key TEXT NOT NULL)
            """,
            """
            CREATE TABLE desk_models (
                tool TEXT PRIMARY KEY, model TEXT NOT NULL, rates TEXT NOT NULL, installed BIGINT NOT NULL)
            """,
            """
            CREATE TABLE handovers (
                id TEXT PRIMARY KEY, code_hash TEXT NOT NULL UNIQUE, operator TEXT NOT NULL REFERENCES accounts (id),
                title TEXT NOT NULL, count BIGINT NOT NULL, state TEXT NOT NULL, sealed TEXT, device TEXT,
                expires BIGINT NOT NULL)
            """,
        ])

    /// By which rules a client's identity number was indexed (`IdentityNumber.form`).
    static let numberIndex = Migration(
        name: "0008-number-index",
        statements: [
            "ALTER TABLE clients ADD COLUMN number_form BIGINT NOT NULL DEFAULT 1",
            "CREATE INDEX clients_number_form ON clients (number_form, created, id) WHERE number_form < 2",
        ])
}
