import Interface
import Storage

/// Sessions and sign-in nonces in the database; the table of nonces is `challenges`, as version 0.3 called them.
///
/// A token's hash is stored, never the token.
struct SessionStore {
    let transaction: Transaction

    /// A session as stored.
    struct Stored {
        var id: String
        var account: String
        /// The device that it belongs to, if it belongs to one.
        var device: String?
        /// The credential id of the passkey that it began with.
        var passkey: String?
        var created: Int64
        var expires: Int64
        /// Until when it counts as confirmed.
        var confirmed: Int64?
        /// Until when it is open, if somebody has to say so again and again.
        var held: Int64?
    }

    private static let columns = "id, account, device, passkey, created, expires, confirmed, held_until"

    func insert(_ session: Stored, tokenHash: String) throws {
        try transaction.execute(
            """
            INSERT INTO sessions (token_hash, id, account, device, passkey, created, expires, confirmed, failures)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0)
            """,
            [
                .text(tokenHash), .text(session.id), .text(session.account), .optional(session.device),
                .optional(session.passkey), .integer(session.created), .integer(session.expires),
                .optional(session.confirmed),
            ])
    }

    /// The session with a token, expired or not.
    func find(tokenHash: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM sessions WHERE token_hash = $1", [.text(tokenHash)]
        ).map(Self.stored)
    }

    /// Whether a session of an account has neither ended nor expired, and is not locked.
    func isOpen(id: String, account: String, now: Int64) throws -> Bool {
        try transaction.row(
            """
            SELECT id FROM sessions
            WHERE id = $1 AND account = $2 AND expires > $3 AND (held_until IS NULL OR held_until >= $3)
            """, [.text(id), .text(account), .integer(now)]) != nil
    }

    /// Whether a session has neither ended nor expired, locked or not.
    func exists(id: String, now: Int64) throws -> Bool {
        try transaction.row(
            "SELECT id FROM sessions WHERE id = $1 AND expires > $2", [.text(id), .integer(now)]) != nil
    }

    /// The credential id of the passkey that a session began with, if it did.
    func passkey(ofSession id: String) throws -> String? {
        try transaction.row("SELECT passkey FROM sessions WHERE id = $1", [.text(id)])?.optionalText("passkey")
    }

    func list(account: String, now: Int64) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM sessions WHERE account = $1 AND expires > $2
            ORDER BY created, id
            """, [.text(account), .integer(now)]
        ).map(Self.stored)
    }

    /// Ends one session of an account.
    ///
    /// - Returns: whether there was one.
    func delete(id: String, account: String) throws -> Bool {
        try transaction.changes(
            "DELETE FROM sessions WHERE id = $1 AND account = $2", [.text(id), .text(account)]) > 0
    }

    /// Notes that the person was there; failures are counted from zero again.
    func confirm(id: String, until time: Int64) throws {
        try transaction.execute(
            "UPDATE sessions SET confirmed = $1, failures = 0 WHERE id = $2", [.integer(time), .text(id)])
    }

    /// Says until when a session is open; from then on it is locked, and not before it was said the first time.
    func hold(id: String, until time: Int64) throws {
        try transaction.execute(
            "UPDATE sessions SET held_until = $1 WHERE id = $2", [.integer(time), .text(id)])
    }

    /// Counts failed user verifications.
    ///
    /// - Returns: how many there are in a row now; `nil` when there is no such session.
    func addFailures(id: String, _ count: Int64) throws -> Int64? {
        try transaction.execute(
            "UPDATE sessions SET failures = failures + $1 WHERE id = $2", [.integer(count), .text(id)])
        return try transaction.row("SELECT failures FROM sessions WHERE id = $1", [.text(id)])?.integer("failures")
    }

    /// Ends the sessions of an account that began with a passkey, except one.
    ///
    /// - Returns: their ids.
    func deleteAll(passkey: String, account: String, except session: String) throws -> [String] {
        try delete(
            try transaction.rows(
                "SELECT id FROM sessions WHERE passkey = $1 AND account = $2 AND id <> $3",
                [.text(passkey), .text(account), .text(session)]))
    }

    /// Ends the sessions of an account, except one.
    ///
    /// - Returns: their ids.
    func deleteAll(account: String, except session: String) throws -> [String] {
        try delete(
            try transaction.rows(
                "SELECT id FROM sessions WHERE account = $1 AND id <> $2", [.text(account), .text(session)]))
    }

    private func delete(_ rows: [Row]) throws -> [String] {
        let ids = try rows.map { try $0.text("id") }
        for id in ids { try transaction.execute("DELETE FROM sessions WHERE id = $1", [.text(id)]) }
        return ids
    }

    /// Ends the sessions of an account except the newest `count`.
    ///
    /// - Returns: their ids.
    func deleteOldest(account: String, keeping count: Int64) throws -> [String] {
        try delete(
            try transaction.rows(
                """
                SELECT id FROM sessions WHERE account = $1 AND id NOT IN (
                    SELECT id FROM sessions WHERE account = $1 ORDER BY created DESC, id LIMIT $2)
                """, [.text(account), .integer(count)]))
    }

    /// Ends every session of everybody.
    ///
    /// - Returns: how many there were.
    func deleteAll() throws -> Int { try transaction.changes("DELETE FROM sessions", []) }

    func deleteAll(account: String) throws {
        try transaction.execute("DELETE FROM sessions WHERE account = $1", [.text(account)])
    }

    func deleteAll(device: String) throws {
        try transaction.execute("DELETE FROM sessions WHERE device = $1", [.text(device)])
    }

    /// Removes nonces that nobody can answer any more, by their index.
    ///
    /// Ended sessions do not count, and are removed once an hour. There is no index of their ends, and looking through
    /// all of them holds up every other writer.
    func deleteExpiredNonces(now: Int64) throws {
        try transaction.execute("DELETE FROM challenges WHERE expires <= $1", [.integer(now)])
    }

    func insertNonce(nonce: String, username: String, expires: Int64) throws {
        try transaction.execute(
            "INSERT INTO challenges (nonce, username, expires) VALUES ($1, $2, $3)",
            [.text(nonce), .text(username), .integer(expires)])
    }

    /// Whether a nonce is there, for this username, and not expired.
    func hasNonce(nonce: String, username: String, now: Int64) throws -> Bool {
        try transaction.row(
            "SELECT nonce FROM challenges WHERE nonce = $1 AND username = $2 AND expires > $3",
            [.text(nonce), .text(username), .integer(now)]) != nil
    }

    /// Uses a nonce up.
    ///
    /// - Parameter bucket: must have a token; asked in the same statement, since another would wait for the database again.
    /// - Returns: whether it was there, for this username, and not expired.
    func consumeNonce(
        nonce: String, username: String, now: Int64, while bucket: TryStore.Bucket? = nil
    ) throws -> Bool {
        var statement = "DELETE FROM challenges WHERE nonce = $1 AND username = $2 AND expires > $3"
        var values: [SQLValue] = [.text(nonce), .text(username), .integer(now)]
        if let bucket {
            statement += " AND NOT EXISTS (SELECT 1 FROM tries WHERE bucket = $4 AND expires > $5)"
            values += [.text(bucket.key), .integer(bucket.emptyAfter(now: now))]
        }
        return try transaction.changes(statement, values) > 0
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), account: try row.text("account"), device: try row.optionalText("device"),
            passkey: try row.optionalText("passkey"), created: try row.integer("created"),
            expires: try row.integer("expires"), confirmed: try row.optionalInteger("confirmed"),
            held: try row.optionalInteger("held_until"))
    }
}
