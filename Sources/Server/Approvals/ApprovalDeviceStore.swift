import Encodings
import Interface
import Storage

/// Devices that may answer services' questions, in the database.
///
/// A device counts while it was not removed, and while the account's device whose wallet has its key is not revoked.
struct ApprovalDeviceStore {
    let transaction: Transaction

    /// A device as stored.
    struct Stored: Sendable {
        var id: String
        var service: String
        /// What the service knows the account by, base64url.
        var label: String
        var account: String
        /// The account's device whose wallet has the key.
        var device: String
        var name: String
        /// An uncompressed point, base64url.
        var publicKey: String
        /// The service's word, and its signature, base64url.
        var confirmation: String
        var signature: String
        var created: Int64

        var key: P256PublicKey? {
            Base64.decode(Bytes(text: publicKey), .url).flatMap { P256PublicKey(x963: $0) }
        }
    }

    private static let columns =
        """
        a.id, a.service, a.label, a.account, a.device, a.name, a.public_key, a.confirmation, a.confirmation_signature,
        a.created
        """
    private static let active =
        """
        SELECT \(columns) FROM approval_devices a JOIN devices d ON d.id = a.device
        WHERE a.removed IS NULL AND d.revoked IS NULL
        """

    func insert(_ device: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO approval_devices
                (id, service, label, account, device, name, public_key, confirmation, confirmation_signature, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .text(device.id), .text(device.service), .text(device.label), .text(device.account),
                .text(device.device), .text(device.name), .text(device.publicKey), .text(device.confirmation),
                .text(device.signature), .integer(device.created),
            ])
    }

    /// The devices that may answer for a user of a service.
    func active(label: String) throws -> [Stored] {
        try transaction.rows("\(Self.active) AND a.label = $1 ORDER BY a.created, a.id", [.text(label)])
            .map(Self.stored)
    }

    /// Every device that a user of a service had or has, as long as it is remembered.
    func ever(label: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM approval_devices a WHERE a.label = $1 ORDER BY a.created, a.id",
            [.text(label)]
        ).map(Self.stored)
    }

    /// The devices of an account that may answer.
    func active(account: String) throws -> [Stored] {
        try transaction.rows(
            "\(Self.active) AND a.account = $1 ORDER BY a.created, a.id LIMIT \(Limits.listing)", [.text(account)]
        ).map(Self.stored)
    }

    /// The device with this key, if it may answer.
    func active(key: String) throws -> Stored? {
        try transaction.row("\(Self.active) AND a.public_key = $1", [.text(key)]).map(Self.stored)
    }

    /// Those of some devices, by their rows, that may answer: neither they nor their owners were shut out.
    func able(_ ids: [String]) throws -> [String] {
        try transaction.rows(
            """
            SELECT a.id FROM approval_devices a JOIN devices d ON d.id = a.device JOIN accounts o ON o.id = a.account
            WHERE a.id IN (\(ApprovalChallengeStore.places(ids.count))) AND a.removed IS NULL AND d.revoked IS NULL
                AND o.blocked IS NULL
            """, ids.map { .text($0) }
        ).map { try $0.text("id") }
    }

    /// A device by its id, whether it may still answer or not.
    func findEver(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM approval_devices a WHERE a.id = $1", [.text(id)])
            .map(Self.stored)
    }

    /// Whether somebody has, or had, this key: a device, a wallet, a service or an app of version 1.
    func isTaken(key: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM approval_devices WHERE public_key = $1)
                OR EXISTS (SELECT 1 FROM devices WHERE signing_key = $1)
                OR EXISTS (SELECT 1 FROM approval_services WHERE public_key = $1)
                OR EXISTS (SELECT 1 FROM original_devices WHERE public_key = $1)
            """, [.text(key)]) != nil
    }

    /// Removes a device of an account.
    ///
    /// - Returns: whether it was there.
    func remove(_ id: String, account: String, at time: Int64) throws -> Bool {
        try transaction.changes(
            "UPDATE approval_devices SET removed = $1 WHERE id = $2 AND account = $3 AND removed IS NULL",
            [.integer(time), .text(id), .text(account)]) == 1
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            id: try row.text("id"), service: try row.text("service"), label: try row.text("label"),
            account: try row.text("account"), device: try row.text("device"), name: try row.text("name"),
            publicKey: try row.text("public_key"), confirmation: try row.text("confirmation"),
            signature: try row.text("confirmation_signature"), created: try row.integer("created"))
    }
}

extension RetentionRule.Rows {
    /// Removed devices that no receipt names any more.
    ///
    /// They are remembered for a while: whom a device answered for, nobody else becomes without the way back.
    static let removedApprovalDevices = RetentionRule.Rows(
        table: "approval_devices", key: "id",
        over: """
            removed <= $1
                AND NOT EXISTS (SELECT 1 FROM approval_prompts p WHERE p.device = approval_devices.id)
            """, time: { _ in Limits.approvalMemory })
}
