import Interface
import Storage

/// Sessions and sign-in challenges in the database.
///
/// A token's hash is stored, never the token.
struct SessionStore {
    let transaction: Transaction

    /// A session as stored.
    struct Stored {
        var id: String
        var account: String
        var device: String
        var created: Int64
        var expires: Int64
    }

    func insert(_ session: Stored, tokenHash: String) throws {
        try transaction.execute(
            """
            INSERT INTO sessions (token_hash, id, account, device, created, expires) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(tokenHash), .text(session.id), .text(session.account), .text(session.device),
                .integer(session.created), .integer(session.expires),
            ])
    }

    func find(tokenHash: String, now: Int64) throws -> Stored? {
        try transaction.row(
            """
            SELECT id, account, device, created, expires FROM sessions WHERE token_hash = $1 AND expires > $2
            """, [.text(tokenHash), .integer(now)]
        ).map(Self.stored)
    }

    func list(account: String, now: Int64) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT id, account, device, created, expires FROM sessions WHERE account = $1 AND expires > $2
            ORDER BY created, id
            """, [.text(account), .integer(now)]
        ).map(Self.stored)
    }

    /// Ends one session of an account.
    ///
    /// - Returns: whether there was one.
    func delete(id: String, account: String) throws -> Bool {
        try transaction.execute(
            "DELETE FROM sessions WHERE id = $1 AND account = $2", [.text(id), .text(account)]) > 0
    }

    /// Ends the oldest sessions of an account but for the newest `count`.
    func deleteOldest(account: String, keeping count: Int64) throws {
        try transaction.execute(
            """
            DELETE FROM sessions WHERE account = $1 AND id NOT IN (
                SELECT id FROM sessions WHERE account = $1 ORDER BY created DESC, id LIMIT $2)
            """, [.text(account), .integer(count)])
    }

    func deleteAll(account: String) throws {
        try transaction.execute("DELETE FROM sessions WHERE account = $1", [.text(account)])
    }

    func deleteAll(device: String) throws {
        try transaction.execute("DELETE FROM sessions WHERE device = $1", [.text(device)])
    }

    func deleteExpired(now: Int64) throws {
        try transaction.execute("DELETE FROM sessions WHERE expires <= $1", [.integer(now)])
        try transaction.execute("DELETE FROM challenges WHERE expires <= $1", [.integer(now)])
    }

    func insertChallenge(nonce: String, username: String, expires: Int64) throws {
        try transaction.execute(
            "INSERT INTO challenges (nonce, username, expires) VALUES ($1, $2, $3)",
            [.text(nonce), .text(username), .integer(expires)])
    }

    /// Uses a challenge up.
    ///
    /// - Returns: whether it was there, for this username, and not expired.
    func consumeChallenge(nonce: String, username: String, now: Int64) throws -> Bool {
        try transaction.execute(
            "DELETE FROM challenges WHERE nonce = $1 AND username = $2 AND expires > $3",
            [.text(nonce), .text(username), .integer(now)]) > 0
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), account: try row.text("account"), device: try row.text("device"),
            created: try row.integer("created"), expires: try row.integer("expires"))
    }
}
