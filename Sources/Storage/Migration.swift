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

    /// The recorded digest of the text: FNV-1a of 64 bits.
    ///
    /// It finds mistakes, not attacks: anyone who can forge it can change the tables.
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

/// The steps of one part of the program: they are compared and run by themselves.
///
/// Two parts add steps without knowing each other, in any order of release.
package struct MigrationHistory: Sendable {
    /// The owner of the steps.
    package let name: String
    /// In their order; a name is unique among the steps of all histories.
    package let migrations: [Migration]

    /// The steps of one part of the program.
    package init(name: String, migrations: [Migration]) {
        self.name = name
        self.migrations = migrations
    }
}

extension [MigrationHistory] {
    /// How many steps all histories have.
    package var steps: Int { reduce(0) { $0 + $1.migrations.count } }

    /// The recorded steps, in the order in which they were run: each history's are the beginning of its own.
    ///
    /// - Throws: `StorageError.migration` for a step that is unknown, was changed, or is out of its history's order.
    package func match(_ recorded: [RecordedMigration]) throws(StorageError) -> [Migration] {
        var done = [Int](repeating: 0, count: endIndex)
        var matched: [Migration] = []
        for step in recorded {
            guard let index = firstIndex(where: { $0.migrations.contains { $0.name == step.name } }) else {
                throw .migration(.unknown(name: step.name))
            }
            let history = self[index].migrations
            guard done[index] < history.count else { throw .migration(.duplicate(name: step.name)) }
            let expected = history[done[index]]
            guard expected.name == step.name else {
                throw .migration(.reordered(expected: expected.name, found: step.name))
            }
            guard expected.digest == step.digest else { throw .migration(.changed(name: step.name)) }
            done[index] += 1
            matched.append(expected)
        }
        return matched
    }
}

/// Compares the recorded history with the program's and runs what is missing, inside one transaction.
///
/// A step is recorded by its name alone, which says whose it is. So a database from the time when the program had one
/// list of steps is read like any other.
struct MigrationRun {
    let transaction: Transaction

    func run(_ histories: [MigrationHistory]) throws(StorageError) {
        try refuseDuplicates(histories.flatMap(\.migrations))
        try transaction.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                position BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL)
            """)
        let recorded = try transaction.recordedMigrations()
        let done = Set(try histories.match(recorded).map(\.name))
        var position = Int64(recorded.count)
        for history in histories {
            for migration in history.migrations where !done.contains(migration.name) {
                try apply(migration, position: position)
                position += 1
            }
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
