import Interface
import Storage

/// Requests of new devices for an older one's word, in the database: columns of the offers that they are about.
struct ApprovalHandoverStore {
    let transaction: Transaction

    /// A request as stored.
    struct Stored: Sendable {
        var state: ApprovalHandoverState
        /// What the new device calls itself.
        var name: String
        /// The new device's key, an uncompressed point, base64url.
        var key: String
        /// The key of the older device that looks at it.
        var by: String?
        /// Its signature, base64url.
        var handover: String?

        /// The request of an offer, if a device has asked.
        init?(_ row: Row) throws {
            guard let text = try row.optionalText("handover_state") else { return nil }
            guard let state = ApprovalHandoverState(rawValue: text) else {
                throw StoredValueError(column: "approval_offers.handover_state")
            }
            self.state = state
            (name, key) = (try row.text("handover_name"), try row.text("handover_key"))
            (by, handover) = (try row.optionalText("handover_by"), try row.optionalText("handover"))
        }
    }

    static let columns = "handover_state, handover_name, handover_key, handover_by, handover"

    /// A device asks; what another or the same one asked before ends, unless it was denied.
    ///
    /// - Returns: whether it could.
    func ask(_ id: String, account: String, device: String, name: String, key: String) throws -> Bool {
        try transaction.changes(
            """
            UPDATE approval_offers SET account = $1, device = $2, handover_state = 'asked', handover_name = $3,
                handover_key = $4, handover_by = NULL, handover = NULL
            WHERE id = $5 AND state = 'open' AND COALESCE(handover_state, '') <> 'denied'
            """, [.text(account), .text(device), .text(name), .text(key), .text(id)]) == 1
    }

    /// The device that asked asks no more.
    func giveUp(_ id: String, device: String) throws {
        try transaction.execute(
            """
            UPDATE approval_offers SET account = NULL, device = NULL, handover_state = NULL, handover_name = NULL,
                handover_key = NULL, handover_by = NULL, handover = NULL
            WHERE id = $1 AND device = $2 AND state = 'open' AND handover_state <> 'denied'
            """, [.text(id), .text(device)])
    }

    /// An older device looks at what this key asks; one does at a time.
    ///
    /// - Returns: whether it is this one.
    func claim(_ id: String, key: String, by older: String) throws -> Bool {
        try transaction.changes(
            """
            UPDATE approval_offers SET handover_state = 'claimed', handover_by = $1
            WHERE id = $2 AND handover_key = $3 AND state = 'open'
                AND (handover_state = 'asked' OR (handover_state = 'claimed' AND handover_by = $1))
            """, [.text(older), .text(id), .text(key)]) == 1
    }

    /// The older device that looks at it has signed.
    ///
    /// - Returns: whether it still looked at what this key asks.
    func agree(_ id: String, key: String, by older: String, handover: String) throws -> Bool {
        try transaction.changes(
            """
            UPDATE approval_offers SET handover_state = 'agreed', handover = $1
            WHERE id = $2 AND handover_key = $3 AND state = 'open' AND handover_state = 'claimed' AND handover_by = $4
            """, [.text(handover), .text(id), .text(key), .text(older)]) == 1
    }

    /// The request is refused, for this offer.
    func deny(_ id: String) throws {
        try transaction.execute(
            "UPDATE approval_offers SET handover_state = 'denied', handover = NULL WHERE id = $1", [.text(id)])
    }

    /// The offers that devices of an account ask about, oldest first.
    func waiting(account: String, now: Int64) throws -> [String] {
        try transaction.rows(
            """
            SELECT o.id FROM approval_offers o JOIN devices d ON d.id = o.device
            WHERE o.account = $1 AND o.state = 'open' AND o.expires >= $2 AND d.revoked IS NULL
                AND o.handover_state IN ('asked', 'claimed')
            ORDER BY o.created, o.id LIMIT \(Limits.listing)
            """, [.text(account), .integer(now)]
        ).map { try $0.text("id") }
    }
}
