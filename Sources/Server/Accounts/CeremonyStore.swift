import Storage

/// Challenges for authenticators in the database.
///
/// Each is used once, by deleting it in the transaction of the act that it is for.
struct CeremonyStore {
    let transaction: Transaction

    /// The purpose of a challenge; it is good for nothing else.
    enum Purpose: String {
        /// The first passkey of an account, or of a device that is being paired.
        case registration
        /// One more passkey of an account.
        case addition
        case signIn = "sign_in"
        case confirmation
    }

    /// A challenge as stored.
    struct Stored: Sendable {
        /// 32 random bytes, base64url.
        var challenge: String
        var purpose: Purpose
        /// The username, at a registration.
        var username: String?
        /// The user handle of the passkey that is being made, base64url.
        var userHandle: String?
        /// The session that it belongs to, if it belongs to one.
        var session: String?
        var expires: Int64
    }

    func insert(_ ceremony: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO ceremonies (challenge, purpose, username, user_handle, session, expires)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(ceremony.challenge), .text(ceremony.purpose.rawValue), .optional(ceremony.username),
                .optional(ceremony.userHandle), .optional(ceremony.session), .integer(ceremony.expires),
            ])
    }

    func find(challenge: String) throws -> Stored? {
        try transaction.row(
            """
            SELECT challenge, purpose, username, user_handle, session, expires FROM ceremonies WHERE challenge = $1
            """, [.text(challenge)]
        ).map(Self.stored)
    }

    /// Uses a challenge up, if it is for this and not expired.
    ///
    /// - Parameter session: the session that it must belong to; `nil` when it must belong to none.
    /// - Returns: whether it was.
    func consume(_ challenge: String, purpose: Purpose, session: String?, now: Int64) throws -> Bool {
        try transaction.changes(
            """
            DELETE FROM ceremonies
            WHERE challenge = $1 AND purpose = $2 AND COALESCE(session, '') = $3 AND expires > $4
            """, [.text(challenge), .text(purpose.rawValue), .text(session ?? ""), .integer(now)]) > 0
    }

    /// How many confirmations of a session have not been answered.
    func countOpen(session: String) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS open FROM ceremonies WHERE session = $1 AND purpose = 'confirmation'",
            [.text(session)])?.integer("open") ?? 0
    }

    /// Takes the confirmations of a session that nobody answered in time.
    ///
    /// - Returns: their challenges.
    func takeExpired(session: String, now: Int64) throws -> [String] {
        let expired = try transaction.rows(
            """
            SELECT challenge FROM ceremonies
            WHERE session = $1 AND purpose = 'confirmation' AND expires <= $2
            """, [.text(session), .integer(now)]
        ).map { try $0.text("challenge") }
        for challenge in expired {
            try transaction.execute("DELETE FROM ceremonies WHERE challenge = $1", [.text(challenge)])
        }
        return expired
    }

    /// Forgets expired challenges, except confirmations: their sessions count them first.
    func deleteExpired(now: Int64) throws {
        try transaction.execute(
            "DELETE FROM ceremonies WHERE expires <= $1 AND purpose <> 'confirmation'", [.integer(now)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let purpose = Purpose(rawValue: try row.text("purpose")) else {
            throw StoredValueError(column: "ceremonies.purpose")
        }
        return Stored(
            challenge: try row.text("challenge"), purpose: purpose, username: try row.optionalText("username"),
            userHandle: try row.optionalText("user_handle"), session: try row.optionalText("session"),
            expires: try row.integer("expires"))
    }
}
