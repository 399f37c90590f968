import Storage

extension Schema {
    /// Eight characters that find a face-to-face check: one row for each check, of its newest ones.
    ///
    /// `hash` is keyed, and the two sessions are named by their ids: whose they are, and who has typed them.
    static let typedCodes = Migration(
        name: "documents-typed-codes",
        statements: [
            """
            CREATE TABLE typed_codes (
                enrolment TEXT PRIMARY KEY, holder TEXT NOT NULL REFERENCES accounts (id), session TEXT NOT NULL,
                hash TEXT NOT NULL UNIQUE, expires BIGINT NOT NULL, taken_by TEXT)
            """,
            "CREATE INDEX typed_codes_expires ON typed_codes (expires)",
        ])
}
