import Storage

/// Characters that find a face-to-face check, in the database: a keyed hash for each check, of the newest ones.
struct TypedCodeStore {
    let transaction: Transaction

    /// Characters as stored.
    struct Stored {
        /// The check that they find.
        var enrolment: String
        /// The member who is checked.
        var holder: String
        /// The member's session that asked for them.
        var session: String
        var hash: String
        var expires: Int64
    }

    /// Stores characters; those before them find nothing any more, and nobody is bound to them.
    func replace(_ code: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO typed_codes (enrolment, holder, session, hash, expires) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (enrolment) DO UPDATE SET session = $3, hash = $4, expires = $5, taken_by = NULL
            """,
            [
                .text(code.enrolment), .text(code.holder), .text(code.session), .text(code.hash),
                .integer(code.expires),
            ])
    }

    /// The characters with a hash, if they still work and nobody has typed them.
    ///
    /// The search is for a keyed hash, so its time says nothing about the characters.
    func find(hash: String, now: Int64) throws -> Stored? {
        try transaction.row(
            """
            SELECT enrolment, holder, session, hash, expires FROM typed_codes
            WHERE hash = $1 AND taken_by IS NULL AND expires > $2
            """, [.text(hash), .integer(now)]
        ).map { row in
            Stored(
                enrolment: try row.text("enrolment"), holder: try row.text("holder"), session: try row.text("session"),
                hash: try row.text("hash"), expires: try row.integer("expires"))
        }
    }

    /// Uses a check's characters up, for one session.
    func take(enrolment: String, session: String) throws {
        try transaction.execute(
            "UPDATE typed_codes SET taken_by = $1 WHERE enrolment = $2", [.text(session), .text(enrolment)])
    }

    /// The session that has typed a check's newest characters.
    func taker(enrolment: String) throws -> String? {
        try transaction.row("SELECT taken_by FROM typed_codes WHERE enrolment = $1", [.text(enrolment)])?
            .optionalText("taken_by")
    }
}
