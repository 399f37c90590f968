import Foundation
import Testing

@testable import Storage

@Suite("Durability") struct DurabilityTests {
    @Test func `the writer synchronises every commit and checks references`() async throws {
        try await withDatabase { database in
            #expect(try await database.writerSetting("synchronous") == "2")
            #expect(try await database.writerSetting("journal_mode") == "wal")
            #expect(try await database.writerSetting("foreign_keys") == "1")
            try await database.write { try $0.insert(1) }
            #expect(try await database.writerSetting("synchronous") == "2")
        }
    }

    @Test func `what is no database is refused`() async throws {
        try await withDirectory { directory in
            try DurableFile.write("\(directory)/noise", Array(repeating: 0x5A, count: 8_192))
            let damaged = await #expect(throws: StorageError.self) {
                try await SQLiteDatabase.open("\(directory)/noise")
            }
            guard case .corrupt = damaged else {
                Issue.record("\(String(describing: damaged))")
                return
            }
            let missing = await #expect(throws: StorageError.self) {
                try await SQLiteDatabase.open("\(directory)/no/a")
            }
            guard case .ioError = missing else {
                Issue.record("\(String(describing: missing))")
                return
            }
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["STORAGE_CRASH"] != nil))
    func `crashing writer`() async throws {
        let directory = try #require(ProcessInfo.processInfo.environment["STORAGE_CRASH"])
        let database = try await SQLiteDatabase.open("\(directory)/test.sqlite")
        try await database.migrate([notes])
        let acknowledged = try OpenFile("\(directory)/acknowledged", O_WRONLY | O_CREAT | O_APPEND)
        let first = try await database.read { try $0.row("SELECT COALESCE(MAX(id), 0) AS last FROM notes") }
        let start = try #require(first).integer("last") / 10_000 * 10_000 + 10_000
        try await withThrowingTaskGroup(of: Int64.self) { group in
            for offset in Int64(0)..<16 { group.addTask { try await Self.pair(database, start + 2 * offset) } }
            var next = start + 32
            while let id = try await group.next() {
                try acknowledged.writeAll(Array("\(id)\n".utf8))
                let following = next
                next += 2
                group.addTask { try await Self.pair(database, following) }
            }
        }
    }

    /// Two rows that belong together.
    private static func pair(_ database: SQLiteDatabase, _ id: Int64) async throws -> Int64 {
        try await database.write { transaction in
            try transaction.insert(id)
            try transaction.insert(id + 1, parent: .integer(id))
        }
        return id
    }

    #if os(Linux)
        @Test func `a killed process loses no acknowledged write and leaves no half`() async throws {
            try await withDirectory { directory in
                for _ in 0..<3 { try await killAWriter(in: directory) }
                let acknowledged = String(
                    decoding: try #require(try DurableFile.read("\(directory)/acknowledged")), as: UTF8.self
                ).split(separator: "\n").compactMap { Int64($0) }
                let database = try await SQLiteDatabase.open("\(directory)/test.sqlite")
                let stored = Set(try await database.read { try $0.identifiers() })
                #expect(acknowledged.count >= 300)
                #expect(acknowledged.allSatisfy { stored.contains($0) && stored.contains($0 + 1) })
                #expect(stored.allSatisfy { stored.contains($0 ^ 1) })
                #expect(try await database.writerSetting("integrity_check") == "ok")
                try await database.close()
            }
        }

        /// Starts this test program again as a writer, and kills it when it acknowledged a hundred more writes.
        private func killAWriter(in directory: String) async throws {
            let lines = { (try? DurableFile.read("\(directory)/acknowledged"))?.count { $0 == 0x0A } ?? 0 }
            let before = lines()
            let process = Process()
            process.executableURL = URL(
                fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/exe"))
            process.arguments = ["--testing-library", "swift-testing", "--filter", "crashing writer"]
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["STORAGE_CRASH": directory], uniquingKeysWith: { $1 })
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            await until { lines() >= before + 100 || !process.isRunning }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
        }
    #endif
}
