import Storage

extension Schema {
    /// What the hourly rules find rows by that are over.
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
}
