import Dispatch
import Testing

@testable import Storage

@Suite("Group commit") struct GroupCommitTests {
    /// Holds the writer until the semaphore is signalled, so that a batch can gather.
    private func hold(_ database: any WatchedDatabase) async -> (DispatchSemaphore, Task<Void, any Error>) {
        let (gate, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let task = Task {
            try await database.write { _ in
                entered.signal()
                gate.wait()
            }
        }
        await until { entered.wait(timeout: .now()) == .success }
        return (gate, task)
    }

    @Test func `writes that wait together share one commit`() async throws {
        try await withEachDatabase { database in
            let before = database.counts.commits
            let (gate, holder) = await hold(database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in Int64(1)...100 { group.addTask { try await database.write { try $0.insert(id) } } }
                await until { database.waitingWrites == 100 }
                gate.signal()
                try await group.waitForAll()
            }
            try await holder.value
            #expect(database.counts.commits - before == 2)
            #expect(try await database.read { try $0.identifiers() } == Array(1...100))
        }
    }

    @Test func `one that throws takes back only its own changes`() async throws {
        struct Refusal: Error {}
        try await withEachDatabase { database in
            let before = database.counts.commits
            let (gate, holder) = await hold(database)
            let outcomes = await withTaskGroup(of: (Int64, Bool).self) { group in
                for id in Int64(1)...60 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try transaction.insert(id)
                                if id % 3 == 0 { throw Refusal() }
                                if id % 3 == 1 { try transaction.insert(id) }
                            }
                            return (id, true)
                        } catch {
                            return (id, false)
                        }
                    }
                }
                await until { database.waitingWrites == 60 }
                gate.signal()
                return await group.reduce(into: [(Int64, Bool)]()) { $0.append($1) }
            }
            try await holder.value
            #expect(database.counts.commits - before == 2)
            let stored = try await database.read { try $0.identifiers() }
            #expect(stored == (1...60).filter { $0 % 3 == 2 })
            #expect(stored == outcomes.filter(\.1).map(\.0).sorted())
        }
    }

    @Test func `ten thousand writes of many tasks are all there after few commits`() async throws {
        try await withEachDatabase { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in Int64(0)..<1_000 {
                    group.addTask {
                        for step in Int64(0)..<10 {
                            let id = worker * 10 + step
                            try await database.write { try $0.insert(id) }
                            let isThere = try await database.read {
                                try $0.row("SELECT id FROM notes WHERE id = $1", [.integer(id)]) != nil
                            }
                            #expect(isThere, "acknowledged and not to be seen")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = database.counts
            #expect(try await database.read { try $0.identifiers() } == Array(0..<10_000))
            #expect(counts.writes == 10_001)
            #expect(counts.commits < 5_000, "\(counts.commits) commits")
        }
    }

    @Test func `a full queue refuses and what was accepted is stored`() async throws {
        try await withEachDatabase(queueLimit: 5) { database in
            let (gate, holder) = await hold(database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in Int64(1)...5 { group.addTask { try await database.write { try $0.insert(id) } } }
                await until { database.waitingWrites == 5 }
                await #expect(throws: StorageError.busy) { try await database.write { try $0.insert(6) } }
                gate.signal()
                try await group.waitForAll()
            }
            try await holder.value
            #expect(try await database.read { try $0.identifiers() } == Array(1...5))
        }
    }

    @Test func `a full disk is an error for those who need space, and passes`() async throws {
        try await withDatabase { database in
            let pages = try #require(try await database.writerSetting("page_count"))
            try await database.writerSetting("max_page_count = \(pages)")
            let large = String(repeating: "x", count: 200_000)
            await #expect(throws: StorageError.full) { try await database.write { try $0.insert(1, large) } }
            try await database.writerSetting("max_page_count = 1000000")
            try await database.write { try $0.insert(1, large) }
            #expect(try await database.read { try $0.identifiers() } == [1])
        }
    }

    @Test func `when the commit fails everybody in it gets the error and nothing is stored`() async throws {
        try await withEachDatabase { database in
            try await database.write { transaction in
                // None of our programs makes such a table: it is the simplest way to a commit that fails.
                try transaction.execute(
                    "CREATE TABLE late (id BIGINT REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)")
            }
            let (gate, holder) = await hold(database)
            await withTaskGroup(of: Void.self) { group in
                for id in Int64(1)...10 {
                    group.addTask {
                        await #expect(throws: StorageError.self) { try await database.write { try $0.insert(id) } }
                    }
                }
                await until { database.waitingWrites == 10 }
                group.addTask {
                    await #expect(throws: StorageError.self) {
                        try await database.write { try $0.execute("INSERT INTO late (id) VALUES (99)") }
                    }
                }
                await until { database.waitingWrites == 11 }
                gate.signal()
            }
            try await holder.value
            #expect(try await database.read { try $0.identifiers() } == [])
            try await database.write { try $0.insert(1) }
        }
    }

    @Test func `closing finishes what was accepted and refuses the rest`() async throws {
        try await withDirectory { directory in
            let path = "\(directory)/test.sqlite"
            let database = try await SQLiteDatabase.open(path)
            try await database.migrate([notes])
            let (gate, holder) = await hold(database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in Int64(1)...50 { group.addTask { try await database.write { try $0.insert(id) } } }
                await until { database.waitingWrites == 50 }
                group.addTask { try await database.close() }
                gate.signal()
                try await group.waitForAll()
            }
            try await holder.value
            await #expect(throws: StorageError.closed) { try await database.write { try $0.insert(51) } }
            await #expect(throws: StorageError.closed) { try await database.read { try $0.identifiers() } }
            try await database.close()
            let log = try DurableFile.read("\(path)-wal") ?? []
            #expect(log == [], "the log was not folded into the database")
            let again = try await SQLiteDatabase.open(path)
            #expect(try await again.read { try $0.identifiers() } == Array(1...50))
            try await again.close()
        }
    }
}
