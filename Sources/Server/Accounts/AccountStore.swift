import Interface
import Storage

/// Accounts in the database.
struct AccountStore {
    let transaction: Transaction

    /// An account with the hash that the passphrase is checked against.
    struct Credentials {
        var account: Account
        /// `nil` when it has no passphrase.
        var passphraseHash: String?
    }

    static let columns = "id, username, name, given_name, family_name, role, verified, created"

    /// - Parameter userHandle: of its passkeys, base64url.
    func insert(_ account: Account, passphraseHash: String?, userHandle: String?) throws {
        try transaction.execute(
            """
            INSERT INTO accounts (id, username, name, role, passphrase, verified, created, user_handle, sort_name,
                given_name, family_name)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [
                .text(account.id), .text(account.username), .text(account.name), .text(account.role.rawValue),
                .text(passphraseHash ?? ""), .integer(account.isVerified ? 1 : 0), .integer(account.created),
                .optional(userHandle), .text(Self.sortName(account)), .text(account.parts?.givenName ?? ""),
                .text(account.parts?.familyName ?? ""),
            ])
        try setWords(account)
    }

    /// Since when an account is blocked, and why.
    func block(of account: String) throws -> (since: Int64, reason: String)? {
        let row = try transaction.row("SELECT blocked, blocked_reason FROM accounts WHERE id = $1", [.text(account)])
        guard let row, let since = try row.optionalInteger("blocked") else { return nil }
        return (since, try row.text("blocked_reason"))
    }

    /// Blocks an account, or with `nil` unblocks it.
    func setBlock(of account: String, since: Int64?, reason: String) throws {
        try transaction.execute(
            "UPDATE accounts SET blocked = $1, blocked_reason = $2 WHERE id = $3",
            [.optional(since), .text(reason), .text(account)])
    }

    func find(id: String) throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts WHERE id = $1", [.text(id)]).map(Self.account)
    }

    /// Some accounts, by id; those that are not there are left out.
    func find(ids: [String]) throws -> [String: Account] {
        var found: [String: Account] = [:]
        let ids = Array(Set(ids))
        // No statement has a thousand placeholders.
        for start in stride(from: 0, to: ids.count, by: 500) {
            var statement = SQLConditions()
            let part = ids[start..<min(start + 500, ids.count)]
            statement.add(
                "id IN (\(part.map { _ in "?" }.joined(separator: ", ")))", part.map { .text($0) })
            for row in try transaction.rows(
                "SELECT \(Self.columns) FROM accounts \(statement.clause)", statement.values)
            {
                let account = try Self.account(row)
                found[account.id] = account
            }
        }
        return found
    }

    /// The main administrator, once there is one.
    func owner() throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts WHERE role = 'owner'", []).map(Self.account)
    }

    func find(username: String) throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts WHERE username = $1", [.text(username)])
            .map(Self.account)
    }

    func credentials(username: String) throws -> Credentials? {
        try transaction.row(
            "SELECT \(Self.columns), passphrase FROM accounts WHERE username = $1", [.text(username)]
        ).map(Self.credentials)
    }

    func credentials(id: String) throws -> Credentials? {
        try transaction.row("SELECT \(Self.columns), passphrase FROM accounts WHERE id = $1", [.text(id)])
            .map(Self.credentials)
    }

    /// The user handle of the account for authenticators: the stored one, or `fresh`, which is then stored.
    func userHandle(id: String, orSet fresh: String) throws -> String {
        try transaction.execute(
            "UPDATE accounts SET user_handle = $1 WHERE id = $2 AND user_handle IS NULL", [.text(fresh), .text(id)])
        return try transaction.row("SELECT user_handle FROM accounts WHERE id = $1", [.text(id)])?
            .text("user_handle") ?? fresh
    }

    /// Gives the account another name.
    ///
    /// - Parameter parts: `nil` where only the whole is known.
    func rename(id: String, to name: String, parts: PersonName? = nil) throws {
        guard var account = try find(id: id) else { return }
        (account.name, account.parts) = (name, parts)
        try transaction.execute(
            "UPDATE accounts SET name = $1, given_name = $2, family_name = $3, sort_name = $4 WHERE id = $5",
            [
                .text(name), .text(parts?.givenName ?? ""), .text(parts?.familyName ?? ""),
                .text(Self.sortName(account)), .text(id),
            ])
        try setWords(account)
    }

    /// The sort key of the account: the family name first, where it is known.
    private static func sortName(_ account: Account) -> String {
        account.parts.map { SortName.of($0.familyName, $0.givenName) } ?? SortName.of(account.name)
    }

    private func setWords(_ account: Account) throws {
        try SearchWordStore(transaction: transaction).set(
            .accounts, account.id, sort: Self.sortName(account), Self.texts(account))
    }

    /// By what lists of people sort.
    static func order(_ sort: ListSort) -> ListOrder {
        ListOrder(sort: sort, column: sort == .newest ? "created" : "sort_name")
    }

    /// By what an account is found in lists.
    private static func texts(_ account: Account) -> [String] {
        // The whole name of some has no space between its parts.
        [account.parts?.givenName, account.parts?.familyName, account.name, account.username].compactMap(\.self)
    }

    /// Gives what lists find and sort people by to the accounts of a database that had none, some at a time.
    static func fillNames(in database: any Database) async throws {
        try await SearchWordStore.fill(.accounts, in: database) { last, transaction in
            let accounts = try transaction.rows(
                "SELECT \(columns) FROM accounts WHERE id > $1 ORDER BY id LIMIT 500", [.text(last)]
            ).map(account)
            return try accounts.map { account in
                let sort = account.name.isEmpty ? SortName.last : sortName(account)
                try transaction.execute(
                    "UPDATE accounts SET sort_name = $1 WHERE id = $2", [.text(sort), .text(account.id)])
                return (account.id, sort, texts(account))
            }
        }
    }

    func setPassphrase(id: String, hash: String) throws {
        try transaction.execute("UPDATE accounts SET passphrase = $1 WHERE id = $2", [.text(hash), .text(id)])
    }

    func markVerified(id: String) throws {
        try transaction.execute("UPDATE accounts SET verified = 1 WHERE id = $1", [.text(id)])
    }

    private static func credentials(_ row: Row) throws -> Credentials {
        let hash = try row.text("passphrase")
        return Credentials(account: try account(row), passphraseHash: hash.isEmpty ? nil : hash)
    }

    static func account(_ row: Row) throws -> Account {
        guard let role = Role(rawValue: try row.text("role")) else { throw StoredValueError(column: "accounts.role") }
        let parts = PersonName(givenName: try row.text("given_name"), familyName: try row.text("family_name"))
        return Account(
            id: try row.text("id"), username: try row.text("username"), name: try row.text("name"),
            parts: parts.whole.isEmpty ? nil : parts, role: role, isVerified: try row.integer("verified") == 1,
            created: try row.integer("created"))
    }
}

/// A stored value that this program would never have written.
struct StoredValueError: Error {
    let column: StaticString
}
