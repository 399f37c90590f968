import Interface
import Storage

/// Saved filters in the database.
struct SavedFilterStore {
    let transaction: Transaction

    func insert(_ filter: SavedFilter, of account: String) throws {
        try transaction.execute(
            "INSERT INTO saved_filters (id, account, list, name, query, created) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(filter.id), .text(account), .text(filter.list), .text(filter.name), .text(filter.query),
                .integer(filter.created),
            ])
    }

    /// All of an account, the oldest first: there are never many.
    func list(of account: String) throws -> [SavedFilter] {
        try transaction.rows(
            """
            SELECT id, list, name, query, created FROM saved_filters WHERE account = $1 ORDER BY created, id
            """, [.text(account)]
        ).map { row in
            SavedFilter(
                id: try row.text("id"), list: try row.text("list"), name: try row.text("name"),
                query: try row.text("query"), created: try row.integer("created"))
        }
    }

    func rename(_ id: String, to name: String, of account: String) throws {
        try transaction.execute(
            "UPDATE saved_filters SET name = $1 WHERE id = $2 AND account = $3",
            [.text(name), .text(id), .text(account)])
    }

    func delete(_ id: String, of account: String) throws {
        try transaction.execute(
            "DELETE FROM saved_filters WHERE id = $1 AND account = $2", [.text(id), .text(account)])
    }
}
