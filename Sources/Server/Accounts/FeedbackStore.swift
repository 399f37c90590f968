import Storage

/// Feedback in the database.
struct FeedbackStore {
    let transaction: Transaction

    /// Feedback as stored.
    struct Stored: Sendable {
        var id: String
        var account: String?
        var page: String?
        var text: String
        var created: Int64
        var expires: Int64
    }

    func insert(_ feedback: Stored) throws {
        try transaction.execute(
            "INSERT INTO feedback (id, account, page, text, created, expires) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(feedback.id), .optional(feedback.account), .optional(feedback.page), .text(feedback.text),
                .integer(feedback.created), .integer(feedback.expires),
            ])
    }

    /// All of it, the newest day first: there is never much.
    func list() throws -> [Stored] {
        try transaction.rows(
            "SELECT id, account, page, text, created, expires FROM feedback ORDER BY created DESC, id", []
        ).map { row in
            Stored(
                id: try row.text("id"), account: try row.optionalText("account"), page: try row.optionalText("page"),
                text: try row.text("text"), created: try row.integer("created"), expires: try row.integer("expires"))
        }
    }

    func count() throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS feedback FROM feedback", [])?.integer("feedback") ?? 0
    }

    /// - Returns: whether it was there.
    func delete(_ id: String) throws -> Bool {
        try transaction.changes("DELETE FROM feedback WHERE id = $1", [.text(id)]) == 1
    }
}
