import Storage

extension Schema {
    /// The index along which a person's own part of the log is walked, page by page.
    static let logLists = Migration(
        name: "0011-log-lists",
        statements: [
            "CREATE INDEX log_entries_list ON log_entries (account, position)",
            "DROP INDEX log_entries_account",
        ])
}
