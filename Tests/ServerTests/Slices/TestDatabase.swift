import Foundation

@testable import Storage

/// The database of a test server: a file of SQLite, or with `TEST_ENGINE=postgres` a database on the
/// PostgreSQL of `TEST_POSTGRES`.
struct TestDatabase: Sendable {
    let database: any Database
    /// Where it is.
    let place: DatabasePlace
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
        (place, name) = try Self.newPlace(file: file)
        database = try await Self.open(place)
    }

    /// The same database over connections of its own, as another process has it.
    init(sharing other: TestDatabase) async throws {
        guard Self.isPostgres else { throw StorageError.closed }
        (place, name) = (other.place, nil)
        database = try await Self.open(place)
    }

    /// What is at a place already; it stays there.
    init(at place: DatabasePlace) async throws {
        (self.place, name) = (place, nil)
        database = try await Self.open(place)
    }

    /// An empty place, and the name of a database that was made for it.
    private static func newPlace(file: String) throws -> (place: DatabasePlace, name: String?) {
        guard let server else { return (.sqlite(path: file), nil) }
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try PostgresConnection(server).control("CREATE DATABASE \(name)")
        return (.postgres(url: server.replacing("/postgres?", with: "/\(name)?")), name)
    }

    private static func open(_ place: DatabasePlace) async throws -> any Database {
        switch place {
        case .sqlite(let path): try await SQLiteDatabase.open(path)
        // Few connections each: the tests run many servers at once.
        case .postgres(let url): try await PostgresDatabase.open(url, connections: 2)
        }
    }

    /// Leaves nothing behind.
    func remove() {
        guard let server = Self.server, let name else { return }
        try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)")
    }
}
