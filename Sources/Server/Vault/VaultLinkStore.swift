import Storage

/// Which links show something of a vault, in the database.
struct VaultLinkStore {
    let transaction: Transaction

    func insert(share: String, account: String) throws {
        try transaction.execute(
            "INSERT INTO vault_links (share, account) VALUES ($1, $2)", [.text(share), .text(account)])
    }

    /// All of an account's.
    func all(account: String) throws -> [String] {
        try transaction.rows("SELECT share FROM vault_links WHERE account = $1 ORDER BY share", [.text(account)])
            .map { try $0.text("share") }
    }

    /// Whether a link is an account's.
    func has(_ share: String, account: String) throws -> Bool {
        try transaction.row(
            "SELECT share FROM vault_links WHERE share = $1 AND account = $2", [.text(share), .text(account)]) != nil
    }

    /// Some of an account's, for a list.
    func shares(account: String) throws -> [String] {
        try transaction.rows(
            "SELECT share FROM vault_links WHERE account = $1 ORDER BY share LIMIT \(Limits.listing)", [.text(account)]
        ).map { try $0.text("share") }
    }
}
