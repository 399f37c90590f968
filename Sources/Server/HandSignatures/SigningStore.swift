import Interface
import Storage

/// Transactions in the database.
struct SigningStore {
    let transaction: Transaction

    /// A transaction as stored.
    struct Stored {
        var id: String
        var state: Signing.State
        var client: String
        var operatorID: String
        var document: String
        var documentName: String
        /// A keyed hash of the SHA-256 of what was signed (`TemplateBox.index(ofDigest:)`).
        var digest: String
        var isMatch: Bool
        var created: Int64
        var decided: Int64?
        /// The evidence, sealed.
        var sealed: String
        /// The capture, sealed, until the operator has decided: only where templates learn.
        var pending: String?
        /// The record and its signature, sealed; once decided.
        var decision: String?
        var logIndex: Int64?
    }

    private static let columns = """
        id, state, client, operator, document, document_name, digest, is_match, created, decided, sealed, pending,
            decision, log_index
        """

    func insert(_ signing: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO signings
                (id, state, client, operator, document, document_name, digest, is_match, created, decided, sealed,
                pending, decision, log_index)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            [
                .text(signing.id), .text(signing.state.rawValue), .text(signing.client), .text(signing.operatorID),
                .text(signing.document), .text(signing.documentName), .text(signing.digest),
                .integer(signing.isMatch ? 1 : 0), .integer(signing.created), .optional(signing.decided),
                .text(signing.sealed), .optional(signing.pending), .optional(signing.decision),
                .optional(signing.logIndex),
            ])
    }

    /// The replacement for the name of a forgotten client's document: no index of a digest.
    private static let erased = "(erased)"

    /// Forgets what proves a client's transactions, and the documents that nobody else has signed.
    ///
    /// Nobody can confirm pending transactions any more; they are refused, without a record.
    ///
    /// - Returns: the blobs that no row names any more.
    func forget(client: String, at time: Int64) throws -> [String] {
        guard try count(client: client).count > 0 else { return [] }
        let files = try transaction.rows(
            """
            SELECT digest, blob FROM signed_files WHERE blob <> ''
                AND digest IN (SELECT digest FROM signings WHERE client = $1)
                AND NOT EXISTS (
                    SELECT 1 FROM signings WHERE signings.digest = signed_files.digest AND client <> $1)
            """, [.text(client)]
        ).map { (digest: try $0.text("digest"), blob: try $0.text("blob")) }
        try transaction.execute(
            """
            INSERT INTO signed_files (digest, blob, media_type, created) VALUES ($1, '', '', $2)
            ON CONFLICT (digest) DO NOTHING
            """, [.text(Self.erased), .integer(time)])
        try transaction.execute(
            """
            UPDATE signings SET sealed = '', pending = NULL, decision = NULL, document = '', document_name = $1,
                digest = $1, decided = COALESCE(decided, $2),
                state = CASE state WHEN 'pending' THEN 'refused' ELSE state END
            WHERE client = $3
            """, [.text(Self.erased), .integer(time), .text(client)])
        for file in files {
            try transaction.execute("DELETE FROM signed_files WHERE digest = $1", [.text(file.digest)])
        }
        return files.map(\.blob)
    }

    /// The ids of what waits for a decision about a client, the oldest first.
    func pending(client: String, limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT id FROM signings WHERE client = $1 AND state = 'pending' ORDER BY created, id LIMIT $2",
            [.text(client), .integer(Int64(limit))]
        ).map { try $0.text("id") }
    }

    /// Stores what was decided.
    func decide(_ signing: Stored) throws {
        try transaction.execute(
            """
            UPDATE signings SET state = $1, decided = $2, decision = $3, log_index = $4, pending = NULL WHERE id = $5
            """,
            [
                .text(signing.state.rawValue), .optional(signing.decided), .optional(signing.decision),
                .optional(signing.logIndex), .text(signing.id),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM signings WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// The ids of what nobody has decided in time, the oldest first.
    func lapsed(before time: Int64, limit: Int) throws -> [String] {
        try transaction.rows(
            "SELECT id FROM signings WHERE state = 'pending' AND created < $1 ORDER BY created, id LIMIT $2",
            [.integer(time), .integer(Int64(limit))]
        ).map { try $0.text("id") }
    }

    /// How many transactions a client has, and when the last one was.
    func count(client: String) throws -> (count: Int64, last: Int64?) {
        let row = try transaction.row(
            "SELECT COUNT(*) AS total, MAX(created) AS last FROM signings WHERE client = $1", [.text(client)])
        return (try row?.integer("total") ?? 0, try row?.optionalInteger("last"))
    }

    func count(operatorID: String) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM signings WHERE operator = $1", [.text(operatorID)])?
            .integer("total") ?? 0
    }

    func count(since time: Int64) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM signings WHERE created >= $1", [.integer(time)])?
            .integer("total") ?? 0
    }

    /// How many signatures of a client did not match since a time.
    func failures(client: String, since time: Int64) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS total FROM signings WHERE client = $1 AND is_match = 0 AND created >= $2",
            [.text(client), .integer(time)])?.integer("total") ?? 0
    }

    /// For each day since a time how many transactions were confirmed, and how many refused.
    func days(since time: Int64) throws -> [Int64: (confirmed: Int64, refused: Int64)] {
        var days: [Int64: (confirmed: Int64, refused: Int64)] = [:]
        for row in try transaction.rows(
            """
            SELECT created / 86400 AS day, state, COUNT(*) AS total FROM signings
            WHERE created >= $1 AND state IN ('confirmed', 'refused') GROUP BY created / 86400, state
            """, [.integer(time)])
        {
            let (day, total) = (try row.integer("day"), try row.integer("total"))
            var counts = days[day] ?? (0, 0)
            if try row.text("state") == "confirmed" { counts.confirmed = total } else { counts.refused = total }
            days[day] = counts
        }
        return days
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = Signing.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "signings.state")
        }
        return Stored(
            id: try row.text("id"), state: state, client: try row.text("client"),
            operatorID: try row.text("operator"), document: try row.text("document"),
            documentName: try row.text("document_name"), digest: try row.text("digest"),
            isMatch: try row.integer("is_match") == 1, created: try row.integer("created"),
            decided: try row.optionalInteger("decided"), sealed: try row.text("sealed"),
            pending: try row.optionalText("pending"),
            decision: try row.optionalText("decision"), logIndex: try row.optionalInteger("log_index"))
    }
}
