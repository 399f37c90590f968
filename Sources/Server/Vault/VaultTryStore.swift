import Storage

/// Tries at PINs of whom the owners are told if nobody proves them in time.
///
/// The counts are not here: rows come back with an old copy of the database, and tries must not.
struct VaultTryStore {
    let transaction: Transaction

    /// The most that are told of in one transaction.
    static let together = 100

    func insert(_ id: String, account: String, due: Int64, isTold: Bool) throws {
        try transaction.execute(
            "INSERT INTO vault_tries (id, account, due, told) VALUES ($1, $2, $3, $4)",
            [.text(id), .text(account), .integer(due), .integer(isTold ? 1 : 0)])
    }

    func delete(_ id: String) throws {
        try transaction.execute("DELETE FROM vault_tries WHERE id = $1", [.text(id)])
    }

    /// Removes those whose time is over.
    ///
    /// - Returns: their accounts, and whether the owner was told of the try when it came.
    func takeDue(now: Int64) throws -> [(account: String, isTold: Bool)] {
        let due = try transaction.rows(
            "SELECT id, account, told FROM vault_tries WHERE due <= $1 ORDER BY due LIMIT $2",
            [.integer(now), .integer(Int64(Self.together))])
        for row in due { try delete(try row.text("id")) }
        return try due.map { (try $0.text("account"), try $0.integer("told") == 1) }
    }
}
