import Interface
import Storage

/// Failed attempts at the desk, in the database.
///
/// A client and an operator have a limited number of rows within an hour; further attempts are counted in the newest
/// one.
struct AttemptStore {
    let transaction: Transaction

    /// An attempt as it is kept.
    struct New {
        var id: String
        /// The client's id; for a person who is not registered, the hash of the number.
        var subject: String
        var act: DeskAttempt.Act
        var why: DeskAttempt.Why
        var operatorID: String
    }

    /// Keeps an attempt.
    func add(_ attempt: New, at time: Int64) throws {
        let since = time - 3_600
        // Counting has an end, however many rows there were once.
        for (column, value, limit) in [
            ("subject", attempt.subject, Limits.attemptsOfClient),
            ("operator", attempt.operatorID, Limits.attemptsOfOperator),
        ] {
            let newest = try transaction.rows(
                """
                SELECT id FROM desk_attempts WHERE \(column) = $1 AND time > $2 ORDER BY last DESC, time DESC, id LIMIT $3
                """, [.text(value), .integer(since), .integer(Int64(limit))])
            guard newest.count == limit, let last = newest.first else { continue }
            try transaction.execute(
                "UPDATE desk_attempts SET count = count + 1, last = $1 WHERE id = $2",
                [.integer(time), .text(try last.text("id"))])
            return
        }
        try transaction.execute(
            """
            INSERT INTO desk_attempts (id, subject, act, why, operator, time, last, count)
            VALUES ($1, $2, $3, $4, $5, $6, $6, 1)
            """,
            [
                .text(attempt.id), .text(attempt.subject), .text(attempt.act.rawValue), .text(attempt.why.rawValue),
                .text(attempt.operatorID), .integer(time),
            ])
    }

    func count(operatorID: String) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS total FROM desk_attempts WHERE operator = $1", [.text(operatorID)])?
            .integer("total") ?? 0
    }

    /// Forgets whose attempts they were, with them.
    func forget(subjects: [String]) throws {
        for subject in subjects {
            try transaction.execute("DELETE FROM desk_attempts WHERE subject = $1", [.text(subject)])
        }
    }
}
