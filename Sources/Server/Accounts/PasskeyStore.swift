import Interface
import Storage

/// Passkeys in the database.
struct PasskeyStore {
    let transaction: Transaction

    /// A passkey as stored; binary values are base64url.
    struct Stored: Codable, Sendable {
        /// The credential id.
        var id: String
        var account: String
        var name: String
        /// The public key, COSE.
        var publicKey: String
        /// What the authenticator calls its user.
        var userHandle: String
        var signCount: Int64
        var isBackupEligible: Bool
        var isBackedUp: Bool
        /// The authenticator's model.
        var aaguid: String
        var transports: [String]
        var isHardwareBound: Bool
        var created: Int64
        var lastUsed: Int64?
    }

    private static let columns =
        """
        id, account, name, public_key, user_handle, sign_count, backup_eligible, backed_up, aaguid, transports,
        hardware_bound, created, last_used
        """

    func insert(_ passkey: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO passkeys (id, account, name, public_key, user_handle, sign_count, backup_eligible, backed_up,
                aaguid, transports, hardware_bound, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            [
                .text(passkey.id), .text(passkey.account), .text(passkey.name), .text(passkey.publicKey),
                .text(passkey.userHandle), .integer(passkey.signCount), .flag(passkey.isBackupEligible),
                .flag(passkey.isBackedUp), .text(passkey.aaguid), .text(passkey.transports.joined(separator: ",")),
                .flag(passkey.isHardwareBound), .integer(passkey.created),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM passkeys WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    func list(account: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM passkeys WHERE account = $1 ORDER BY created, id", [.text(account)]
        ).map(Self.stored)
    }

    func count(account: String) throws -> Int64 {
        try transaction.row("SELECT COUNT(*) AS passkeys FROM passkeys WHERE account = $1", [.text(account)])?
            .integer("passkeys") ?? 0
    }

    /// - Returns: whether there was one.
    func rename(id: String, account: String, to name: String) throws -> Bool {
        try transaction.changes(
            "UPDATE passkeys SET name = $1 WHERE id = $2 AND account = $3", [.text(name), .text(id), .text(account)])
            > 0
    }

    func deleteAll(account: String) throws {
        try transaction.execute("DELETE FROM passkeys WHERE account = $1", [.text(account)])
    }

    /// - Returns: whether there was one.
    func delete(id: String, account: String) throws -> Bool {
        try transaction.changes(
            "DELETE FROM passkeys WHERE id = $1 AND account = $2", [.text(id), .text(account)]) > 0
    }

    /// Notes that a passkey answered.
    ///
    /// - Returns: whether its counter went up, or does not count at all; otherwise there are two of it.
    func use(id: String, signCount: Int64, isBackedUp: Bool, at time: Int64) throws -> Bool {
        try transaction.changes(
            """
            UPDATE passkeys SET sign_count = $1, backed_up = $2, last_used = $3
            WHERE id = $4 AND (sign_count < $1 OR (sign_count = 0 AND $1 = 0))
            """, [.integer(signCount), .flag(isBackedUp), .integer(time), .text(id)]) > 0
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), account: try row.text("account"), name: try row.text("name"),
            publicKey: try row.text("public_key"), userHandle: try row.text("user_handle"),
            signCount: try row.integer("sign_count"), isBackupEligible: try row.integer("backup_eligible") == 1,
            isBackedUp: try row.integer("backed_up") == 1, aaguid: try row.text("aaguid"),
            transports: try row.text("transports").split(separator: ",").map(String.init),
            isHardwareBound: try row.integer("hardware_bound") == 1, created: try row.integer("created"),
            lastUsed: try row.optionalInteger("last_used"))
    }
}

extension PasskeyStore.Stored {
    /// As its owner sees it.
    var shown: Passkey {
        Passkey(
            id: id, name: name, created: created, lastUsed: lastUsed, isBackedUp: isBackedUp, transports: transports,
            isHardwareBound: isHardwareBound)
    }

    /// As a browser is told of it.
    var descriptor: PasskeyDescriptor { PasskeyDescriptor(id: id, transports: transports) }
}

extension SQLValue {
    /// A truth value.
    static func flag(_ isTrue: Bool) -> SQLValue { .integer(isTrue ? 1 : 0) }
}
