import Certificates
import Encodings
import Storage

/// The organisation in the database: one row, written at set-up.
struct OrganisationStore {
    let transaction: Transaction

    /// What set-up fixed, and the certificates that are renewed.
    struct Stored: Sendable {
        var name: String
        var publicURL: String
        /// DER, base64url.
        var rootCertificate: String
        /// The main administrator's certificate, DER, base64url.
        var ownerCertificate: String
        /// The status signer's certificate, DER, base64url.
        var statusCertificate: String
        /// The desk signer's certificate, DER, base64url; empty where the root has not certified one yet.
        var deskCertificate: String
        var created: Int64
    }

    func insert(_ organisation: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO organisation
                (id, name, public_url, root_certificate, owner_certificate, status_certificate, desk_certificate,
                created)
            VALUES (1, $1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(organisation.name), .text(organisation.publicURL), .text(organisation.rootCertificate),
                .text(organisation.ownerCertificate), .text(organisation.statusCertificate),
                .text(organisation.deskCertificate), .integer(organisation.created),
            ])
    }

    /// Puts a renewed certificate in the place of the one that ends.
    ///
    /// The main administrator's is kept: it holds to its end, and a recovery has to revoke it.
    ///
    /// - Parameter certificate: DER, base64url.
    func set(_ kind: RootCertificateKind, certificate: String) throws {
        switch kind {
        case .statusSigner:
            try transaction.execute(
                "UPDATE organisation SET status_certificate = $1 WHERE id = 1", [.text(certificate)])
        case .deskSigner:
            try transaction.execute(
                "UPDATE organisation SET desk_certificate = $1 WHERE id = 1", [.text(certificate)])
        case .mainAdministrator:
            try transaction.execute(
                """
                INSERT INTO replaced_owner_certificates (certificate)
                SELECT owner_certificate FROM organisation WHERE id = 1
                """, [])
            try transaction.execute(
                "UPDATE organisation SET owner_certificate = $1 WHERE id = 1", [.text(certificate)])
        }
    }

    /// Every certificate that a main administrator has had, the newest first.
    func ownerCertificates() throws -> [Certificate] {
        try transaction.rows(
            """
            SELECT owner_certificate AS certificate FROM organisation
            UNION SELECT certificate FROM replaced_owner_certificates
            """, []
        ).map { row in
            guard let der = Base64.decode(Bytes(text: try row.text("certificate")), .url) else {
                throw StoredValueError(column: "replaced_owner_certificates.certificate")
            }
            return try Certificate.parse(der)
        }.sorted { $0.notBefore > $1.notBefore }
    }

    func find() throws -> Stored? {
        // Whatever there is: a backup is also made of tables that this version has not migrated yet.
        try transaction.row("SELECT * FROM organisation WHERE id = 1", []).map {
            Stored(
                name: try $0.text("name"), publicURL: try $0.text("public_url"),
                rootCertificate: try $0.text("root_certificate"), ownerCertificate: try $0.text("owner_certificate"),
                statusCertificate: try $0.text("status_certificate"),
                deskCertificate: (try? $0.text("desk_certificate")) ?? "", created: try $0.integer("created"))
        }
    }
}
