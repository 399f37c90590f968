import Foundation
import Storage

/// The database of one server: a file in its data directory, or with `TEST_ENGINE=postgres` a database made for it on
/// the PostgreSQL of `TEST_POSTGRES`.
final class ServerDatabase: Sendable {
    /// Its address; `nil` for SQLite.
    let url: String?
    private let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"

    /// Whether servers of these tests use PostgreSQL.
    static var isPostgres: Bool { ProcessInfo.processInfo.environment["TEST_ENGINE"] == "postgres" }

    init() throws {
        guard Self.isPostgres else {
            url = nil
            return
        }
        guard let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"] else {
            throw Program.Missing(description: "TEST_POSTGRES names no server: run through scripts/with-postgres.")
        }
        url = server.replacing("/postgres?", with: "/\(name)?")
        try Self.administer("createdb", server, ["--template", "template0", name])
    }

    deinit {
        guard let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"], url != nil else { return }
        try? Self.administer("dropdb", server, ["--force", name])
    }

    private static func administer(_ program: String, _ server: String, _ arguments: [String]) throws {
        let outcome = try Program.run(program, ["--maintenance-db", server] + arguments)
        guard outcome.status == 0 else { throw Program.Missing(description: outcome.errors) }
    }

    /// What a server is told.
    var flags: [String] { url.map { ["--database", $0] } ?? [] }

    /// Opens it for a server of this process.
    func open(orFile file: String) async throws -> any Database {
        guard let url else { return try await SQLiteDatabase.open(file) }
        return try await PostgresDatabase.open(url, connections: 2)
    }

    /// Writes all that a PostgreSQL holds into a file; SQLite's is a file already.
    func dump(to file: String) throws {
        guard let url else { return }
        let outcome = try Program.run("pg_dump", ["--dbname", url, "--file", file])
        guard outcome.status == 0 else { throw Program.Missing(description: outcome.errors) }
    }
}
