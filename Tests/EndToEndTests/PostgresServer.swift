import Foundation

@testable import Storage

/// Databases on the PostgreSQL of `TEST_POSTGRES`, which `scripts/with-postgres` starts.
enum PostgresServer {
    /// Runs a body with the address of an empty database, which is gone afterwards.
    static func withDatabase<Value>(_ body: (_ url: String) async throws -> Value) async throws -> Value {
        guard let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"] else {
            throw Program.Missing(description: "TEST_POSTGRES names no server: run through scripts/with-postgres")
        }
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try PostgresConnection(server).control("CREATE DATABASE \(name)")
        defer { try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)") }
        return try await body(server.replacing("/postgres?", with: "/\(name)?"))
    }
}
