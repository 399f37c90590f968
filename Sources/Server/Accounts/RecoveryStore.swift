import Storage

/// Codes that let the main administrator back in, in the database: keyed hashes, each used once.
struct RecoveryStore {
    let transaction: Transaction

    /// Stores a code's hash; those before it end.
    func insert(codeHash: String, now: Int64, expires: Int64) throws {
        try deleteAll()
        try transaction.execute(
            "INSERT INTO recoveries (code_hash, created, expires) VALUES ($1, $2, $3)",
            [.text(codeHash), .integer(now), .integer(expires)])
    }

    /// Uses a code up.
    ///
    /// - Returns: whether it was there, unused and in time.
    func consume(codeHash: String, now: Int64) throws -> Bool {
        try transaction.changes(
            "UPDATE recoveries SET used = $1 WHERE code_hash = $2 AND used IS NULL AND expires > $1",
            [.integer(now), .text(codeHash)]) > 0
    }

    /// Whether a code would do.
    func isOpen(codeHash: String, now: Int64) throws -> Bool {
        try transaction.row(
            "SELECT code_hash FROM recoveries WHERE code_hash = $1 AND used IS NULL AND expires > $2",
            [.text(codeHash), .integer(now)]) != nil
    }

    /// Whether a code that was printed can still be used.
    func hasOpen(now: Int64) throws -> Bool {
        try transaction.row(
            "SELECT code_hash FROM recoveries WHERE used IS NULL AND expires > $1", [.integer(now)]) != nil
    }

    func deleteAll() throws { try transaction.execute("DELETE FROM recoveries", []) }
}
