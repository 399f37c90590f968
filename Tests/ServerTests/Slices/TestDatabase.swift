import Dispatch
import Foundation
import Testing

@testable import Server
@testable import Storage

/// The database of a test server: a file of SQLite, or with `TEST_ENGINE=postgres` a database on the
/// PostgreSQL of `TEST_POSTGRES`.
struct TestDatabase: Sendable {
    private(set) var database: any Database
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
        (place, name) = try await Self.newPlace(file: file, template: Self.migrated?.value)
        if !Self.isPostgres { try await Self.migratedFile.value.write(to: URL(fileURLWithPath: file)) }
        database = try await Self.open(place)
    }

    /// One without any table.
    ///
    /// - Parameter file: where SQLite's goes.
    init(emptyFile file: String) async throws {
        (place, name) = try await Self.newPlace(file: file, template: nil)
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

    /// The same database, whose statements are counted.
    func counted(by count: StatementCount) -> TestDatabase {
        var counted = self
        counted.database = CountingDatabase(inner: database, count: count)
        return counted
    }

    /// The same database, which fails as the test says.
    func failing(as faults: StorageFaults) -> TestDatabase {
        var failing = self
        failing.database = FaultyDatabase(inner: database, faults: faults)
        return failing
    }

    /// The name of a database on PostgreSQL that has all tables and no rows.
    ///
    /// The first test makes it, the others copy it. It stays as long as the PostgreSQL of the tests.
    private static let migrated: Task<String, any Error>? =
        server == nil
        ? nil
        : Task {
            let (place, name) = try await newPlace(file: "", template: nil)
            let database = try await open(place)
            try await database.migrate(Slice.all.histories)
            try await database.close()
            return name ?? "template1"
        }

    /// The content of a file of SQLite that has all tables and no rows.
    private static let migratedFile = Task<Data, any Error> {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("migrated.sqlite")
        let database = try await SQLiteDatabase.open(file.path)
        try await database.migrate(Slice.all.histories)
        try await database.close()
        return try Data(contentsOf: file)
    }

    // Making and dropping a database takes PostgreSQL a while. None of Swift's few threads waits for it, and no test for
    // the dropping: with `FORCE` it takes a tenth of a second at least.
    private static let making = DispatchQueue(label: "tests.databases.making", attributes: .concurrent)
    private static let dropping = DispatchQueue(label: "tests.databases.dropping")

    /// A new place, and the name of a database that was made for it.
    ///
    /// - Parameter template: the database that is copied; `nil` for an empty one.
    private static func newPlace(
        file: String, template: String?
    ) async throws -> (place: DatabasePlace, name: String?) {
        guard let server else { return (.sqlite(path: file), nil) }
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        // Copied as files, and not through the log: half as long.
        let statement = "CREATE DATABASE \(name) TEMPLATE \(template ?? "template1") STRATEGY FILE_COPY"
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            making.async {
                do {
                    try PostgresConnection(server).control(statement)
                    continuation.resume()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        return (.postgres(url: server.replacing("/postgres?", with: "/\(name)?")), name)
    }

    private static func open(_ place: DatabasePlace) async throws -> any Database {
        switch place {
        case .sqlite(let path): try await SQLiteDatabase.open(path)
        // Few connections each: the tests run many servers at once.
        case .postgres(let url): try await PostgresDatabase.open(url, connections: 2)
        }
    }

    /// Writes all that PostgreSQL holds into a file, as text; SQLite's is a file already.
    func dump(to file: String) async throws {
        guard case .postgres(let url) = place else { return }
        try await OtherProgram.output(of: "pg_dump", ["--dbname", url, "--file", file])
    }

    /// Leaves nothing behind.
    func remove() {
        guard let server = Self.server, let name else { return }
        Self.dropping.async { _ = try? PostgresConnection(server).control("DROP DATABASE \(name) WITH (FORCE)") }
    }
}

extension Trait where Self == ConditionTrait {
    /// What comes to no database is not shown again on PostgreSQL.
    static var onOneEngine: Self { .enabled(if: !TestDatabase.isPostgres, "It is the same on each engine.") }
}
