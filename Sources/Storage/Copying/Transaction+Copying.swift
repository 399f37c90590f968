/// A migration that a database says it has run.
package struct RecordedMigration: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// What was recorded of its text.
    package let digest: String

    /// A migration that a database, or a copy of one, says it has run.
    package init(name: String, digest: String) {
        self.name = name
        self.digest = digest
    }
}

extension Transaction {
    static let migrationsTable = "schema_migrations"

    /// The migrations that were run, in their order; none in an empty database.
    package func recordedMigrations() throws(StorageError) -> [RecordedMigration] {
        var names: Set<String> = []
        for row in try rows(session.dialect.tables, []) { names.insert(try row.text("name")) }
        guard names.contains(Self.migrationsTable) else { return [] }
        var recorded: [RecordedMigration] = []
        for row in try rows("SELECT name, digest FROM \(Self.migrationsTable) ORDER BY position") {
            recorded.append(RecordedMigration(name: try row.text("name"), digest: try row.text("digest")))
        }
        return recorded
    }

    /// Runs migrations in an empty database, in this order and in this transaction.
    package func migrate(_ migrations: [Migration]) throws(StorageError) {
        try MigrationRun(transaction: self).run([MigrationHistory(name: "all", migrations: migrations)])
    }

    /// How many rows a table has.
    package func count(_ table: TableShape) throws(StorageError) -> Int64 {
        try row("SELECT COUNT(*) AS total FROM \(Self.quoted(table.name))")?.integer("total") ?? 0
    }

    /// Some rows of a table in the order of its key, each with the values of its columns in their order.
    ///
    /// - Parameter last: the row after which they begin; `nil` for the first ones.
    package func page(of table: TableShape, after last: [SQLValue]?, limit: Int) throws(StorageError) -> [[SQLValue]] {
        let key = Self.list(table.key)
        var condition = ""
        var values: [SQLValue] = []
        if let last {
            for name in table.key {
                guard let index = table.columns.firstIndex(of: name) else { throw .noSuchColumn(name) }
                values.append(last[index])
            }
            condition = "WHERE (\(key)) > (\(Self.placeholders(values.count, from: 1)))"
        }
        return try rows(
            """
            SELECT \(Self.list(table.columns)) FROM \(Self.quoted(table.name)) \(condition) ORDER BY \(key)
            LIMIT \(limit)
            """, values
        ).map(\.values)
    }

    /// Adds rows, each with a value for every column.
    package func insert(_ rows: [[SQLValue]], into table: TableShape) throws(StorageError) {
        let width = table.columns.count
        // Many rows in one statement, where each has the same types: engines prepare one statement for each mixture.
        let together = Swift.max(1, Self.valuesTogether / width)
        var rest = rows[...]
        while !rest.isEmpty {
            let next = rest.prefix(together)
            let isPlain = next.count == together && next.allSatisfy { !$0.contains(.null) }
            let batch = isPlain ? next : rest.prefix(1)
            let lines = batch.indices.map { index in
                "(\(Self.placeholders(width, from: (index - batch.startIndex) * width + 1)))"
            }
            try execute(
                """
                INSERT INTO \(Self.quoted(table.name)) (\(Self.list(table.columns)))
                VALUES \(lines.joined(separator: ", "))
                """, batch.flatMap(\.self))
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Points a row to others of its table.
    ///
    /// - Parameters:
    ///   - key: the values of the primary key's columns.
    ///   - targets: a value for each of ``TableShape/ownReferences``.
    package func point(_ key: [SQLValue], of table: TableShape, to targets: [SQLValue]) throws(StorageError) {
        let own = table.ownReferences.enumerated().map { "\(Self.quoted($1.column)) = $\($0 + 1)" }
        try execute(
            """
            UPDATE \(Self.quoted(table.name)) SET \(own.joined(separator: ", "))
            WHERE (\(Self.list(table.key))) = (\(Self.placeholders(key.count, from: own.count + 1)))
            """, targets + key)
    }

    /// The most values in one statement.
    private static let valuesTogether = 200

    private static func quoted(_ name: String) -> String { "\"\(name)\"" }

    private static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

    private static func placeholders(_ count: Int, from first: Int) -> String {
        (first..<first + count).map { "$\($0)" }.joined(separator: ", ")
    }
}
