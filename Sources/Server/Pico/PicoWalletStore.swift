import EllipticCurves
import Encodings
import Interface
import Pico
import Storage

/// Paired wallets, and the sessions that they began, in the database.
struct PicoWalletStore {
    let transaction: Transaction

    /// A wallet as stored.
    struct Stored: Sendable {
        var id: String
        var account: String
        /// The device of the account that paired it, if one did.
        var device: String?
        /// Without a device: the passkey that began the session which paired it, or the wallet that did.
        var passkey: String?
        var parent: String?
        var name: String
        /// Its identity key.
        var identity: ECPublicKey
        /// Of its identity key, in hexadecimal digits.
        var commitment: String
        var created: Int64
        /// When it last signed in.
        var used: Int64?
    }

    private static let columns = "id, account, device, passkey, parent, name, identity, commitment, created, used"

    /// Those that count: not those that a revoked device paired.
    private static let counting =
        "(device IS NULL OR EXISTS (SELECT 1 FROM devices d WHERE d.id = device AND d.revoked IS NULL))"

    func insert(_ wallet: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO pico_wallets (id, account, device, passkey, parent, name, identity, commitment, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(wallet.id), .text(wallet.account), .optional(wallet.device), .optional(wallet.passkey),
                .optional(wallet.parent), .text(wallet.name), .text(wallet.identity.spki.base64URL),
                .text(wallet.commitment), .integer(wallet.created),
            ])
    }

    /// Whether the identity key was ever paired and not removed, also by a device that was revoked since.
    func isTaken(commitment: String) throws -> Bool {
        try transaction.row("SELECT id FROM pico_wallets WHERE commitment = $1", [.text(commitment)]) != nil
    }

    /// The wallet with an identity key, if it counts.
    func find(commitment: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM pico_wallets WHERE commitment = $1 AND \(Self.counting)", [.text(commitment)]
        ).map(Self.stored)
    }

    /// An account's wallet, if it counts.
    func find(id: String, account: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM pico_wallets WHERE id = $1 AND account = $2 AND \(Self.counting)",
            [.text(id), .text(account)]
        ).map(Self.stored)
    }

    /// The account's wallets that count, the newest first.
    func list(account: String) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM pico_wallets WHERE account = $1 AND \(Self.counting)
            ORDER BY created DESC, id LIMIT \(Limits.picoWallets)
            """, [.text(account)]
        ).map(Self.stored)
    }

    func count(account: String) throws -> Int64 {
        try transaction.row(
            "SELECT COUNT(*) AS wallets FROM pico_wallets WHERE account = $1 AND \(Self.counting)", [.text(account)]
        )?.integer("wallets") ?? 0
    }

    func rename(id: String, to name: String) throws {
        try transaction.execute("UPDATE pico_wallets SET name = $1 WHERE id = $2", [.text(name), .text(id)])
    }

    /// Notes that a wallet signed in, and which session began.
    func use(id: String, account: String, session: String, expires: Int64, now: Int64) throws {
        try transaction.execute("UPDATE pico_wallets SET used = $1 WHERE id = $2", [.integer(now), .text(id)])
        try transaction.execute(
            "INSERT INTO pico_sessions (session, account, wallet, expires) VALUES ($1, $2, $3, $4)",
            [.text(session), .text(account), .text(id), .integer(expires)])
    }

    /// The sessions that a wallet began, ended or not.
    func sessions(ofWallet id: String) throws -> [String] {
        try transaction.rows("SELECT session FROM pico_sessions WHERE wallet = $1", [.text(id)])
            .map { try $0.text("session") }
    }

    /// The wallet that began a session, if one did.
    func wallet(ofSession session: String) throws -> String? {
        try transaction.row("SELECT wallet FROM pico_sessions WHERE session = $1", [.text(session)])?.text("wallet")
    }

    /// The wallets that a device paired, counting or not.
    func wallets(ofDevice device: String) throws -> [String] {
        try transaction.rows("SELECT id FROM pico_wallets WHERE device = $1", [.text(device)]).map { try $0.text("id") }
    }

    /// The wallets that sessions of a passkey paired without a device.
    func wallets(ofPasskey passkey: String, account: String) throws -> [String] {
        try transaction.rows(
            "SELECT id FROM pico_wallets WHERE passkey = $1 AND account = $2", [.text(passkey), .text(account)]
        ).map { try $0.text("id") }
    }

    /// The wallets that sessions of a wallet paired.
    func wallets(ofParent wallet: String) throws -> [String] {
        try transaction.rows("SELECT id FROM pico_wallets WHERE parent = $1", [.text(wallet)]).map { try $0.text("id") }
    }

    /// Removes a wallet, and what is known of its sessions.
    func delete(id: String) throws {
        try transaction.execute("DELETE FROM pico_wallets WHERE id = $1", [.text(id)])
        try transaction.execute("DELETE FROM pico_sessions WHERE wallet = $1", [.text(id)])
    }

    /// Removes all wallets of an account, counting or not.
    func deleteAll(account: String) throws {
        try transaction.execute("DELETE FROM pico_wallets WHERE account = $1", [.text(account)])
        try transaction.execute("DELETE FROM pico_sessions WHERE account = $1", [.text(account)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let spki = Base64.decode(Bytes(text: try row.text("identity")), .url),
            let identity = try? ECPublicKey(spki: spki)
        else { throw StoredValueError(column: "pico_wallets.identity") }
        return Stored(
            id: try row.text("id"), account: try row.text("account"), device: try row.optionalText("device"),
            passkey: try row.optionalText("passkey"), parent: try row.optionalText("parent"),
            name: try row.text("name"), identity: identity, commitment: try row.text("commitment"),
            created: try row.integer("created"), used: try row.optionalInteger("used"))
    }
}

extension PicoWalletStore.Stored {
    /// As its owner sees it.
    func shown(to principal: Principal) -> PicoWallet {
        PicoWallet(
            id: id, name: name, created: created, used: used, device: device,
            own: device != nil && device == principal.device, commitment: commitment)
    }
}

extension PicoCommitment {
    /// In hexadecimal digits, as the database and the interface have it.
    var hexadecimal: String { String(decoding: Hex.encode(bytes), as: UTF8.self) }
}
