import Storage

extension Schema {
    /// What the hourly rules find rows by that are over.
    static let deskEnds = Migration(
        name: "hand-signatures-ends",
        statements: [
            "CREATE INDEX handovers_expires ON handovers (expires)",
            "CREATE INDEX signings_pending ON signings (created) WHERE pending IS NOT NULL",
        ])
}
