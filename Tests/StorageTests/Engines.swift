import Foundation
import Testing

@testable import Storage

/// What both engines let tests look at.
protocol WatchedDatabase: Database {
    var waitingWrites: Int { get }
    /// The engine's name for a column of bytes: the one type that the two call differently.
    var blobType: String { get }
}

extension WatchedDatabase {
    var counts: (writes: Int, commits: Int) { (figures.writes, figures.commits) }
}

extension SQLiteDatabase: WatchedDatabase {
    var blobType: String { "BLOB" }
}
extension PostgresDatabase: WatchedDatabase {
    var blobType: String { "BYTEA" }
}

/// The address of a PostgreSQL that `./test` has started, or `nil`.
let postgresURL = ProcessInfo.processInfo.environment["TEST_POSTGRES"]

/// An empty database of PostgreSQL that is gone after the test.
func withPostgres<T>(_ body: (_ url: String) async throws -> T) async throws -> T? {
    guard let server = postgresURL else { return nil }
    let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
    // Making and dropping one takes PostgreSQL a while. None of the few threads that all tests share waits for it.
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        Thread.detachNewThread {
            do {
                try PostgresConnection(server).control("CREATE DATABASE \(name)")
                continuation.resume()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
    defer {
        Thread.detachNewThread { _ = try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)") }
    }
    return try await body(server.replacing("/postgres?", with: "/\(name)?"))
}

/// Runs a test on each engine: a database with the table
/// `notes (id BIGINT PRIMARY KEY, text TEXT NOT NULL UNIQUE, parent BIGINT, size BIGINT)`.
func withEachDatabase(
    queueLimit: Int = 20_000, batchLimit: Int = 1_024, _ body: (any WatchedDatabase) async throws -> Void
) async throws {
    try await withDatabase(queueLimit: queueLimit, batchLimit: batchLimit) { try await body($0) }
    try await withPostgres { url in
        let database = try await PostgresDatabase.open(url, queueLimit: queueLimit, batchLimit: batchLimit)
        try await database.migrate([notes])
        try await body(database)
        try await database.close()
    }
}
