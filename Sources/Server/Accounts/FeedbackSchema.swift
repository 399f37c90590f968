import Storage

extension Schema {
    /// What people tell those who run the server.
    ///
    /// A row names an account only if its owner wanted that.
    static let feedback = Migration(
        name: "accounts-feedback",
        statements: [
            """
            CREATE TABLE feedback (
                id TEXT PRIMARY KEY, account TEXT REFERENCES accounts (id), page TEXT, text TEXT NOT NULL,
                created BIGINT NOT NULL, expires BIGINT NOT NULL)
            """,
            "CREATE INDEX feedback_account ON feedback (account)",
            "CREATE INDEX feedback_expires ON feedback (expires)",
        ])
}
