import Dispatch
import Synchronization
import Testing

@testable import Storage

/// A statement executed without looking at its answer reaches PostgreSQL late: nothing else may differ.
@Suite("Statements that wait for the next answer") struct PipelineTests {
    private struct Refusal: Error {}

    /// Runs writes in one commit; each adds its number, and does what else is asked.
    ///
    /// - Returns: what became of each.
    private func together(
        _ database: any WatchedDatabase, _ count: Int64, _ body: @escaping @Sendable (Transaction, Int64) throws -> Void
    ) async throws -> [Int64: StorageError?] {
        let (gate, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Task {
            try await database.write { _ in
                entered.signal()
                gate.wait()
            }
        }
        await until { entered.wait(timeout: .now()) == .success }
        let before = database.counts.commits
        let outcomes = await withTaskGroup(of: (Int64, StorageError?).self) { group in
            for id in Int64(1)...count {
                group.addTask {
                    do {
                        try await database.write { try body($0, id) }
                        return (id, nil)
                    } catch {
                        return (id, error as? StorageError ?? .closed)
                    }
                }
                // In this order.
                await until { database.waitingWrites == Int(id) }
            }
            gate.signal()
            return await group.reduce(into: [Int64: StorageError?]()) { $0[$1.0] = .some($1.1) }
        }
        try await holder.value
        #expect(database.counts.commits - before == 2)
        return outcomes
    }

    @Test func `one that fails late fails alone, and with its own error`() async throws {
        try await withEachDatabase { database in
            let runs = Mutex(0)
            let outcomes = try await together(database, 9) { transaction, id in
                runs.withLock { $0 += 1 }
                try transaction.insert(id)
                if id == 4 { try transaction.insert(1) }
                if id == 5 { try transaction.execute("INSERT INTO notes (id, text) VALUES (50, NULL)") }
                // Looks at what those before it have done.
                if id == 7 {
                    let seen = try transaction.identifiers()
                    #expect(seen == [1, 2, 3, 6, 7])
                }
            }
            #expect(outcomes[4]??.isUniqueViolation == true)
            guard case .constraint(.notNull, _)?? = outcomes[5] else {
                Issue.record("\(String(describing: outcomes[5]))")
                return
            }
            #expect(outcomes.values.filter { $0 != nil }.count == 2)
            #expect(try await database.read { try $0.identifiers() } == [1, 2, 3, 6, 7, 8, 9])
        }
    }

    @Test func `what is settled can be caught, and the writes beside it go on`() async throws {
        try await withEachDatabase { database in
            let runs = Mutex(0)
            let outcomes = try await together(database, 6) { transaction, id in
                runs.withLock { $0 += 1 }
                do {
                    try transaction.insert(id % 3)
                    try transaction.settle()
                } catch let error as StorageError where error.isUniqueViolation {
                    throw StorageError.readOnly(detail: "translated")
                }
            }
            #expect(outcomes.values.filter { $0 == .readOnly(detail: "translated") }.count == 3)
            #expect(runs.withLock { $0 } == 6, "a failure that was looked at has others run again")
            #expect(try await database.read { try $0.identifiers() } == [0, 1, 2])
        }
    }

    @Test func `a write that throws after a statement which fails tells the statement's error`() async throws {
        try await withEachDatabase { database in
            try await database.write { try $0.insert(1) }
            let error = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    try transaction.insert(1)
                    throw Refusal()
                }
            }
            #expect(error?.isUniqueViolation == true)
            await #expect(throws: Refusal.self) {
                try await database.write { transaction in
                    try transaction.insert(2)
                    throw Refusal()
                }
            }
            #expect(try await database.read { try $0.identifiers() } == [1])
        }
    }

    @Test func `numbers are handed on within a commit and have no gaps`() async throws {
        try await withEachDatabase { database in
            let asked = Mutex(0)
            for _ in 0..<2 {
                _ = try await together(database, 20) { transaction, id in
                    if transaction.remembered("notes") == nil { asked.withLock { $0 += 1 } }
                    let row = try transaction.row("SELECT COALESCE(MAX(id), 0) + 1 AS next FROM notes")
                    let next = try transaction.remembered("notes") ?? (try #require(row).integer("next"))
                    try transaction.insert(next)
                    transaction.remember(next + 1, as: "notes")
                    if id % 4 == 0 { throw Refusal() }
                    // Told only when the next one looks.
                    if id % 4 == 1 { try transaction.insert(next) }
                }
            }
            #expect(try await database.read { try $0.identifiers() } == Array(1...20))
            #expect(asked.withLock { $0 } < 40)
        }
    }

    @Test func `many statements are sent before the commit, and all are there`() async throws {
        try await withEachDatabase { database in
            let long = String(repeating: "x", count: 20_000)
            try await database.write { transaction in
                for id in Int64(1)...2_000 { try transaction.insert(id, "\(id) \(long)") }
            }
            #expect(try await database.read { try $0.identifiers() }.count == 2_000)
        }
    }

    @Test func `the time with the writer's lock is counted`() async throws {
        try await withPostgres { url in
            let database = try await PostgresDatabase.open(url)
            try await database.migrate([notes])
            let before = database.figures
            try await database.write { transaction in
                try transaction.insert(1)
                _ = try transaction.row("SELECT CAST(pg_sleep(0.05) AS TEXT) AS slept")
            }
            let after = database.figures
            #expect(after.lockHeld - before.lockHeld >= 0.04)
            #expect(after.commits - before.commits == 1)
            try await database.close()
        }
    }
}
