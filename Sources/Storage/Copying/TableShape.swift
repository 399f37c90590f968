/// A table as the database describes it: enough to copy its rows to another database, of whichever engine.
package struct TableShape: Sendable, Equatable {
    /// A column that names a row of another table, or of its own.
    package struct Reference: Sendable, Equatable {
        /// The column here.
        package let column: String
        /// The table it points into.
        package let table: String
        /// The column there.
        package let target: String
    }

    /// The table's name.
    package let name: String
    /// Its columns, in their order.
    package let columns: [String]
    /// The columns of the primary key.
    package let key: [String]
    /// What it points to.
    package let references: [Reference]

    /// The references of a row to others of the same table.
    package var ownReferences: [Reference] { references.filter { $0.table == name } }
}

extension Transaction {
    /// All tables but the record of migrations: what is pointed to before what points to it, else by name.
    package func tables() throws(StorageError) -> [TableShape] {
        var waiting: [TableShape] = []
        for row in try rows(session.dialect.tables, []) {
            let name = try row.text("name")
            if name != Self.migrationsTable { waiting.append(try shape(of: name)) }
        }
        var ordered: [TableShape] = []
        while !waiting.isEmpty {
            let names = Set(waiting.map(\.name))
            let ready = waiting.filter { shape in
                shape.references.allSatisfy { $0.table == shape.name || !names.contains($0.table) }
            }
            guard !ready.isEmpty else { throw .statement(detail: "tables that point to each other in a ring") }
            ordered += ready
            waiting.removeAll { ready.contains($0) }
        }
        return ordered
    }

    /// The columns of a table in their order; none when there is no such table.
    package func columns(ofTable name: String) throws(StorageError) -> [String] {
        var columns: [String] = []
        for row in try rows(session.dialect.columns, [.text(name)]) { columns.append(try row.text("name")) }
        return columns
    }

    private func shape(of name: String) throws(StorageError) -> TableShape {
        let dialect = session.dialect
        let columns = try columns(ofTable: name)
        var key: [String] = []
        for row in try rows(dialect.key, [.text(name)]) { key.append(try row.text("name")) }
        guard !key.isEmpty else { throw .statement(detail: "table \(name) has no primary key") }
        var references: [TableShape.Reference] = []
        for row in try rows(dialect.references, [.text(name)]) {
            references.append(
                TableShape.Reference(
                    column: try row.text("source"), table: try row.text("target"),
                    target: try row.text("target_column")))
        }
        return TableShape(name: name, columns: columns, key: key, references: references)
    }
}

/// Where an engine keeps the description of its tables.
///
/// PostgreSQL's own catalogue: the views of the standard (`information_schema`) take it thirty times as long, for each table.
enum SQLDialect {
    case sqlite
    case postgres

    /// Gives `name`.
    var tables: String {
        switch self {
        case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        case .postgres:
            """
            SELECT CAST(relname AS TEXT) AS name FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname
            """
        }
    }

    /// Gives `name`, of the table `$1`.
    var columns: String {
        switch self {
        case .sqlite: "SELECT name FROM pragma_table_info($1) ORDER BY cid"
        case .postgres:
            """
            SELECT CAST(a.attname AS TEXT) AS name FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
            WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = $1
                AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """
        }
    }

    /// Gives `name`, of the table `$1`.
    var key: String {
        switch self {
        case .sqlite: "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk"
        case .postgres:
            """
            SELECT CAST(a.attname AS TEXT) AS name FROM pg_class t
            JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'p'
            CROSS JOIN LATERAL unnest(c.conkey) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
            WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = $1
            ORDER BY k.place
            """
        }
    }

    /// Gives `source`, `target` and `target_column`, of the table `$1`.
    var references: String {
        switch self {
        case .sqlite:
            """
            SELECT "from" AS source, "table" AS target, "to" AS target_column FROM pragma_foreign_key_list($1)
            ORDER BY id
            """
        case .postgres:
            """
            SELECT CAST(a.attname AS TEXT) AS source, CAST(other.relname AS TEXT) AS target,
                CAST(b.attname AS TEXT) AS target_column
            FROM pg_class t
            JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f'
            JOIN pg_class other ON other.oid = c.confrelid
            CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (number, target)
            JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
            JOIN pg_attribute b ON b.attrelid = other.oid AND b.attnum = k.target
            WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = $1
            ORDER BY a.attname
            """
        }
    }
}
