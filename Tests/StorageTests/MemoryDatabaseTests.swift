import Foundation
import GRDB
import Testing

@testable import Storage

/// Databases of other programs, which are read as bytes.
@Suite("A database in memory")
struct MemoryDatabaseTests {
    /// The bytes of a file with two rows, whose program used a write-ahead log.
    private static func file() throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("memory-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("other.sqlite").path
        let pool = try DatabasePool(path: path)
        try pool.write { connection in
            try connection.execute(sql: "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, bytes BLOB)")
            try connection.execute(sql: "INSERT INTO words VALUES (1, 'one', x'01'), (2, NULL, x'')")
        }
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try pool.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("gives rows of a file that had a write-ahead log, and takes none")
    func read() throws {
        let file = try Self.file()
        #expect(file[18] == 2)
        let words = try MemoryDatabase.read(file) { transaction in
            try transaction.rows("SELECT word, bytes FROM words ORDER BY id").map {
                (try $0.optionalText("word"), try $0.blob("bytes"))
            }
        }
        #expect(words.map(\.0) == ["one", nil] && words.map(\.1) == [[1], []])
        #expect(throws: StorageError.self) {
            try MemoryDatabase.read(file) { try $0.execute("DELETE FROM words") }
        }
    }

    @Test("refuses what is no database, and what was cut or spoilt")
    func damaged() throws {
        let file = try Self.file()
        func count(_ file: [UInt8]) throws -> Int {
            try MemoryDatabase.read(file) { try $0.rows("SELECT word FROM words").count }
        }
        for bad in [[], Array("no database".utf8), [UInt8](repeating: 0, count: 4_096), Array(file.prefix(99))] {
            #expect(throws: StorageError.self) { try count(bad) }
        }
        #expect(throws: StorageError.self) { try count(Array(file.prefix(file.count / 2))) }
        // Whatever a spoilt byte does, it ends in rows or in an error.
        for place in stride(from: 16, to: file.count, by: 41) {
            var spoilt = file
            spoilt[place] ^= 0xFF
            _ = try? count(spoilt)
        }
    }
}
