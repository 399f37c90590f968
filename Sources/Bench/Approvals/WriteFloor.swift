import Foundation
import Server
import Storage
import Synchronization

/// The least that storing approvals can cost: the rows that one writes, durable for each client by itself.
protocol WriteFloor: Sendable {
    /// How many connections write at once.
    var connections: Int { get }
    /// Makes tables.
    func prepare() async throws
    /// Writes as often as approvals were stored.
    ///
    /// - Returns: how many times a second.
    func perSecond(rows: Int) throws -> Double
}

/// SQLite's own interface, a durable transaction for each approval: it lets one write at a time, however many ask.
///
/// A single connection never waits. With a connection for each client they wait as SQLite lets them: they sleep between
/// tries, for up to 100 ms.
struct SQLiteFloor: WriteFloor {
    let path: String
    let connections: Int
    /// How many there are to be answered.
    let questions: Int

    func prepare() async throws {
        let database = try await SQLiteDatabase.open(path)
        try await database.migrate(Slice.all.histories)
        try await database.close()
        let connection = try SQLiteConnection(path)
        for statement in FloorStore.rows(questions: questions) { try connection.execute(statement) }
    }

    func perSecond(rows: Int) throws -> Double {
        try clear()
        let ready = DispatchSemaphore(value: 0)
        let start = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        for number in 0..<connections {
            Thread.detachNewThread {
                let writer = Result { try SQLiteFloorWriter(path) }
                ready.signal()
                start.wait()
                do {
                    try writer.get().write(stride(from: number, to: rows, by: connections), of: questions)
                } catch {
                    failure.withLock { $0 = error }
                }
                // Closing is not measured.
                withExtendedLifetime(writer) { _ = ended.signal() }
            }
        }
        for _ in 0..<connections { ready.wait() }
        let watch = Stopwatch()
        for _ in 0..<connections { start.signal() }
        for _ in 0..<connections { ended.wait() }
        let seconds = watch.read().seconds
        if let error = failure.withLock({ $0 }) { throw error }
        return Double(rows) / seconds
    }

    /// On a connection that is closed again, so that the log which SQLite writes ahead is empty.
    private func clear() throws {
        let connection = try SQLiteConnection(path)
        for statement in FloorStore.clear { try connection.execute(statement) }
    }
}

/// A connection and its statements, made and used on one thread.
private struct SQLiteFloorWriter {
    private let statements: [SQLiteStatement]

    init(_ path: String) throws {
        let connection = try SQLiteConnection(path)
        statements = try (["BEGIN IMMEDIATE"] + FloorStore.statements(position: "?1", row: "?1") + ["COMMIT"])
            .map(connection.prepared)
    }

    func write(_ rows: StrideTo<Int>, of questions: Int) throws {
        for row in rows {
            for statement in statements { try statement.run(Int64(row % questions)) }
        }
    }
}

/// `pgbench` of PostgreSQL's own programs, a connection and a durable transaction for each client.
///
/// Like the server's, its rows lie beside each other, and the log's entries are new.
final class PostgresFloor: WriteFloor {
    let connections: Int
    private let database: String
    private let questions: Int
    /// Where the script for pgbench goes.
    private let script: String
    private let written = Atomic<Int>(0)

    init(database: String, connections: Int, questions: Int, script: String) {
        self.database = database
        self.questions = questions
        self.connections = connections
        self.script = script
    }

    func prepare() async throws {
        let server = try await PostgresDatabase.open(database, connections: 1)
        try await server.write { try $0.execute("CREATE SCHEMA \(Self.schema)", []) }
        try await server.close()
        let postgres = try await PostgresDatabase.open(address, connections: 1)
        try await postgres.migrate(Slice.all.histories)
        let rows = FloorStore.rows(questions: questions)
        try await postgres.write { transaction in
            for statement in rows { try transaction.execute(statement, []) }
        }
        try await postgres.close()
        let statements = FloorStore.statements(position: ":position", row: ":row")
        let lines =
            [
                "\\set turn :turn + 1", "\\set position :first + :turn * \(connections) + :client_id",
                "\\set row :position % \(questions)", "BEGIN;",
            ] + statements.map { "\($0);" } + ["COMMIT;"]
        try lines.joined(separator: "\n").write(toFile: script, atomically: true, encoding: .utf8)
    }

    func perSecond(rows: Int) throws -> Double {
        // Each client gives as many, and counts from 1.
        let first = written.add(rows + 2 * connections, ordering: .relaxed).oldValue
        return try PgbenchPeer(database: address, clients: connections)
            .run(script: script, times: rows, variables: ["turn": 0, "first": first])
    }

    /// The same database, where tables of the same names are others.
    private var address: String {
        "\(database)\(database.contains("?") ? "&" : "?")options=-csearch_path%3D\(Self.schema)"
    }

    private static let schema = "floor"
}
