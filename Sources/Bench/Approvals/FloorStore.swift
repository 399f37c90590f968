/// What an approval writes: an entry of the log, and the answer and the state in rows that are there.
///
/// Texts are as long as the server's.
enum FloorStore {
    static let count = 100_000
    static let entry = String(repeating: "e", count: 420)
    static let record = String(repeating: "r", count: 160)
    static let opening = String(repeating: "o", count: 43)
    static let signature = String(repeating: "s", count: 86)

    /// A durable transaction each, as the server has; and SQLite's own way to wait for other connections, so many ms.
    static let sqliteSettings = [
        "PRAGMA busy_timeout = 60000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
    ]
    /// Makes room for a further run.
    ///
    /// Rows are as they were: SQLite writes no page for a row that already has the bytes.
    static let clear = [
        "DELETE FROM floor_entries",
        """
        UPDATE floor_answers SET decision = NULL, device = NULL, signature = NULL, answered = NULL
        WHERE decision IS NOT NULL
        """,
        """
        UPDATE floor_questions SET state = 'pending', decided = NULL, signature = NULL WHERE decided IS NOT NULL
        """,
    ]
    static let tables = [
        """
        CREATE TABLE floor_entries (position BIGINT PRIMARY KEY, account TEXT NOT NULL, type TEXT NOT NULL,
            time BIGINT NOT NULL, entry TEXT NOT NULL, opening TEXT NOT NULL, record TEXT NOT NULL)
        """,
        "CREATE INDEX floor_entries_account ON floor_entries (account, position)",
        "CREATE TABLE floor_answers (id BIGINT PRIMARY KEY, decision TEXT, device TEXT, signature TEXT, answered BIGINT)",
        "CREATE TABLE floor_questions (id BIGINT PRIMARY KEY, state TEXT NOT NULL, decided BIGINT, signature TEXT)",
    ]
    static let rows = ["floor_answers (id)", "floor_questions (id, state)"].map { table in
        """
        INSERT INTO \(table)
        WITH RECURSIVE numbers (id) AS (
            SELECT CAST(0 AS BIGINT) UNION ALL SELECT id + 1 FROM numbers WHERE id + 1 < \(count))
        SELECT id\(table.hasSuffix("state)") ? ", 'pending'" : "") FROM numbers
        """
    }
    /// With the position, and the row that is changed.
    static func statements(position: String, row: String) -> [String] {
        [
            """
            INSERT INTO floor_entries (position, account, type, time, entry, opening, record)
            VALUES (\(position), 'account-of-22-letters', 'approval.given', 1800000000, '\(entry)', '\(opening)', '\(record)')
            """,
            """
            UPDATE floor_answers SET decision = 'allow', device = 'device-of-twenty-two', signature = '\(signature)',
                answered = 1800000000 WHERE id = \(row)
            """,
            """
            UPDATE floor_questions SET state = 'approved', decided = 1800000000, signature = '\(signature)'
            WHERE id = \(row)
            """,
        ]
    }
}
