import CryptoProvider
import Foundation
import Storage

@testable import Server

/// The data directory of an organisation as version 0.3 left it, made up from end to end, gone after the test.
///
/// `Tests/Fixtures/organisation-0.3.tar.gz` is the output of `countersign demo --data` of that version, with some rows
/// of the desk added. `postgres.sql` in it has the same tables and rows in an order that PostgreSQL takes.
final class OldOrganisation: Sendable {
    /// Under which address it was set up.
    static let url = "http://localhost:8797"
    /// Just after its last act, in seconds since 1970.
    static let time: Int64 = 1_795_385_154
    /// The data directory.
    let folder: URL
    let database: TestDatabase

    init() async throws {
        let parent = FileManager.default.temporaryDirectory.appendingPathComponent("old-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        let archive = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/organisation-0.3.tar.gz")
        try await OtherProgram.output(of: "tar", ["-xzf", archive.path, "-C", parent.path])
        folder = parent.appendingPathComponent("organisation-0.3")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let rows = try String(contentsOf: folder.appendingPathComponent("postgres.sql"), encoding: .utf8)
        try FileManager.default.removeItem(at: folder.appendingPathComponent("postgres.sql"))
        database = try await TestDatabase(
            emptyFile: folder.appendingPathComponent("countersign.sqlite").path)
        guard TestDatabase.isPostgres else { return }
        try await database.database.write { transaction in
            for statement in rows.components(separatedBy: "\n--\n") { try transaction.execute(statement) }
        }
    }

    deinit {
        database.remove()
        try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    /// A server of today on what is there.
    func server(slices: [Slice] = Slice.all) async throws -> CountersignServer {
        let clock = ServerClock(now: { Self.time }, uptime: { .zero }, sleep: { _ in })
        return try await CountersignServer(
            configuration: ServerConfiguration(),
            directory: try DataDirectory.open(folder.path, isShared: TestDatabase.isPostgres), publicURL: Self.url,
            parts: CountersignServer.Parts(
                clock: clock, argon2: Argon2Workers(parameters: .forTests, limits: .forTests)),
            database: database.database, slices: slices)
    }
}
