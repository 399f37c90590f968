import Interface
import Storage

/// Which links show something of a vault, in the database.
struct VaultLinkStore {
    let transaction: Transaction

    func insert(share: String, account: String, created: Int64) throws {
        try transaction.execute(
            "INSERT INTO vault_links (share, account, created) VALUES ($1, $2, $3)",
            [.text(share), .text(account), .integer(created)])
    }

    /// How many of an account's can still be opened.
    func countOpen(account: String, now: Int64) throws -> Int64 {
        try transaction.row(
            """
            SELECT COUNT(*) AS open FROM vault_links l JOIN shares s ON s.id = l.share
            WHERE l.account = $1 AND s.stopped IS NULL AND s.expires > $2 AND s.views < s.maximum_views
            """, [.text(account), .integer(now)])?.integer("open") ?? 0
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

    /// One page of an account's, the newest first.
    func page(account: String, _ request: ListRequest) throws -> (rows: [String], next: ListCursor?) {
        try query(account: account).page(request, in: transaction) { try $0.text("share") }
    }

    /// An account's, the newest first.
    func query(account: String) -> KeysetStore {
        var query = KeysetStore("share", from: "vault_links", order: .newest("created"), id: "share")
        query.require("account = ?", [.text(account)])
        return query
    }
}
