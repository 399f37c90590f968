import Storage

extension Schema {
    /// The indexes by which the hourly rules find rows that are over.
    static let documentEnds = Migration(
        name: "documents-ends",
        statements: [
            "CREATE INDEX enrolments_expires ON enrolments (expires)",
            "CREATE INDEX shares_expires ON shares (expires)",
            """
            CREATE INDEX requests_noted ON requests (changed)
            WHERE state = 'cancelled' AND (note <> '' OR reason <> '')
            """,
        ])

    /// An opening of a link is spent by who can read it, and once.
    static let shareAttempts = Migration(
        name: "documents-share-attempts",
        statements: [
            "ALTER TABLE shares ADD COLUMN key_check TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE shares ADD COLUMN attempt TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE shares ADD COLUMN attempted BIGINT NOT NULL DEFAULT 0",
        ])
}
