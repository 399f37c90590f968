import Foundation
import Storage

/// The least that storing approvals can cost: the rows that one writes, durable for each client by itself.
protocol WriteFloor: Sendable {
    /// Makes tables.
    func prepare() async throws
    /// Writes as often as approvals were stored.
    ///
    /// - Returns: how many times a second.
    func perSecond(rows: Int) throws -> Double
}

/// SQLite's own interface, a durable transaction for each: it lets one write at a time, however many ask.
final class SQLiteFloor: WriteFloor {
    private let path: String

    init(path: String) { self.path = path }

    func prepare() async throws {
        let connection = try SQLiteConnection(path)
        for statement in FloorStore.tables + FloorStore.rows { try connection.execute(statement) }
    }

    func perSecond(rows: Int) throws -> Double {
        let connection = try SQLiteConnection(path)
        try connection.execute(FloorStore.clear)
        let statements = try (["BEGIN IMMEDIATE"] + FloorStore.statements(position: "?1", row: "?1") + ["COMMIT"])
            .map(connection.prepared)
        let watch = Stopwatch()
        for row in 0..<rows {
            for statement in statements { try statement.run(Int64(row % FloorStore.count)) }
        }
        return Double(rows) / watch.read().seconds
    }
}

/// `pgbench` of PostgreSQL's own programs, a connection and a durable transaction for each client.
struct PostgresFloor: WriteFloor {
    let database: String
    let clients: Int
    /// Where the script for pgbench goes.
    let script: String

    func prepare() async throws {
        let postgres = try await PostgresDatabase.open(database, connections: 1)
        try await postgres.write { transaction in
            for statement in FloorStore.tables + ["CREATE SEQUENCE floor_positions"] + FloorStore.rows {
                try transaction.execute(statement, [])
            }
        }
        try await postgres.close()
        let statements = FloorStore.statements(position: "nextval('floor_positions')", row: ":row")
        let lines =
            ["\\set row random(0, \(FloorStore.count - 1))", "BEGIN;"] + statements.map { "\($0);" } + ["COMMIT;"]
        try lines.joined(separator: "\n").write(toFile: script, atomically: true, encoding: .utf8)
    }

    func perSecond(rows: Int) throws -> Double {
        try PgbenchPeer(database: database, clients: clients).run(script: script, times: rows)
    }
}
