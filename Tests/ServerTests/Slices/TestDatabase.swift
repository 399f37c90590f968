import Foundation

@testable import Storage

/// The database of a test server: a file of SQLite, or with `TEST_ENGINE=postgres` a database on the
/// PostgreSQL of `TEST_POSTGRES`.
struct TestDatabase: Sendable {
    let database: any Database
    private let name: String?

    /// Whether several servers may share it.
    static var isPostgres: Bool { server != nil }

    private static let environment = ProcessInfo.processInfo.environment
    private static let server = environment["TEST_ENGINE"] == "postgres" ? requiredServer : nil

    private static var requiredServer: String {
        guard let url = environment["TEST_POSTGRES"] else {
            preconditionFailure("TEST_POSTGRES names no server: run the tests through scripts/with-postgres")
        }
        return url
    }

    /// - Parameter file: where SQLite's goes.
    init(file: String) async throws {
        guard let server = Self.server else {
            name = nil
            database = try await SQLiteDatabase.open(file)
            return
        }
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try PostgresConnection(server).control("CREATE DATABASE \(name)")
        self.name = name
        database = try await Self.open(name, server)
    }

    /// The same database over connections of its own, as another process has it.
    init(sharing other: TestDatabase) async throws {
        guard let server = Self.server, let name = other.name else { throw StorageError.closed }
        self.name = nil
        database = try await Self.open(name, server)
    }

    private static func open(_ name: String, _ server: String) async throws -> any Database {
        // Few connections each: the tests run many servers at once.
        let url = server.replacing("/postgres?", with: "/\(name)?")
        return try await PostgresDatabase.open(url, connections: 2)
    }

    /// Leaves nothing behind.
    func remove() {
        guard let server = Self.server, let name else { return }
        try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)")
    }
}
