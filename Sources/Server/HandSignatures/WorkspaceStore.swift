import Interface
import Storage

/// The desk's documents in the database.
struct WorkspaceStore {
    let transaction: Transaction

    /// A document as stored.
    struct Stored {
        var id: String
        var name: String
        var kind: WorkspaceDocument.Kind
        var version: Int64
        /// The text, or the name of the blob that holds the PDF.
        var content: String
        var changed: Int64
        var changedBy: String
    }

    private static let columns = "id, name, kind, version, content, changed, changed_by"

    func insert(_ document: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO workspace_documents (id, name, kind, version, content, changed, changed_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(document.id), .text(document.name), .text(document.kind.rawValue), .integer(document.version),
                .text(document.content), .integer(document.changed), .text(document.changedBy),
            ])
    }

    func update(_ document: Stored) throws {
        try transaction.execute(
            """
            UPDATE workspace_documents SET name = $1, kind = $2, version = $3, content = $4, changed = $5,
                changed_by = $6
            WHERE id = $7
            """,
            [
                .text(document.name), .text(document.kind.rawValue), .integer(document.version),
                .text(document.content), .integer(document.changed), .text(document.changedBy), .text(document.id),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM workspace_documents WHERE id = $1 AND deleted IS NULL", [.text(id)]
        ).map(Self.stored)
    }

    /// The last changed first.
    func list(limit: Int) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM workspace_documents WHERE deleted IS NULL ORDER BY changed DESC, id LIMIT $1
            """, [.integer(Int64(limit))]
        ).map(Self.stored)
    }

    func count() throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM workspace_documents WHERE deleted IS NULL", [])?
            .integer("total") ?? 0
    }

    /// Removes what a document says and is called; who took it away stays.
    func delete(id: String, at time: Int64, by account: String) throws {
        try transaction.execute(
            """
            UPDATE workspace_documents SET deleted = $1, changed = $1, changed_by = $2, name = '', content = ''
            WHERE id = $3
            """, [.integer(time), .text(account), .text(id)])
    }

    // MARK: What was signed

    /// Bytes that were signed: sealed in a blob, kept as long as transactions name them.
    struct SignedFile {
        /// A keyed hash of the SHA-256 of the bytes (`TemplateBox.index(ofDigest:)`).
        var digest: String
        var blob: String
        var mediaType: String
    }

    func signedFile(digest: String) throws -> SignedFile? {
        try transaction.row("SELECT digest, blob, media_type FROM signed_files WHERE digest = $1", [.text(digest)])
            .map {
                SignedFile(
                    digest: try $0.text("digest"), blob: try $0.text("blob"), mediaType: try $0.text("media_type"))
            }
    }

    func insert(_ file: SignedFile, at time: Int64) throws {
        try transaction.execute(
            "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ($1, $2, $3, $4)",
            [.text(file.digest), .text(file.blob), .text(file.mediaType), .integer(time)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let kind = WorkspaceDocument.Kind(rawValue: try row.text("kind")) else {
            throw StoredValueError(column: "workspace_documents.kind")
        }
        return Stored(
            id: try row.text("id"), name: try row.text("name"), kind: kind, version: try row.integer("version"),
            content: try row.text("content"), changed: try row.integer("changed"),
            changedBy: try row.text("changed_by"))
    }
}
