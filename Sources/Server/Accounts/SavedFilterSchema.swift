import Storage

extension Schema {
    /// Searches in lists that people make again and again: an account's own, on all its devices.
    static let savedFilters = Migration(
        name: "accounts-saved-filters",
        statements: [
            """
            CREATE TABLE saved_filters (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id), list TEXT NOT NULL,
                name TEXT NOT NULL, query TEXT NOT NULL, created BIGINT NOT NULL)
            """,
            "CREATE INDEX saved_filters_account ON saved_filters (account, created, id)",
        ])
}
