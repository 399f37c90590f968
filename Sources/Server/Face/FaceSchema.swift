import Storage

extension Schema {
    /// The organisation's face: one row, or none.
    ///
    /// The logo is in the row, not a blob: it is small, it changes with the rest, and every backup of the tables has
    /// it.
    static let face = Migration(
        name: "accounts-face",
        statements: [
            """
            CREATE TABLE organisation_face (
                id BIGINT PRIMARY KEY, accent TEXT NOT NULL, logo TEXT NOT NULL, logo_type TEXT NOT NULL,
                logo_digest TEXT NOT NULL, logo_width BIGINT NOT NULL, logo_height BIGINT NOT NULL,
                logo_bytes BIGINT NOT NULL, legal_notice TEXT NOT NULL, privacy TEXT NOT NULL, contact TEXT NOT NULL)
            """
        ])
}
