import Approvals
import Encodings
import Interface
import Storage

/// Services that ask for approvals, in the database.
struct ApprovalServiceStore {
    let transaction: Transaction

    /// A service as stored.
    struct Stored: Sendable {
        var info: ApprovalServiceInfo
        /// SHA-256 of its API key, base64url.
        var keyHash: String
    }

    private static let columns =
        """
        id, domain, name, key_hash, public_key, created, rotated, webhook, quorum,
        (SELECT o.public_key FROM original_services o
            WHERE o.service = approval_services.id AND o.accepted = 1) AS original_key
        """

    func insert(_ service: Stored) throws {
        let info = service.info
        try transaction.execute(
            """
            INSERT INTO approval_services (id, domain, name, key_hash, public_key, created, webhook)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(info.id), .text(info.domain), .text(info.name), .text(service.keyHash), .text(info.publicKey),
                .integer(info.created), .optional(info.webhook),
            ])
    }

    /// A service that was not removed.
    func find(id: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM approval_services WHERE id = $1 AND removed IS NULL", [.text(id)]
        ).map(Self.stored)
    }

    /// A service by its id, removed or not: what it asked goes on naming it.
    func findEver(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM approval_services WHERE id = $1", [.text(id)])
            .map(Self.stored)
    }

    func find(domain: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM approval_services WHERE domain = $1 AND removed IS NULL", [.text(domain)]
        ).map(Self.stored)
    }

    /// Those that were not removed, at most ``Limits/approvalServices``.
    func list() throws -> [ApprovalServiceInfo] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM approval_services WHERE removed IS NULL
            ORDER BY domain LIMIT \(Limits.approvalServices)
            """, []
        ).map { try Self.stored($0).info }
    }

    func count() throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM approval_services WHERE removed IS NULL", [])?
            .integer("total") ?? 0
    }

    func setKey(_ id: String, hash: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE approval_services SET key_hash = $1, rotated = $2 WHERE id = $3",
            [.text(hash), .integer(time), .text(id)])
    }

    func setWebhook(_ id: String, _ url: String?) throws {
        try transaction.execute(
            "UPDATE approval_services SET webhook = $1 WHERE id = $2", [.optional(url), .text(id)])
    }

    func setQuorum(_ id: String, _ rule: QuorumRule?) throws {
        let line = rule.map { String(decoding: $0.text, as: UTF8.self) }
        try transaction.execute(
            "UPDATE approval_services SET quorum = $1 WHERE id = $2", [.optional(line), .text(id)])
    }

    /// Removes a service: its API key opens nothing any more.
    func remove(_ id: String, at time: Int64) throws {
        try transaction.execute(
            "UPDATE approval_services SET removed = $1, key_hash = '' WHERE id = $2", [.integer(time), .text(id)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            info: ApprovalServiceInfo(
                id: try row.text("id"), domain: try row.text("domain"), name: try row.text("name"),
                publicKey: try row.text("public_key"), created: try row.integer("created"),
                rotated: try row.optionalInteger("rotated"), originalKey: try row.optionalText("original_key"),
                webhook: try row.optionalText("webhook"),
                quorum: try row.optionalText("quorum").map { try quorum($0) }),
            keyHash: try row.text("key_hash"))
    }
    /// A rule that cannot be read is an error, and never no rule.
    private static func quorum(_ line: String) throws -> ApprovalQuorum {
        guard let rule = QuorumRule(text: Bytes(text: line)) else {
            throw StoredValueError(column: "approval_services.quorum")
        }
        return ApprovalQuorum(rule)
    }
}
