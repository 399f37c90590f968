import Interface
import Storage

/// Acts on clients, in the database: rows are added, and go only with the client.
struct ClientActStore {
    let transaction: Transaction

    /// An act as stored.
    struct Stored {
        var id: String
        var client: String
        var kind: ClientHistory.Kind
        var time: Int64
        var operatorID: String
        /// The template that it made or changed.
        var template: String
        /// Who, paper, reason, device and place: `DeskAct` as canonical JSON.
        var sealed: String
        /// Its entry in the log.
        var logIndex: Int64
    }

    static let columns = "id, client, kind, time, operator, template, sealed, log_index"

    func insert(_ act: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO client_acts (id, client, kind, time, operator, template, sealed, log_index)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(act.id), .text(act.client), .text(act.kind.rawValue), .integer(act.time),
                .text(act.operatorID), .text(act.template), .text(act.sealed), .integer(act.logIndex),
            ])
    }

    /// The act that made a template.
    func enrolment(client: String, template: String) throws -> Stored? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM client_acts
            WHERE client = $1 AND template = $2 AND kind IN ('enrolled', 'reenrolled')
            """, [.text(client), .text(template)]
        ).map(Self.stored)
    }

    func count(operatorID: String) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM client_acts WHERE operator = $1", [.text(operatorID)])?
            .integer("total") ?? 0
    }

    func forget(client: String) throws {
        try transaction.execute("DELETE FROM client_acts WHERE client = $1", [.text(client)])
    }

    static func stored(_ row: Row) throws -> Stored {
        guard let kind = ClientHistory.Kind(rawValue: try row.text("kind")) else {
            throw StoredValueError(column: "client_acts.kind")
        }
        return Stored(
            id: try row.text("id"), client: try row.text("client"), kind: kind, time: try row.integer("time"),
            operatorID: try row.text("operator"), template: try row.text("template"),
            sealed: try row.text("sealed"), logIndex: try row.integer("log_index"))
    }
}
