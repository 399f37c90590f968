import Storage

extension Schema {
    /// The indexes by which the hourly rules find rows that are over: a walk through all sessions would hold up every
    /// other writer.
    static let accountEnds = Migration(
        name: "accounts-ends",
        statements: [
            "CREATE INDEX sessions_expires ON sessions (expires)",
            "CREATE INDEX invitations_expires ON invitations (expires)",
        ])
}
