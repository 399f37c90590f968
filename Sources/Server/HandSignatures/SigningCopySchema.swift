import Storage

extension Schema {
    /// The links that show the copy of a transaction.
    ///
    /// A link takes its row with it.
    static let signingCopies = Migration(
        name: "hand-signatures-copies",
        statements: [
            """
            CREATE TABLE signing_copies (
                share TEXT PRIMARY KEY REFERENCES shares (id) ON DELETE CASCADE,
                signing TEXT NOT NULL REFERENCES signings (id))
            """,
            "CREATE INDEX signing_copies_signing ON signing_copies (signing)",
        ])
}
