import Interface
import Storage

/// Face-to-face checks in the database.
struct EnrolmentStore {
    let transaction: Transaction

    /// A check as stored.
    struct Stored {
        var id: String
        var state: Enrolment.State
        var holder: String
        var device: String
        var commitment: String
        var administrator: String?
        var administratorNonce: String?
        var holderNonce: String?
        var statement: String?
        var status: StatusPlace?
        var expires: Int64
        var endedBy: Enrolment.Ending?
    }

    func insert(_ enrolment: Stored) throws {
        try transaction.execute(
            "INSERT INTO enrolments (id, state, holder, device, commitment, expires) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(enrolment.id), .text(enrolment.state.rawValue), .text(enrolment.holder), .text(enrolment.device),
                .text(enrolment.commitment), .integer(enrolment.expires),
            ])
    }

    /// Gives up all unfinished checks of a member, so that only the newest code works.
    ///
    /// - Returns: their ids, each with the administrator who had taken its code.
    func abandonOpen(holder: String) throws -> [(id: String, administrator: String?)] {
        let open = try transaction.rows(
            """
            SELECT id, administrator FROM enrolments
            WHERE holder = $1 AND state IN ('open', 'claimed', 'answered')
            """, [.text(holder)]
        ).map { (id: try $0.text("id"), administrator: try $0.optionalText("administrator")) }
        guard !open.isEmpty else { return [] }
        try transaction.execute(
            """
            UPDATE enrolments SET state = 'abandoned', ended_by = 'newer_code'
            WHERE holder = $1 AND state IN ('open', 'claimed', 'answered')
            """, [.text(holder)])
        return open
    }

    func find(id: String) throws -> Stored? {
        try transaction.row(
            """
            SELECT id, state, holder, device, commitment, administrator, administrator_nonce, holder_nonce, statement,
                status_list, status_index, expires, ended_by
            FROM enrolments WHERE id = $1
            """, [.text(id)]
        ).map(Self.stored)
    }

    func update(_ enrolment: Stored) throws {
        try transaction.execute(
            """
            UPDATE enrolments SET state = $1, administrator = $2, administrator_nonce = $3, holder_nonce = $4,
                statement = $5, status_list = $6, status_index = $7, ended_by = $8
            WHERE id = $9
            """,
            [
                .text(enrolment.state.rawValue), .optional(enrolment.administrator),
                .optional(enrolment.administratorNonce), .optional(enrolment.holderNonce),
                .optional(enrolment.statement), .optional(enrolment.status?.list),
                .optional(enrolment.status?.position), .optional(enrolment.endedBy?.rawValue), .text(enrolment.id),
            ])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let state = Enrolment.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "enrolments.state")
        }
        return Stored(
            id: try row.text("id"), state: state, holder: try row.text("holder"), device: try row.text("device"),
            commitment: try row.text("commitment"), administrator: try row.optionalText("administrator"),
            administratorNonce: try row.optionalText("administrator_nonce"),
            holderNonce: try row.optionalText("holder_nonce"), statement: try row.optionalText("statement"),
            status: try StatusPlace(row), expires: try row.integer("expires"),
            endedBy: try row.optionalText("ended_by").flatMap { Enrolment.Ending(rawValue: $0) })
    }
}
