import Interface
import Storage

/// Devices that ask to be added, in the database.
struct PairingStore {
    let transaction: Transaction

    /// A pairing as stored.
    struct Stored: Sendable {
        var id: String
        var tokenHash: String
        var username: String
        /// `nil` when there is no such account: nobody will ever see or endorse it.
        var account: String?
        var deviceName: String
        var signingKey: String
        var encryptionKey: String
        /// The verified passkey, JSON.
        var passkey: String?
        /// The passphrase's hash, until it is decided.
        var passphraseHash: String?
        /// Whether the passphrase is the account's.
        var isPassphraseKnown: Bool
        var state: PairingState
        /// The device, once endorsed.
        var device: String?
        /// The log's entry of the device.
        var logIndex: Int64?
        var created: Int64
        var expires: Int64
        /// When the session was fetched.
        var fetched: Int64?
    }

    private static let columns =
        """
        id, token_hash, username, account, device_name, signing_key, encryption_key, passkey, passphrase,
        passphrase_known, state, device, log_index, created, expires, fetched
        """

    func insert(_ pairing: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO pairings (id, token_hash, username, account, device_name, signing_key, encryption_key, passkey,
                passphrase, passphrase_known, state, created, expires)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            [
                .text(pairing.id), .text(pairing.tokenHash), .text(pairing.username), .optional(pairing.account),
                .text(pairing.deviceName), .text(pairing.signingKey), .text(pairing.encryptionKey),
                .optional(pairing.passkey), .optional(pairing.passphraseHash), .flag(pairing.isPassphraseKnown),
                .text(pairing.state.rawValue), .integer(pairing.created), .integer(pairing.expires),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM pairings WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// Ends the open pairings for a username except the newest `count`.
    func expireOldest(username: String, keeping count: Int64) throws {
        try transaction.execute(
            """
            UPDATE pairings SET state = 'expired', passphrase = NULL
            WHERE username = $1 AND state = 'open' AND id NOT IN (
                SELECT id FROM pairings WHERE username = $1 AND state = 'open' ORDER BY created DESC, id LIMIT $2)
            """, [.text(username), .integer(count)])
    }

    /// Notes the decision; the passphrase's hash is not kept beyond it.
    func decide(id: String, _ state: PairingState, device: String?, logIndex: Int64?) throws {
        try transaction.execute(
            "UPDATE pairings SET state = $1, device = $2, log_index = $3, passphrase = NULL WHERE id = $4",
            [.text(state.rawValue), .optional(device), .optional(logIndex), .text(id)])
    }

    func markFetched(id: String, at time: Int64) throws {
        try transaction.execute("UPDATE pairings SET fetched = $1 WHERE id = $2", [.integer(time), .text(id)])
    }

    /// Ends every pairing whose session was not fetched: its token would give one.
    func deleteOpen() throws { try transaction.execute("DELETE FROM pairings WHERE fetched IS NULL", []) }

    func deleteOpen(account: String) throws {
        try transaction.execute("DELETE FROM pairings WHERE account = $1 AND fetched IS NULL", [.text(account)])
    }

    /// Forgets pairings that have been over for long.
    func delete(expiredBefore time: Int64) throws {
        try transaction.execute("DELETE FROM pairings WHERE expires <= $1", [.integer(time)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        // Version 0.3 called them approved; its columns for endorsements have kept their names.
        let word = try row.text("state")
        guard let state = word == "approved" ? .endorsed : PairingState(rawValue: word) else {
            throw StoredValueError(column: "pairings.state")
        }
        return Stored(
            id: try row.text("id"), tokenHash: try row.text("token_hash"), username: try row.text("username"),
            account: try row.optionalText("account"), deviceName: try row.text("device_name"),
            signingKey: try row.text("signing_key"), encryptionKey: try row.text("encryption_key"),
            passkey: try row.optionalText("passkey"), passphraseHash: try row.optionalText("passphrase"),
            isPassphraseKnown: try row.integer("passphrase_known") == 1, state: state,
            device: try row.optionalText("device"), logIndex: try row.optionalInteger("log_index"),
            created: try row.integer("created"), expires: try row.integer("expires"),
            fetched: try row.optionalInteger("fetched"))
    }
}
