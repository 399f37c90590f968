import Storage

extension Schema {
    /// The organisation's certificates as rows, each with its kind: until here columns, a slice's among them.
    static let certificates = Migration(
        name: "accounts-certificates",
        statements: [
            """
            CREATE TABLE organisation_certificates (
                certificate TEXT PRIMARY KEY, kind TEXT NOT NULL, is_current BIGINT NOT NULL)
            """,
            "CREATE UNIQUE INDEX organisation_certificates_current ON organisation_certificates (kind) WHERE is_current = 1",
            moved("root_certificate", as: "root"), moved("owner_certificate", as: "main_administrator"),
            moved("status_certificate", as: "status_signer"),
            """
            INSERT INTO organisation_certificates (certificate, kind, is_current)
            SELECT certificate, 'main_administrator', 0 FROM replaced_owner_certificates
            WHERE certificate NOT IN (SELECT certificate FROM organisation_certificates)
            """,
            "DROP TABLE replaced_owner_certificates",
            "ALTER TABLE organisation DROP COLUMN root_certificate",
            "ALTER TABLE organisation DROP COLUMN owner_certificate",
            "ALTER TABLE organisation DROP COLUMN status_certificate",
        ])

    /// That of hand signatures, whose column an earlier migration of theirs made.
    static let deskCertificate = Migration(
        name: "hand-signatures-certificate",
        statements: [
            moved("desk_certificate", as: "desk_signer"), "ALTER TABLE organisation DROP COLUMN desk_certificate",
        ])

    private static func moved(_ column: String, as kind: String) -> String {
        """
        INSERT INTO organisation_certificates (certificate, kind, is_current)
        SELECT \(column), '\(kind)', 1 FROM organisation WHERE \(column) <> ''
        """
    }
}
