/// Where an organisation's tables are.
package enum DatabasePlace: Sendable, Equatable {
    /// A file of SQLite, for one server.
    case sqlite(path: String)
    /// A database of PostgreSQL, for any number of servers.
    case postgres(url: String)

    /// The place that a server's settings name.
    ///
    /// - Parameters:
    ///   - url: of a PostgreSQL; `nil` for the file in the data directory.
    ///   - directory: the data directory.
    package init(url: String?, directory: String) {
        self = url.map { .postgres(url: $0) } ?? .sqlite(path: "\(directory)/countersign.sqlite")
    }

    /// Whether several servers may have it at the same time.
    package var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }

    /// The engine's name: `sqlite` or `postgres`.
    package var engine: String {
        switch self {
        case .sqlite: "sqlite"
        case .postgres: "postgres"
        }
    }

    /// Opens it for reading and writing.
    package func open() async throws(StorageError) -> any Database {
        switch self {
        case .sqlite(let path): try await SQLiteDatabase.open(path)
        case .postgres(let url): try await PostgresDatabase.open(url)
        }
    }

    /// Runs a closure that sees one unchanging state, beside servers that go on writing.
    ///
    /// It may take long. While it runs, PostgreSQL keeps what the snapshot sees, and SQLite's write-ahead log grows.
    package func snapshot<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        switch self {
        case .sqlite(let path): return try await SQLiteDatabase.snapshot(path, body)
        case .postgres(let url):
            let database = try await PostgresDatabase.open(url, connections: 1)
            do {
                let value = try await database.read(body)
                try await database.close()
                return value
            } catch {
                try? await database.close()
                throw error
            }
        }
    }
}
