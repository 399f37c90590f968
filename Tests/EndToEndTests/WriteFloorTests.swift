import Testing

@testable import Bench

/// What approvals on SQLite are measured beside.
@Suite("The bench's writes on SQLite", .timeLimit(.minutes(2)))
struct WriteFloorTests {
    @Test("each round writes every row once, and all that an approval changes", arguments: [1, 8])
    func rows(connections: Int) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let floor = SQLiteFloor(path: folder.path("floor.sqlite"), connections: connections, questions: 43)
        try await floor.prepare()
        for rows in [43, 42] {
            #expect(try floor.perSecond(rows: rows) > 0)
            let seen = try SQLiteConnection(floor.path)
            try seen.execute("CREATE TABLE seen_\(rows) (count BIGINT CHECK (count = \(rows)))")
            for part in [
                "log_entries WHERE position BETWEEN 0 AND \(rows - 1)", "log_entries",
                "approval_prompts WHERE decision = 'allow'", "approval_challenges WHERE state = 'approved'",
            ] {
                try seen.execute("INSERT INTO seen_\(rows) SELECT count(*) FROM \(part)")
            }
        }
    }

    @Test("one connection that cannot write fails the whole, when the others have ended")
    func refused() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let floor = SQLiteFloor(path: folder.path("floor.sqlite"), connections: 8, questions: 40)
        try await floor.prepare()
        try SQLiteConnection(floor.path).execute(
            """
            CREATE TRIGGER refused BEFORE INSERT ON log_entries WHEN NEW.position = 17
            BEGIN SELECT RAISE(ABORT, 'not this one'); END
            """)
        #expect(throws: BenchError.self) { try floor.perSecond(rows: 40) }
    }
}
