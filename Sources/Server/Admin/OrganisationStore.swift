import Certificates
import Encodings
import Storage

/// The organisation in the database: one row, written at set-up, and its certificates, a row each.
struct OrganisationStore {
    let transaction: Transaction

    /// The facts that set-up fixed, the name, and the certificates in use.
    struct Stored: Sendable {
        var name: String
        var publicURL: String
        /// DER, base64url.
        var rootCertificate: String
        /// Those that the root has issued, DER, base64url; none of a kind that it has not certified yet.
        var certificates: [RootCertificateKind: String]
        var created: Int64
    }

    /// How the root's own certificate is called among the kinds.
    private static let root = "root"

    func insert(_ organisation: Stored) throws {
        try transaction.execute(
            "INSERT INTO organisation (id, name, public_url, created) VALUES (1, $1, $2, $3)",
            [.text(organisation.name), .text(organisation.publicURL), .integer(organisation.created)])
        try insert(Self.root, organisation.rootCertificate)
        for (kind, certificate) in organisation.certificates { try insert(kind.rawValue, certificate) }
    }

    /// Replaces the certificate that ends with a renewed one.
    ///
    /// The old one is kept: it holds to its end, and a recovery has to revoke the main administrator's.
    ///
    /// - Parameter certificate: DER, base64url.
    func set(_ kind: RootCertificateKind, certificate: String) throws {
        try transaction.execute(
            "UPDATE organisation_certificates SET is_current = 0 WHERE kind = $1 AND is_current = 1",
            [.text(kind.rawValue)])
        try insert(kind.rawValue, certificate)
    }

    /// What people call it, from the last change on; nil before set-up.
    func name() throws -> String? {
        try transaction.row("SELECT name FROM organisation WHERE id = 1", [])?.text("name")
    }

    /// Its certificates keep the name that set-up gave.
    func rename(_ name: String) throws {
        try transaction.execute("UPDATE organisation SET name = $1 WHERE id = 1", [.text(name)])
    }

    private func insert(_ kind: String, _ certificate: String) throws {
        try transaction.execute(
            "INSERT INTO organisation_certificates (certificate, kind, is_current) VALUES ($1, $2, 1)",
            [.text(certificate), .text(kind)])
    }

    /// Every certificate of a kind that there has been, the newest first.
    func all(_ kind: RootCertificateKind) throws -> [Certificate] {
        try transaction.rows(
            "SELECT certificate FROM organisation_certificates WHERE kind = $1", [.text(kind.rawValue)]
        ).map { try Certificate.parse(try Stored.bytes(try $0.text("certificate"))) }
            .sorted { $0.notBefore > $1.notBefore }
    }

    func find() throws -> Stored? {
        // Takes the columns as they are: a backup is also made of tables that this version has not migrated yet.
        guard let row = try transaction.row("SELECT * FROM organisation WHERE id = 1", []) else { return nil }
        let certificates = try (try? row.text("root_certificate")) == nil ? current() : Self.columns(row)
        guard let root = certificates[Self.root] else { throw StoredValueError(column: "organisation_certificates") }
        return Stored(
            name: try row.text("name"), publicURL: try row.text("public_url"), rootCertificate: root,
            certificates: certificates.reduce(into: [:]) { found, one in
                if let kind = RootCertificateKind(rawValue: one.key) { found[kind] = one.value }
            }, created: try row.integer("created"))
    }

    /// The certificates in use, by their kinds.
    private func current() throws -> [String: String] {
        try transaction.rows("SELECT kind, certificate FROM organisation_certificates WHERE is_current = 1", [])
            .reduce(into: [:]) { $0[try $1.text("kind")] = try $1.text("certificate") }
    }

    /// The same where they were columns, until version 0.3.
    private static func columns(_ row: Row) throws -> [String: String] {
        var certificates = [
            root: try row.text("root_certificate"),
            RootCertificateKind.mainAdministrator.rawValue: try row.text("owner_certificate"),
            RootCertificateKind.statusSigner.rawValue: try row.text("status_certificate"),
        ]
        if let desk = try? row.text("desk_certificate"), !desk.isEmpty {
            certificates[RootCertificateKind.deskSigner.rawValue] = desk
        }
        return certificates
    }
}

extension OrganisationStore.Stored {
    /// The root certificate, as verifiers pin it.
    var root: TrustAnchor {
        get throws { try TrustAnchor(der: Self.bytes(rootCertificate)) }
    }

    /// The main administrator's certificate, DER, base64url.
    var ownerCertificate: String { certificates[.mainAdministrator] ?? "" }

    /// The main administrator's certificate.
    var owner: Certificate {
        get throws { try Certificate.parse(Self.bytes(ownerCertificate)) }
    }

    /// The certificate of a kind that is in use, if the root has issued one.
    func certificate(_ kind: RootCertificateKind) throws -> Certificate? {
        try certificates[kind].map { try Certificate.parse(Self.bytes($0)) }
    }

    /// DER of what is stored.
    fileprivate static func bytes(_ text: String) throws -> Bytes {
        guard let der = Base64.decode(Bytes(text: text), .url) else {
            throw StoredValueError(column: "organisation_certificates.certificate")
        }
        return der
    }
}
