import Storage

/// Which links show something of a vault, in the database.
struct VaultLinkStore {
    let transaction: Transaction

    func insert(share: String, account: String) throws {
        try transaction.execute(
            "INSERT INTO vault_links (share, account) VALUES ($1, $2)", [.text(share), .text(account)])
    }

    func shares(account: String) throws -> [String] {
        try transaction.rows(
            "SELECT share FROM vault_links WHERE account = $1 ORDER BY share LIMIT \(Limits.listing)", [.text(account)]
        ).map { try $0.text("share") }
    }
}
