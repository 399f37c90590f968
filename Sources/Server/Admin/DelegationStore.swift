import Interface
import Storage

/// Administrators' certifications in the database.
struct DelegationStore {
    let transaction: Transaction

    /// A certification as stored.
    struct Stored {
        var id: String
        var account: String
        var authorityKey: String
        var state: Delegation.State
        var capabilities: [Capability]
        /// DER, base64url; empty while pending.
        var certificate: String
        /// The main administrator's certificate that it was issued under, DER, base64url; empty while pending.
        var issuer = ""
        var status: StatusPlace
        var created: Int64
        var revoked: Int64?
    }

    static let columns =
        "id, account, authority_key, state, capabilities, certificate, issuer, status_list, status_index, created, revoked"

    func insert(_ delegation: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO delegations
                (id, account, authority_key, state, capabilities, certificate, status_list, status_index, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .text(delegation.id), .text(delegation.account), .text(delegation.authorityKey),
                .text(delegation.state.rawValue), .text(Self.text(delegation.capabilities)),
                .text(delegation.certificate), .integer(delegation.status.list), .integer(delegation.status.position),
                .integer(delegation.created),
            ])
    }

    func find(id: String) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM delegations WHERE id = $1", [.text(id)]).map(Self.stored)
    }

    /// An account's certifications that were not revoked, newest first.
    ///
    /// Their certificates may have ended.
    func certified(account: String) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM delegations WHERE account = $1 AND state = 'certified'
            ORDER BY created DESC, id
            """, [.text(account)]
        ).map(Self.stored)
    }

    /// Names the issuer of certificates that were stored before issuers were: there had been one only.
    func nameIssuer(_ certificate: String) throws {
        try transaction.execute(
            "UPDATE delegations SET issuer = $1 WHERE issuer = '' AND certificate <> ''", [.text(certificate)])
    }

    /// Everybody's certifications that were not revoked.
    func certified() throws -> [Stored] {
        try transaction.rows("SELECT \(Self.columns) FROM delegations WHERE state = 'certified' ORDER BY id", []).map(
            Self.stored)
    }

    /// All certifications of one account, newest first: at most `Limits.delegationsPerAccount`.
    func list(account: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM delegations WHERE account = $1 ORDER BY created DESC, id", [.text(account)]
        ).map(Self.stored)
    }

    func update(_ delegation: Stored) throws {
        try transaction.execute(
            "UPDATE delegations SET state = $1, capabilities = $2, certificate = $3, issuer = $4, revoked = $5 WHERE id = $6",
            [
                .text(delegation.state.rawValue), .text(Self.text(delegation.capabilities)),
                .text(delegation.certificate), .text(delegation.issuer),
                delegation.revoked.map { .integer($0) } ?? .null, .text(delegation.id),
            ])
    }

    /// Removes a request that nobody has certified.
    ///
    /// - Returns: whether there was one.
    func deletePending(id: String) throws -> Bool {
        try transaction.changes("DELETE FROM delegations WHERE id = $1 AND state = 'pending'", [.text(id)]) > 0
    }

    private static func text(_ capabilities: [Capability]) -> String {
        capabilities.map(\.rawValue).joined(separator: " ")
    }

    static func stored(_ row: Row) throws -> Stored {
        guard let state = Delegation.State(rawValue: try row.text("state")) else {
            throw StoredValueError(column: "delegations.state")
        }
        return Stored(
            id: try row.text("id"), account: try row.text("account"), authorityKey: try row.text("authority_key"),
            state: state,
            capabilities: try row.text("capabilities").split(separator: " ").compactMap {
                Capability(rawValue: String($0))
            },
            certificate: try row.text("certificate"), issuer: try row.text("issuer"),
            status: StatusPlace(list: try row.integer("status_list"), position: try row.integer("status_index")),
            created: try row.integer("created"), revoked: try row.optionalInteger("revoked"))
    }
}
