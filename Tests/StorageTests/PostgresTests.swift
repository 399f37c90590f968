import Foundation
import Testing

@testable import Storage

@Suite("PostgreSQL", .enabled(if: postgresURL != nil, "Needs TEST_POSTGRES, which scripts/with-postgres sets."))
struct PostgresTests {
    @Test func `processes that share it write one after the other`() async throws {
        try await withPostgres { url in
            let databases = [try await PostgresDatabase.open(url), try await PostgresDatabase.open(url)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for database in databases + databases { group.addTask { try await database.migrate([notes]) } }
                try await group.waitForAll()
            }
            // Each asks for the last number and takes the next: two at once would take the same.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await databases[number % 2].write { transaction in
                            let row = try transaction.row("SELECT COALESCE(MAX(id), 0) AS last FROM notes")
                            try transaction.insert(try #require(row).integer("last") + 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for database in databases {
                #expect(try await database.read { try $0.identifiers() } == Array(1...200))
                #expect(database.counts.writes >= 100)
                try await database.close()
            }
        }
    }

    @Test func `lines that are cut are made anew, and what was under way fails`() async throws {
        try await withPostgres { url in
            let database = try await PostgresDatabase.open(url)
            try await database.migrate([notes])
            // It waits until they have ended: on a busy machine a write may be sent before its line is seen to be cut.
            let cutOthers =
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            // All of them while nothing is under way: nobody notices.
            for _ in 0..<2 {
                let admin = try PostgresConnection(url)
                _ = try admin.run(cutOthers + " AND datname = current_database()", [])
                #expect(try await database.read { try $0.identifiers() }.count < 2)
                try await database.write { try $0.execute("DELETE FROM notes") }
                try await database.write { try $0.insert(1) }
            }
            // Its own in the middle of a write.
            let error = await #expect(throws: StorageError.self) {
                try await database.write { transaction in
                    try transaction.insert(2)
                    _ = try transaction.rows("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            guard case .unreachable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            try await database.write { try $0.insert(3) }
            #expect(try await database.read { try $0.identifiers() } == [1, 3])
            try await database.close()
        }
    }

    @Test(arguments: [
        ("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'", "encoding"), ("LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'", nil),
    ])
    func `a database that would change or reorder texts is refused`(options: String, refusal: String?) async throws {
        try await withPostgres { url in
            let name = try #require(url.firstMatch(of: /test_[0-9a-f]+/)).output
            let admin = try PostgresConnection(try #require(postgresURL))
            try admin.control("DROP DATABASE \(name)")
            try admin.control("CREATE DATABASE \(name) TEMPLATE template0 \(options)")
            guard let refusal else { return try await PostgresDatabase.open(url).close() }
            let error = await #expect(throws: StorageError.self) { try await PostgresDatabase.open(url) }
            #expect(String(describing: error).contains(refusal))
        }
    }

    @Test func `a server that is not there is told from a mistake`() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await PostgresDatabase.open("postgres://nobody:secret@127.0.0.1:1/nothing")
        }
        guard case .unreachable(let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail.contains("127.0.0.1") && !detail.contains("secret"))
    }

    @Test func `a server that is gone is noticed in a minute, also while its answer is waited for`() throws {
        let connection = try PostgresConnection(try #require(postgresURL))
        // TCP_USER_TIMEOUT of Linux: without it, what was sent is sent again for a quarter of an hour.
        let option: Int32 = 18
        var (milliseconds, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        let result = unsafe getsockopt(connection.socket, Int32(IPPROTO_TCP), option, &milliseconds, &length)
        #expect(result == 0 && milliseconds == 60_000)
    }

    @Test func `a setting that gives up durability is refused`() async throws {
        try await withPostgres { url in
            let admin = try PostgresConnection(url)
            let name = try #require(url.firstMatch(of: /test_[0-9a-f]+/)).output
            try admin.control("ALTER DATABASE \(name) SET synchronous_commit = off")
            let error = await #expect(throws: StorageError.self) { try await PostgresDatabase.open(url) }
            guard case .notDurable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a write waits for its turn`() async throws {
        try await withPostgres { url in
            let database = try await PostgresDatabase.open(url)
            try await database.migrate([notes])
            let other = try PostgresConnection(url)
            try other.control("BEGIN; SELECT pg_advisory_xact_lock(\(PostgresWriter.lock))")
            async let waiting: Void = database.write { try $0.insert(1) }
            // Until it is seen to wait for the lock, or to have written without it.
            let watcher = try await PostgresDatabase.open(url, connections: 1)
            var (waiters, written) = (Int64(0), 0)
            while waiters == 0 && written == 0 {
                (waiters, written) = try await watcher.read { transaction in
                    let row = try transaction.row(
                        """
                        SELECT COUNT(*) AS waiters FROM pg_locks JOIN pg_database ON pg_database.oid = database
                        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
                        """)
                    return (try #require(row).integer("waiters"), try transaction.identifiers().count)
                }
            }
            #expect(waiters == 1 && written == 0)
            try await watcher.close()
            try other.control("COMMIT")
            try await waiting
            #expect(try await database.read { try $0.identifiers() } == [1])
            try await database.close()
        }
    }

    @Test func `processes hear each other, not themselves, and of having been cut off`() async throws {
        try await withPostgres { url in
            let (one, other) = (PostgresNotices(url: url), PostgresNotices(url: url))
            var heard = other.arrivals().makeAsyncIterator()
            let text = "\u{1F511} 'quoted'"
            #expect(try await Self.knock(one, text, at: &heard) == [.message(text)])
            one.send(String(repeating: "x", count: NoticeLimits.message + 1))
            one.send(String(repeating: "x", count: NoticeLimits.message))
            other.send("heard by nobody here")
            one.send("end")
            var arrivals: [NoticeArrival?] = []
            while arrivals.last != .message("end") { arrivals.append(await heard.next()) }
            arrivals.removeAll { $0 == .message(text) }
            #expect(arrivals == [.message(String(repeating: "x", count: NoticeLimits.message)), .message("end")])

            let admin = try PostgresConnection(url)
            _ = try admin.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND datname = current_database()
                """, [])
            #expect(await heard.next() == .interrupted)
            #expect(try await Self.knock(one, "after", at: &heard) == [.message("after")])
        }
    }

    /// Sends until something arrives: nothing is kept for those who do not listen yet.
    private static func knock(
        _ notices: PostgresNotices, _ message: String, at heard: inout AsyncStream<NoticeArrival>.AsyncIterator
    ) async throws -> [NoticeArrival?] {
        let knocking = Task {
            while !Task.isCancelled {
                notices.send(message)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let first = await heard.next()
        knocking.cancel()
        _ = try? await knocking.value
        return [first]
    }
}
