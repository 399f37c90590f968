import Storage

/// The tables of `countersign-bench storage`: as many rows to read as pgbench has at scale 1, and acts to write.
struct BenchStore {
    let transaction: Transaction

    static let rows: Int64 = 100_000

    static let migration = Migration(
        name: "bench-0001",
        statements: [
            "CREATE TABLE bench_rows (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL, filler TEXT NOT NULL)",
            "CREATE TABLE bench_acts (id TEXT PRIMARY KEY, account BIGINT NOT NULL, content TEXT NOT NULL)",
        ])

    /// Adds the rows, in one statement.
    func fill() throws {
        try transaction.execute(
            """
            INSERT INTO bench_rows (id, balance, filler)
            WITH RECURSIVE numbers (id) AS (
                SELECT CAST(0 AS BIGINT) UNION ALL SELECT id + 1 FROM numbers WHERE id + 1 < $1)
            SELECT id, 0, $2 FROM numbers
            """, [.integer(Self.rows), .text(String(repeating: "x", count: 84))])
    }

    /// What `pgbench -S` reads: one number, by its row's key.
    func balance(_ id: Int64) throws -> Int64? {
        try transaction.row("SELECT balance FROM bench_rows WHERE id = $1", [.integer(id)])?.integer("balance")
    }

    /// Writes one act, about as long as a log entry.
    func act(_ id: String, account: Int64, content: String) throws {
        try transaction.execute(
            "INSERT INTO bench_acts (id, account, content) VALUES ($1, $2, $3)",
            [.text(id), .integer(account), .text(content)])
    }
}
