import Interface
import Storage

/// Accounts in the database.
struct AccountStore {
    let transaction: Transaction

    /// An account with the hash that the passphrase is checked against.
    struct Credentials {
        var account: Account
        var passphraseHash: String
    }

    private static let columns = "id, username, name, role, verified, created"

    func insert(_ account: Account, passphraseHash: String) throws {
        try transaction.execute(
            """
            INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(account.id), .text(account.username), .text(account.name), .text(account.role.rawValue),
                .text(passphraseHash), .integer(account.isVerified ? 1 : 0), .integer(account.created),
            ])
    }

    func find(id: String) throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts WHERE id = $1", [.text(id)]).map(Self.account)
    }

    func find(username: String) throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts WHERE username = $1", [.text(username)])
            .map(Self.account)
    }

    func credentials(username: String) throws -> Credentials? {
        try transaction.row(
            "SELECT \(Self.columns), passphrase FROM accounts WHERE username = $1", [.text(username)]
        ).map { Credentials(account: try Self.account($0), passphraseHash: try $0.text("passphrase")) }
    }

    /// The newest accounts first.
    func list(limit: Int) throws -> [Account] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM accounts ORDER BY created DESC, id LIMIT $1", [.integer(Int64(limit))]
        ).map(Self.account)
    }

    func markVerified(id: String) throws {
        try transaction.execute("UPDATE accounts SET verified = 1 WHERE id = $1", [.text(id)])
    }

    private static func account(_ row: Row) throws -> Account {
        guard let role = Role(rawValue: try row.text("role")) else { throw StoredValueError(column: "accounts.role") }
        return Account(
            id: try row.text("id"), username: try row.text("username"), name: try row.text("name"), role: role,
            isVerified: try row.integer("verified") == 1, created: try row.integer("created"))
    }
}

/// A stored value that this program would never have written.
struct StoredValueError: Error {
    let column: StaticString
}
