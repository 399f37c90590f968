import GRDB
import GRDBSQLite

/// A database of somebody else's that was read as bytes: it stays in memory, and is never written anywhere.
package enum MemoryDatabase {
    private static let magic = Array("SQLite format 3\u{0}".utf8)
    /// The header has 100 bytes.
    private static let headerLength = 100
    /// The bytes of the header that say whether there is a write-ahead log; without one they are 1.
    private static let versions = 18...19

    /// Reads from the bytes of an SQLite file.
    ///
    /// - Parameter body: must only read.
    /// - Throws: `corrupt` for other bytes and damaged files, what `body` throws, and what its statements fail with.
    package static func read<T>(_ file: [UInt8], _ body: (Transaction) throws -> T) throws -> T {
        guard file.count >= headerLength, file.starts(with: magic) else {
            throw StorageError.corrupt(detail: "no SQLite database")
        }
        var file = file
        // The log is another file, which a copy of this one does not have.
        for index in versions { file[index] = 1 }
        do {
            let queue = try DatabaseQueue()
            return try queue.inDatabase { connection in
                try load(file, into: connection)
                try connection.execute(sql: "PRAGMA trusted_schema = OFF")
                try connection.execute(sql: "PRAGMA query_only = ON")
                return try SQLiteDatabase.run(body, connection)
            }
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }

    private static func load(_ file: [UInt8], into connection: GRDB.Database) throws {
        let size = sqlite3_int64(file.count)
        guard let memory = unsafe sqlite3_malloc64(sqlite3_uint64(file.count)) else { throw StorageError.busy }
        unsafe memory.copyMemory(from: file, byteCount: file.count)
        // SQLite frees the memory, also when it fails.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        let status = unsafe sqlite3_deserialize(
            connection.sqliteConnection, "main", memory.assumingMemoryBound(to: UInt8.self), size, size, flags)
        guard status == SQLITE_OK else { throw StorageError.corrupt(detail: "SQLite does not take it") }
    }
}
