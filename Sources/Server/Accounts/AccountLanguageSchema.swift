import Storage

extension Schema {
    /// The language of pages that an account keeps, on all its devices; no row while it keeps none.
    static let accountLanguages = Migration(
        name: "accounts-languages",
        statements: [
            """
            CREATE TABLE account_languages (
                account TEXT PRIMARY KEY REFERENCES accounts (id), language TEXT NOT NULL)
            """
        ])
}
