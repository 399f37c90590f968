import Interface
import Storage

/// Members of compartments in the database.
struct VaultMemberStore {
    let transaction: Transaction

    /// A member as stored.
    struct Stored: Sendable {
        var compartment: String
        var account: String
        /// Whose compartment it is.
        var owner: String
        var role: VaultRole
        var sealed: String
        var created: Int64
    }

    private static let columns = "compartment, account, owner, role, sealed, created"

    /// Stores a member in place of the same account's former row.
    func set(_ member: Stored) throws {
        try transaction.execute(
            """
            INSERT INTO vault_members (compartment, account, owner, role, sealed, created)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (compartment, account) DO UPDATE SET role = $4, sealed = $5, created = $6
            """,
            [
                .text(member.compartment), .text(member.account), .text(member.owner), .text(member.role.rawValue),
                .text(member.sealed), .integer(member.created),
            ])
    }

    func find(_ account: String, in compartment: String) throws -> Stored? {
        try transaction.row(
            "SELECT \(Self.columns) FROM vault_members WHERE compartment = $1 AND account = $2",
            [.text(compartment), .text(account)]
        ).map(Self.stored)
    }

    func list(compartment: String) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM vault_members WHERE compartment = $1 ORDER BY created, account",
            [.text(compartment)]
        ).map(Self.stored)
    }

    /// One page of the compartments of others that an account is a member of.
    func page(account: String, _ request: ListRequest) throws -> (rows: [Stored], next: ListCursor?) {
        try query(account: account).page(request, in: transaction, Self.stored)
    }

    /// The compartments of others that an account is a member of, the newest membership first.
    func query(account: String) -> KeysetStore {
        var query = KeysetStore(Self.columns, from: "vault_members", order: .newest("created"), id: "compartment")
        query.require("account = ?", [.text(account)])
        return query
    }

    func delete(_ account: String, in compartment: String) throws {
        try transaction.execute(
            "DELETE FROM vault_members WHERE compartment = $1 AND account = $2", [.text(compartment), .text(account)])
    }

    private static func stored(_ row: Row) throws -> Stored {
        guard let role = VaultRole(rawValue: try row.text("role")) else {
            throw StoredValueError(column: "vault_members.role")
        }
        return Stored(
            compartment: try row.text("compartment"), account: try row.text("account"), owner: try row.text("owner"),
            role: role, sealed: try row.text("sealed"), created: try row.integer("created"))
    }
}
