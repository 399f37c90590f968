import Storage

/// The log's queue and state in the database.
///
/// Only the tiles and the checkpoint are published.
struct LogStore {
    let transaction: Transaction

    /// An entry with what opens its commitment.
    struct Stored: Sendable {
        var position: Int64
        var type: String
        var time: Int64
        /// The entry's canonical JSON.
        var entry: String
        /// 32 bytes, base64url.
        var opening: String
        /// The record's canonical JSON.
        var record: String
    }

    /// How far the published tree reaches.
    struct Sealed: Sendable, Equatable {
        var size: Int64
        /// The signed note; empty while the tree is.
        var checkpoint: String
    }

    private static let columns = "position, type, time, entry, opening, record"

    /// Appends to the queue.
    ///
    /// Positions have no gaps: a transaction that fails takes its position back with it.
    ///
    /// - Returns: the entry's index in the tree.
    func append(account: String, _ make: (_ position: Int64) throws -> Stored) throws -> Int64 {
        let position = try nextPosition()
        let entry = try make(position)
        try transaction.execute(
            """
            INSERT INTO log_entries (position, account, type, time, entry, opening, record)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(position), .text(account), .text(entry.type), .integer(entry.time), .text(entry.entry),
                .text(entry.opening), .text(entry.record),
            ])
        transaction.remember(position + 1, as: Self.next)
        return position
    }

    /// Where the next entry goes: asked of the database once for all acts that are committed together.
    private func nextPosition() throws -> Int64 {
        if let known = transaction.remembered(Self.next) { return known }
        let row = try transaction.row("SELECT COALESCE(MAX(position), -1) + 1 AS next FROM log_entries", [])
        guard let row else { throw StoredValueError(column: "log_entries.position") }
        return try row.integer("next")
    }

    private static let next = "log_entries.position"

    /// The next entries that no checkpoint covers.
    func pending(from size: Int64, limit: Int) throws -> [Stored] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM log_entries WHERE position >= $1 ORDER BY position LIMIT $2",
            [.integer(size), .integer(Int64(limit))]
        ).map(Self.stored)
    }

    /// How many entries were ever queued.
    func count() throws -> Int64 {
        try transaction.row("SELECT COALESCE(MAX(position), -1) + 1 AS total FROM log_entries", [])?
            .integer("total") ?? 0
    }

    func find(position: Int64) throws -> Stored? {
        try transaction.row("SELECT \(Self.columns) FROM log_entries WHERE position = $1", [.integer(position)])
            .map(Self.stored)
    }

    /// What is recorded about an account, newest first.
    ///
    /// - Parameters:
    ///   - types: those of the entries, at least one; `nil` for all.
    ///   - before: the position after the page; `nil` for the first page.
    ///   - end: the last position that is looked at; `nil` for all to the end.
    func list(
        account: String, types: [String]? = nil, before: Int64? = nil, to end: Int64? = nil, limit: Int
    ) throws -> [Stored] {
        let (sql, values) = Self.page(account: account, types: types, before: before, to: end, limit: limit)
        return try transaction.rows(sql, values).map(Self.stored)
    }

    /// The statement that reads a page of what is recorded about an account, and its values.
    static func page(
        account: String, types: [String]?, before: Int64?, to end: Int64?, limit: Int
    ) -> (sql: String, values: [SQLValue]) {
        var conditions = SQLConditions()
        conditions.add("account = ?", [.text(account)])
        conditions.add("position < ?", [.integer(before ?? .max)])
        if let end { conditions.add("position >= ?", [.integer(end)]) }
        if let types { conditions.add(oneOf(types), types.map { .text($0) }) }
        let most = conditions.bind("LIMIT ?", [.integer(Int64(limit))])
        let sql = "SELECT \(columns) FROM log_entries \(conditions.clause) ORDER BY position DESC \(most)"
        return (sql, conditions.values)
    }

    /// The condition that an entry is of one of these types.
    static func oneOf(_ types: [String]) -> String { "type IN (\(types.map { _ in "?" }.joined(separator: ", ")))" }

    /// The newest entries of one type about an account.
    func list(account: String, type: String, limit: Int) throws -> [Stored] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM log_entries WHERE account = $1 AND type = $2 ORDER BY position DESC LIMIT $3
            """,
            [.text(account), .text(type), .integer(Int64(limit))]
        ).map(Self.stored)
    }

    /// Some entries; those that are not there are left out.
    func find(positions: [Int64]) throws -> [Stored] {
        var found: [Stored] = []
        // No statement has a thousand placeholders.
        for start in stride(from: 0, to: positions.count, by: 500) {
            var statement = SQLConditions()
            let part = positions[start..<min(start + 500, positions.count)]
            statement.add(
                "position IN (\(part.map { _ in "?" }.joined(separator: ", ")))", part.map { .integer($0) })
            found += try transaction.rows(
                "SELECT \(Self.columns) FROM log_entries \(statement.clause)", statement.values
            ).map(Self.stored)
        }
        return found
    }

    func sealed() throws -> Sealed {
        try transaction.row("SELECT size, checkpoint FROM log_state WHERE id = 1", []).map {
            Sealed(size: try $0.integer("size"), checkpoint: try $0.text("checkpoint"))
        } ?? Sealed(size: 0, checkpoint: "")
    }

    /// Replaces `known` with `next`.
    ///
    /// - Parameter policy: the version of the policy that `next` was signed under, 0 for none.
    /// - Returns: false, and nothing is changed, if another process has sealed in between or another policy is in
    ///   force.
    func advance(from known: Sealed, to next: Sealed, policy: Int64) throws -> Bool {
        let values = [SQLValue.integer(next.size), .text(next.checkpoint)]
        guard !known.checkpoint.isEmpty else {
            return try transaction.changes(
                "INSERT INTO log_state (id, size, checkpoint) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING", values)
                == 1
        }
        return try transaction.changes(
            """
            UPDATE log_state SET size = $1, checkpoint = $2 WHERE id = 1 AND size = $3 AND checkpoint = $4
                AND $5 = (SELECT COALESCE(MAX(version), 0) FROM log_policies)
            """,
            values + [.integer(known.size), .text(known.checkpoint), .integer(policy)]) == 1
    }

    private static func stored(_ row: Row) throws -> Stored {
        Stored(
            position: try row.integer("position"), type: try row.text("type"), time: try row.integer("time"),
            entry: try row.text("entry"), opening: try row.text("opening"), record: try row.text("record"))
    }
}
