import Interface
import Storage

/// Requests for documents in the database.
struct RequestStore {
    let transaction: Transaction

    /// A request as stored.
    struct Stored {
        var id: String
        var type: String
        var note: String
        var state: DocumentRequest.State
        var member: String
        var administrator: String?
        var reason: String?
        /// The place reserved for the document's status, once an administrator prepares to sign.
        var status: StatusPlace?
        var document: String?
        /// The device that asked; once an administrator prepares to sign, the one that the document is for.
        var device: String?
        var created: Int64
        var changed: Int64
    }

    static let columns =
        """
        id, type, note, state, member, administrator, reason, status_list, status_index, document, device, created,
        changed
        """

    func insert(_ request: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO requests (id, type, note, state, member, device, created, changed)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(request.id), .text(request.type), .text(request.note), .text(request.state.rawValue),
                .text(request.member), .optional(request.device), .integer(request.created),
                .integer(request.changed),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM requests WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// How many requests of a member are still open.
    func countOpen(member: String) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS open FROM requests WHERE member = $1 AND state IN ('pending', 'accepted')",
            [.text(member)])?.integer("open") ?? 0
    }

    func update(_ request: Stored) throws {
        try transaction.execute(
            """
            UPDATE requests SET state = $1, administrator = $2, reason = $3, status_list = $4, status_index = $5,
                document = $6, device = $7, changed = $8
            WHERE id = $9
            """,
            [
                .text(request.state.rawValue), .optional(request.administrator), .optional(request.reason),
                .optional(request.status?.list), .optional(request.status?.position), .optional(request.document),
                .optional(request.device), .integer(request.changed), .text(request.id),
            ])
    }

    static func stored(_ row: Row) throws -> Stored {
        guard let state = DocumentRequest.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "requests.state")
        }
        return Stored(
            id: try row.text("id"), type: try row.text("type"), note: try row.text("note"), state: state,
            member: try row.text("member"), administrator: try row.optionalText("administrator"),
            reason: try row.optionalText("reason"), status: try StatusPlace(row),
            document: try row.optionalText("document"), device: try row.optionalText("device"),
            created: try row.integer("created"), changed: try row.integer("changed"))
    }
}

extension StatusPlace {
    /// The place in the columns `status_list` and `status_index`, if they are set.
    init?(_ row: Row) throws {
        guard let list = try row.optionalInteger("status_list"), let position = try row.optionalInteger("status_index")
        else { return nil }
        self.init(list: list, position: position)
    }
}

extension SQLValue {
    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func optional(_ number: Int64?) -> SQLValue { number.map { .integer($0) } ?? .null }
}
