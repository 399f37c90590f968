import Storage

/// Issued documents in the database: envelopes only, the sealed packages are blobs.
struct DocumentStore {
    let transaction: Transaction

    /// A document as stored.
    struct Stored {
        var id: String
        var type: String
        var holder: String
        var device: String
        var issuer: String
        /// SHA-256 of the issuer-signed JWT, base64url.
        var credential: String
        var status: StatusPlace
        var size: Int64
        var blob: String
        /// The administrator's statement of issuance.
        var statement: String
        var logIndex: Int64
        var issued: Int64
        var revoked: Int64?
        var reason: String?
        var deleted: Int64?
    }

    static let columns =
        """
        id, type, holder, device, issuer, credential, status_list, status_index, size, blob, statement, log_index,
        issued, revoked, reason, deleted
        """

    func insert(_ document: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO documents (id, type, holder, device, issuer, credential, status_list, status_index, size, blob,
                statement, log_index, issued)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .text(document.id), .text(document.type), .text(document.holder), .text(document.device),
                .text(document.issuer), .text(document.credential), .integer(document.status.list),
                .integer(document.status.position), .integer(document.size), .text(document.blob),
                .text(document.statement), .integer(document.logIndex), .integer(document.issued),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM documents WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// Documents bound to a device that are neither revoked nor deleted.
    func valid(device: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM documents WHERE device = $1 AND revoked IS NULL ORDER BY issued, id",
            [.text(device)]
        ).map(Self.stored)
    }

    /// A holder's documents that are not revoked, deleted or not.
    func valid(holder: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM documents WHERE holder = $1 AND revoked IS NULL ORDER BY issued, id",
            [.text(holder)]
        ).map(Self.stored)
    }

    func revoke(id: String, reason: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE documents SET revoked = $1, reason = $2 WHERE id = $3",
            [.integer(time), .text(reason), .text(id)])
    }

    func delete(id: String, at time: Int64) throws {
        try transaction.execute("UPDATE documents SET deleted = $1 WHERE id = $2", [.integer(time), .text(id)])
    }

    static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), type: try row.text("type"), holder: try row.text("holder"),
            device: try row.text("device"), issuer: try row.text("issuer"), credential: try row.text("credential"),
            status: StatusPlace(list: try row.integer("status_list"), position: try row.integer("status_index")),
            size: try row.integer("size"), blob: try row.text("blob"), statement: try row.text("statement"),
            logIndex: try row.integer("log_index"), issued: try row.integer("issued"),
            revoked: try row.optionalInteger("revoked"), reason: try row.optionalText("reason"),
            deleted: try row.optionalInteger("deleted"))
    }
}
