import Encodings
import Storage

/// A column of text that `TemplateBox` has sealed.
struct SealedColumn: Sendable {
    let table: String
    /// The primary key, by which rows are walked.
    let key: String
    let column: String
    let content: TemplateBox.Content
    /// The column that says of what it is.
    let subject: String
    /// A column of the same row by which something sealed is found.
    var index: Index?

    /// A keyed hash of something that is sealed in the same row.
    struct Index: Sendable {
        let column: String
        /// The stored form of this plaintext under a box's secret.
        let value: @Sendable (TemplateBox, Bytes) throws -> String
    }

    init(
        _ table: String, key: String = "id", _ column: String, _ content: TemplateBox.Content,
        of subject: String = "id",
        index: Index? = nil
    ) {
        (self.table, self.key, self.column) = (table, key, column)
        (self.content, self.subject, self.index) = (content, subject, index)
    }

    /// All there are: a table that holds something sealed has its line here.
    static let all = [
        SealedColumn(
            "clients", "sealed", .clientDetails,
            index: Index(column: "number_hash") { box, plaintext in
                box.hash(ofNumber: try ClientDetails(plaintext).number)
            }),
        SealedColumn("client_templates", key: "client", "sealed", .template, of: "id"),
        SealedColumn("signings", "sealed", .evidence), SealedColumn("signings", "pending", .capture),
        SealedColumn("signings", "decision", .decision), SealedColumn("handovers", "sealed", .handover),
        SealedColumn("client_acts", "sealed", .clientAct),
    ]
}

/// A column that names a blob which `TemplateBox` has sealed.
struct SealedBlob: Sendable {
    let table: String
    let key: String
    let column: String
    let content: TemplateBox.Content
    /// The column that says of what it is; the blob's own name when it is ``column``.
    let subject: String
    /// Which rows name one.
    let condition: String
    /// Whether the key is the keyed hash of a signed file's digest.
    var isFoundByDigest = false

    static let all = [
        SealedBlob(
            table: "signed_files", key: "digest", column: "blob", content: .signedFile, subject: "digest",
            condition: "blob <> ''", isFoundByDigest: true),
        SealedBlob(
            table: "workspace_documents", key: "id", column: "content", content: .workspaceFile, subject: "content",
            condition: "kind = 'pdf' AND deleted IS NULL"),
    ]
}

/// Everything that is sealed in the database.
struct SealedStore {
    let transaction: Transaction

    /// One sealed value.
    struct Row: Sendable {
        let key: String
        let subject: String
        /// The sealed text, or the blob's name.
        let value: String
        let index: String?

        /// The row of a blob as a line, for what has to wait.
        var line: Bytes { JSON.array([key, subject, value].map(JSON.text)).serialized() }
    }

    /// So many rows are in memory at once.
    static let batch = 64

    /// The values of a column behind a key, in the keys' order.
    func rows(_ place: SealedColumn, after key: String) throws -> [Row] {
        let index = place.index.map { ", \($0.column) AS indexed" } ?? ""
        return try transaction.rows(
            """
            SELECT \(place.key) AS place, \(place.subject) AS subject, \(place.column) AS value\(index)
            FROM \(place.table) WHERE \(place.key) > $1 AND \(place.column) IS NOT NULL AND \(place.column) <> ''
            ORDER BY \(place.key) LIMIT $2
            """, [.text(key), .integer(Int64(Self.batch))]
        ).map { row in
            Row(
                key: try row.text("place"), subject: try row.text("subject"), value: try row.text("value"),
                index: try place.index.map { _ in try row.text("indexed") })
        }
    }

    /// Replaces what was read with a sealed text, and perhaps an index.
    ///
    /// - Returns: whether the row still had it.
    func replace(_ place: SealedColumn, of row: Row, by sealed: String, index: String?) throws -> Bool {
        let changes = try transaction.changes(
            "UPDATE \(place.table) SET \(place.column) = $1 WHERE \(place.key) = $2 AND \(place.column) = $3",
            [.text(sealed), .text(row.key), .text(row.value)])
        guard changes > 0 else { return false }
        guard let index, let column = place.index?.column, let former = row.index else { return true }
        try transaction.execute(
            "UPDATE \(place.table) SET \(column) = $1 WHERE \(place.key) = $2 AND \(column) = $3",
            [.text(index), .text(row.key), .text(former)])
        return true
    }

    /// The blobs of a column behind a key, in the keys' order.
    func blobs(_ place: SealedBlob, after key: String) throws -> [Row] {
        try transaction.rows(
            """
            SELECT \(place.key) AS place, \(place.subject) AS subject, \(place.column) AS value
            FROM \(place.table) WHERE \(place.key) > $1 AND \(place.condition) ORDER BY \(place.key) LIMIT $2
            """, [.text(key), .integer(Int64(Self.batch))]
        ).map { row in
            Row(key: try row.text("place"), subject: try row.text("subject"), value: try row.text("value"), index: nil)
        }
    }

    /// The sealed evidence of a transaction in which a file was signed; `nil` when there is none any more.
    func evidence(ofFile key: String) throws -> Row? {
        try transaction.row(
            "SELECT id, sealed FROM signings WHERE digest = $1 AND sealed <> ''", [.text(key)]
        ).map { row in
            Row(key: key, subject: try row.text("id"), value: try row.text("sealed"), index: nil)
        }
    }

    /// Whether a row still names this blob.
    func still(_ place: SealedBlob, _ row: Row) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM \(place.table) WHERE \(place.key) = $1 AND \(place.column) = $2",
            [.text(row.key), .text(row.value)]) != nil
    }

    /// Has a row name another blob.
    ///
    /// - Returns: whether it still named this one.
    func replace(_ place: SealedBlob, of row: Row, by blob: String) throws -> Bool {
        try transaction.changes(
            "UPDATE \(place.table) SET \(place.column) = $1 WHERE \(place.key) = $2 AND \(place.column) = $3",
            [.text(blob), .text(row.key), .text(row.value)]) > 0
    }
}

extension SealedStore.Row {
    /// Reads what ``line`` has made.
    init(line: Bytes) throws {
        let texts = try JSON.parse(line).array ?? []
        guard texts.count == 3 else { throw StorageError.corrupt(detail: "a line of a spool") }
        let values = texts.map { String(decoding: $0.string ?? [], as: UTF8.self) }
        self.init(key: values[0], subject: values[1], value: values[2], index: nil)
    }
}
