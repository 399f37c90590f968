import Testing

@testable import Storage

@Suite("Migrations") struct MigrationTests {
    private let second = Migration(name: "0002-tags", statements: ["CREATE TABLE tags (id BIGINT PRIMARY KEY)"])

    @Test func `they run once and in order`() async throws {
        try await withEachDatabase { database in
            try await database.write { try $0.insert(1) }
            try await database.migrate([notes, second])
            try await database.migrate([notes, second])
            let names = try await database.read {
                try $0.rows("SELECT name FROM schema_migrations ORDER BY position").map { try $0.text("name") }
            }
            #expect(names == ["0001-notes", "0002-tags"])
            #expect(try await database.read { try $0.identifiers() } == [1])
        }
    }

    @Test func `many at once run them once`() async throws {
        try await withDirectory { directory in
            let (one, two) = (
                try await SQLiteDatabase.open("\(directory)/a"), try await SQLiteDatabase.open("\(directory)/a")
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in [one, two, one, two] { group.addTask { try await database.migrate([notes, second]) } }
                try await group.waitForAll()
            }
            try await one.close()
            try await two.close()
        }
    }

    @Test func `a history that is not the program's is refused`() async throws {
        let changed = Migration(name: "0002-tags", statements: ["CREATE TABLE tags (id BIGINT)"])
        let other = Migration(name: "0002-other", statements: ["CREATE TABLE other (id BIGINT)"])
        let cases: [([Migration], StorageError.MigrationProblem)] = [
            ([notes], .unknown(name: "0002-tags")),
            ([], .unknown(name: "0001-notes")),
            ([notes, other], .unknown(name: "0002-tags")),
            ([notes, changed], .changed(name: "0002-tags")),
            ([second, notes], .reordered(expected: "0002-tags", found: "0001-notes")),
            ([notes, second, second], .duplicate(name: "0002-tags")),
        ]
        try await withEachDatabase { database in
            try await database.migrate([notes, second])
            for (migrations, problem) in cases {
                await #expect(throws: StorageError.migration(problem)) { try await database.migrate(migrations) }
            }
            try await database.migrate([notes, second])
        }
    }

    @Test func `each history is run and compared by itself, also where all were recorded as one`() async throws {
        let people = Migration(name: "people-0001", statements: ["CREATE TABLE people (id BIGINT PRIMARY KEY)"])
        let names = Migration(name: "people-0002", statements: ["ALTER TABLE people ADD COLUMN name TEXT"])
        let changed = Migration(name: "people-0001", statements: ["CREATE TABLE people (id TEXT PRIMARY KEY)"])
        func histories(_ first: [Migration], _ second: [Migration]) -> [MigrationHistory] {
            [MigrationHistory(name: "notes", migrations: first), MigrationHistory(name: "people", migrations: second)]
        }
        try await withEachDatabase { database in
            func recorded() async throws -> [String] {
                try await database.read { try $0.recordedMigrations().map(\.name) }
            }
            // One list of both, as an older program had it.
            try await database.migrate([notes, people])
            try await database.migrate(histories([notes, second], [people]))
            #expect(try await recorded() == ["0001-notes", "people-0001", "0002-tags"])
            // Another branch has added to the other history in between: neither is out of order.
            try await database.migrate(histories([notes, second], [people, names]))
            #expect(try await recorded() == ["0001-notes", "people-0001", "0002-tags", "people-0002"])
            let cases: [([MigrationHistory], StorageError.MigrationProblem)] = [
                (histories([notes], [people, names]), .unknown(name: "0002-tags")),
                (histories([notes, second], []), .unknown(name: "people-0001")),
                (histories([second, notes], [people, names]), .reordered(expected: "0002-tags", found: "0001-notes")),
                (histories([notes, second], [changed, names]), .changed(name: "people-0001")),
                (
                    histories([notes, second], [names, people]),
                    .reordered(expected: "people-0002", found: "people-0001")
                ),
                (histories([notes, second, people], [people, names]), .duplicate(name: "people-0001")),
            ]
            for (histories, problem) in cases {
                await #expect(throws: StorageError.migration(problem)) { try await database.migrate(histories) }
            }
            #expect(try await recorded().count == 4)
        }
    }

    @Test func `one that fails leaves nothing behind`() async throws {
        let broken = Migration(
            name: "0002-broken",
            statements: ["CREATE TABLE half (id BIGINT)", "CREATE TABLE notes (id BIGINT)"])
        let deferred = Migration(
            name: "0002-late",
            statements: ["CREATE TABLE late (id BIGINT REFERENCES notes (id) deferrable)"])
        try await withEachDatabase { database in
            for migration in [broken, deferred] {
                await #expect(throws: StorageError.self) { try await database.migrate([notes, migration]) }
            }
            for table in ["half", "late"] {
                await #expect(throws: StorageError.self) {
                    try await database.read { try $0.rows("SELECT * FROM \(table)") }
                }
            }
            try await database.migrate([notes, second])
        }
    }

    @Test func `two statements do not read as one`() {
        let one = Migration(name: "a", statements: ["ab", "c"])
        let other = Migration(name: "a", statements: ["a", "bc"])
        #expect(one.digest != other.digest)
        #expect(one.digest.utf8.count == 16)
    }
}
