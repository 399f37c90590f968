import Storage

extension Schema {
    /// What the hourly rules find rows by that are over: a walk through all sessions would hold up every other writer.
    static let accountEnds = Migration(
        name: "accounts-ends",
        statements: [
            "CREATE INDEX sessions_expires ON sessions (expires)",
            "CREATE INDEX invitations_expires ON invitations (expires)",
        ])
}
