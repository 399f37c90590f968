import Storage

extension Schema {
    /// The indexes by which the hourly rules find rows that are over.
    static let deskEnds = Migration(
        name: "hand-signatures-ends",
        statements: [
            "CREATE INDEX handovers_expires ON handovers (expires)",
            "CREATE INDEX signings_pending ON signings (created) WHERE pending IS NOT NULL",
        ])
}
