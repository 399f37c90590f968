import Encodings
import Storage

/// Apps that speak version 1, and for whom they answer, in the database.
///
/// A use counts while it was not removed, and while the account's device that agreed to it is not revoked.
struct OriginalDeviceStore {
    let transaction: Transaction

    /// An app that answers for a user of a service.
    struct Use: Sendable {
        var id: String
        var service: String
        /// What the service knows the account by, base64url.
        var label: String
        var account: String
        /// The account's device that agreed.
        var device: String
        /// An uncompressed point, base64url.
        var publicKey: String
        var created: Int64

        var key: P256PublicKey? {
            Base64.decode(Bytes(text: publicKey), .url).flatMap { P256PublicKey(x963: $0) }
        }
    }

    private static let columns = "u.id, u.service, u.label, u.account, u.device, o.public_key, u.created"
    private static let active =
        """
        SELECT \(columns) FROM original_uses u JOIN original_devices o ON o.id = u.app
        JOIN devices d ON d.id = u.device WHERE u.removed IS NULL AND d.revoked IS NULL
        """

    /// The apps that may answer for a user of a service.
    func active(label: String) throws -> [Use] {
        try transaction.rows("\(Self.active) AND u.label = $1 ORDER BY u.created, u.id", [.text(label)])
            .map(Self.use)
    }

    /// The apps of an account that may answer.
    func active(account: String) throws -> [Use] {
        try transaction.rows(
            "\(Self.active) AND u.account = $1 ORDER BY u.created, u.id LIMIT \(Limits.listing)", [.text(account)]
        ).map(Self.use)
    }

    /// Whose app has, or had, this key.
    func owner(ofKey key: String) throws -> String? {
        try transaction.row("SELECT account FROM original_devices WHERE public_key = $1", [.text(key)])?
            .text("account")
    }

    /// What was stored as the app's push token; `nil` for an app that nobody enrolled.
    func token(ofKey key: String) throws -> String? {
        try transaction.row("SELECT token FROM original_devices WHERE public_key = $1", [.text(key)])?.text("token")
    }

    /// Stores an app, once for each key, and that it answers for this user.
    ///
    /// - Parameter newID: an id for its row, if it has none yet.
    func insert(_ use: Use, token: String, newID: String) throws {
        try transaction.execute(
            """
            INSERT INTO original_devices (id, account, public_key, token) VALUES ($1, $2, $3, $4)
            ON CONFLICT (public_key) DO NOTHING
            """,
            [.text(newID), .text(use.account), .text(use.publicKey), .text(token)])
        guard
            let app = try transaction.row(
                "SELECT id FROM original_devices WHERE public_key = $1", [.text(use.publicKey)])?.text("id")
        else { throw StoredValueError(column: "original_devices.public_key") }
        try setToken(token, ofKey: use.publicKey)
        // Enrolled again, it is still one app for this user.
        try transaction.execute(
            "UPDATE original_uses SET removed = $1 WHERE label = $2 AND app = $3 AND removed IS NULL",
            [.integer(use.created), .text(use.label), .text(app)])
        try transaction.execute(
            """
            INSERT INTO original_uses (id, app, service, label, account, device, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(use.id), .text(app), .text(use.service), .text(use.label), .text(use.account),
                .text(use.device), .integer(use.created),
            ])
    }

    /// Stores where pushes to the app go from now on; an app that sends no token keeps the one that it had.
    func setToken(_ token: String, ofKey key: String) throws {
        guard !token.isEmpty else { return }
        try transaction.execute(
            "UPDATE original_devices SET token = $1 WHERE public_key = $2", [.text(token), .text(key)])
    }

    /// Removes a use of an account.
    ///
    /// - Returns: the use, if it was there.
    func remove(_ id: String, account: String, at time: Int64) throws -> Use? {
        let use = try transaction.row(
            """
            SELECT \(Self.columns) FROM original_uses u JOIN original_devices o ON o.id = u.app
            WHERE u.id = $1 AND u.account = $2 AND u.removed IS NULL
            """, [.text(id), .text(account)]
        ).map(Self.use)
        guard let use else { return nil }
        try transaction.execute(
            "UPDATE original_uses SET removed = $1 WHERE id = $2", [.integer(time), .text(id)])
        return use
    }

    private static func use(_ row: Row) throws -> Use {
        Use(
            id: try row.text("id"), service: try row.text("service"), label: try row.text("label"),
            account: try row.text("account"), device: try row.text("device"), publicKey: try row.text("public_key"),
            created: try row.integer("created"))
    }
}
