import Foundation

@testable import Storage

/// The database of a test server: a file of SQLite, or with `TEST_ENGINE=postgres` a database on the
/// PostgreSQL of `TEST_POSTGRES`.
struct TestDatabase: Sendable {
    let database: any Database
    private let name: String?

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
        let base = server.prefix(through: server.lastIndex(of: "/") ?? server.startIndex)
        // Few connections each: the tests run many servers at once.
        database = try await PostgresDatabase.open(base + name, connections: 2)
        self.name = name
    }

    /// Leaves nothing behind.
    func remove() {
        guard let server = Self.server, let name else { return }
        try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)")
    }
}
