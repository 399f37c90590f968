/// One step of the schema's history.
///
/// Steps are named, ordered, only go forward, and never change once released.
package struct Migration: Sendable {
    /// Unique among the program's migrations; by convention begins with its number.
    package let name: String
    /// The SQL, one statement each, without values.
    package let statements: [String]

    /// A step of the schema's history.
    package init(name: String, statements: [String]) {
        self.name = name
        self.statements = statements
    }

    /// What is recorded of the text: FNV-1a of 64 bits.
    ///
    /// It finds mistakes; whoever can forge it can change the tables.
    package var digest: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for statement in statements {
            for byte in statement.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3  // No byte of UTF-8: keeps two statements from reading as one.
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Compares the recorded history with the program's and runs what is missing, inside one transaction.
struct MigrationRun {
    let transaction: Transaction

    func run(_ migrations: [Migration]) throws(StorageError) {
        try refuseDuplicates(migrations)
        try transaction.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                position BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL)
            """)
        let recorded = try transaction.rows("SELECT position, name, digest FROM schema_migrations ORDER BY position")
        for (index, row) in recorded.enumerated() {
            let name = try row.text("name")
            guard index < migrations.count else { throw .migration(.unknown(name: name)) }
            guard migrations[index].name == name else {
                throw .migration(
                    migrations.contains { $0.name == name }
                        ? .reordered(expected: migrations[index].name, found: name) : .unknown(name: name))
            }
            guard try row.text("digest") == migrations[index].digest else { throw .migration(.changed(name: name)) }
        }
        for (index, migration) in migrations.enumerated().dropFirst(recorded.count) {
            try apply(migration, position: Int64(index))
        }
    }

    private func apply(_ migration: Migration, position: Int64) throws(StorageError) {
        for statement in migration.statements {
            // A rule that is checked at commit would fail every write of a group commit, not only the one to blame.
            guard !statement.uppercased().contains("DEFERRABLE") else {
                throw .statement(detail: "deferred constraints are not supported")
            }
            try transaction.execute(statement)
        }
        try transaction.execute(
            "INSERT INTO schema_migrations (position, name, digest) VALUES ($1, $2, $3)",
            [.integer(position), .text(migration.name), .text(migration.digest)])
    }

    private func refuseDuplicates(_ migrations: [Migration]) throws(StorageError) {
        for (index, migration) in migrations.enumerated()
        where migrations.dropFirst(index + 1).contains(where: { $0.name == migration.name }) {
            throw .migration(.duplicate(name: migration.name))
        }
    }
}
