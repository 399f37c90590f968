import Interface
import Storage

/// Hand-overs to another device in the database, for minutes.
struct HandoverStore {
    let transaction: Transaction

    /// A hand-over as stored.
    struct Stored {
        var id: String
        var codeHash: String
        var operatorID: String
        var title: String
        var count: Int64
        var state: Handover.State
        /// The signatures made there, sealed, until the desk has taken them.
        var sealed: String?
        var device: String?
        var expires: Int64
        /// The hash of the ticket that the capture is for; empty where none is.
        var ticket: String
    }

    private static let columns = "id, code_hash, operator, title, count, state, sealed, device, expires, ticket"

    func insert(_ handover: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO handovers (id, code_hash, operator, title, count, state, expires, ticket)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(handover.id), .text(handover.codeHash), .text(handover.operatorID), .text(handover.title),
                .integer(handover.count), .text(handover.state.rawValue), .integer(handover.expires),
                .text(handover.ticket),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM handovers WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    func find(codeHash: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM handovers WHERE code_hash = $1", [.text(codeHash)])
            .map(Self.stored)
    }

    func update(_ handover: Stored) throws {
        try transaction.execute(
            "UPDATE handovers SET state = $1, sealed = $2, device = $3 WHERE id = $4",
            [
                .text(handover.state.rawValue), .optional(handover.sealed), .optional(handover.device),
                .text(handover.id),
            ])
    }

    func delete(id: String) throws {
        try transaction.execute("DELETE FROM handovers WHERE id = $1", [.text(id)])
    }

    /// Removes what is long over, and an operator's older ones: one at a time.
    func deleteOld(operatorID: String, now: Int64) throws {
        try transaction.execute(
            "DELETE FROM handovers WHERE expires < $1 OR operator = $2", [.integer(now), .text(operatorID)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = Handover.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "handovers.state")
        }
        return Stored(
            id: try row.text("id"), codeHash: try row.text("code_hash"), operatorID: try row.text("operator"),
            title: try row.text("title"), count: try row.integer("count"), state: state,
            sealed: try row.optionalText("sealed"), device: try row.optionalText("device"),
            expires: try row.integer("expires"), ticket: try row.text("ticket"))
    }
}
