import ArgumentParser
import Foundation
import Storage

/// `countersign-bench storage`: point reads and durable acts on SQLite and PostgreSQL, beside `pgbench -S` and a bare
/// group committer.
struct StorageBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage", abstract: "Point reads and durable acts on SQLite and PostgreSQL, beside their peers.",
        discussion: """
            Peers: 'pgbench -S' on the same PostgreSQL, with as many clients; and one thread that appends to a file and \
            waits for the disk (fdatasync), as many acts at once as the engine's commits held. Without --database \
            SQLite alone is measured. The database must be an empty one; tables are left in it.

              scripts/with-postgres sh -c 'countersign-bench storage --database "${TEST_POSTGRES%%\\?*}"'
            """)

    @Option(help: "An empty PostgreSQL database, postgres://….") var database: String?
    @Option(help: "How many read at once.") var clients = 8
    @Option(help: "How many acts are under way at once.") var writers = 64
    @Option(help: "For how many seconds of each round to measure each.") var seconds = 2.0
    @Option(help: "How many rounds.") var rounds = 5
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...1_000).contains(clients), (1...10_000).contains(writers), 0.1...600 ~= seconds,
            (1...1_000).contains(rounds)
        else { throw ValidationError("Give 1 to 1000 clients and rounds, 1 to 10000 writers, 0.1 to 600 seconds.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("bare").path
        let sqlite = try await SQLiteDatabase.open(folder.appendingPathComponent("bench.sqlite").path)
        var engines = [EngineBench(name: "SQLite", database: sqlite) { sqlite.figures }]
        let pgbench = database.map { PgbenchPeer(database: $0, clients: clients) }
        if let database {
            let postgres = try await PostgresDatabase.open(database, connections: clients)
            engines.append(EngineBench(name: "PostgreSQL", database: postgres) { postgres.figures })
            try pgbench?.prepare()
        }
        for engine in engines { try await engine.prepare() }
        var figures = engines.map { EngineFigures(engine: $0.name) }
        var pgbenchReads: [Double] = []
        // The first round warms everything up.
        for round in 0...rounds {
            var reads: [Double] = []
            for engine in engines { reads.append(try await engine.reads(clients: clients, seconds: seconds)) }
            // As many as PostgreSQL has just done.
            if let pgbench, let rate = reads.last, round > 0 {
                pgbenchReads.append(try pgbench.run(reads: rate * seconds))
            }
            for (index, engine) in engines.enumerated() {
                let acts = try await engine.acts(writers: writers, seconds: seconds)
                let group = max(1, Int(acts.perCommit.rounded()))
                let bare = try BareCommitter(path: file).perSecond(groupsOf: group, seconds: seconds)
                guard round > 0 else { continue }
                figures[index].add(reads: reads[index], acts: acts, bare: bare)
            }
        }
        for engine in engines { try await engine.database.close() }
        try Figures(
            clients: clients, writers: writers, rounds: rounds,
            pgbenchReadsPerSecond: pgbenchReads.isEmpty ? nil : Self.median(pgbenchReads),
            engines: figures.map { $0.summary(pgbench: pgbenchReads) }
        ).print(json: json)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private struct Figures: BenchFigures {
        let clients: Int
        let writers: Int
        let rounds: Int
        let pgbenchReadsPerSecond: Double?
        let engines: [EngineFigures.Summary]

        var words: String {
            let peer = pgbenchReadsPerSecond.map { ["pgbench -S: \(Int($0)) reads a second, \(clients) clients"] } ?? []
            let end = "medians of \(rounds) rounds; \(clients) read at once, \(writers) acts under way at once"
            return (engines.map(\.words) + peer + [end]).joined(separator: "\n")
        }
    }
}

/// What was seen of one engine, a value for each round.
private struct EngineFigures {
    let engine: String
    private var reads: [Double] = []
    private var acts: [EngineBench.Acts] = []
    private var bare: [Double] = []

    init(engine: String) { self.engine = engine }

    mutating func add(reads: Double, acts: EngineBench.Acts, bare: Double) {
        self.reads.append(reads)
        self.acts.append(acts)
        self.bare.append(bare)
    }

    func summary(pgbench: [Double]) -> Summary {
        Summary(
            engine: engine, readsPerSecond: StorageBench.median(reads),
            readsToPgbench: pgbench.isEmpty ? nil : StorageBench.median(zip(reads, pgbench).map { $0 / $1 }),
            actsPerSecond: StorageBench.median(acts.map(\.perSecond)),
            actsPerCommit: StorageBench.median(acts.map(\.perCommit)), bareActsPerSecond: StorageBench.median(bare),
            actsToBare: StorageBench.median(zip(acts, bare).map { $0.perSecond / $1 }))
    }

    struct Summary: Encodable {
        let engine: String
        let readsPerSecond: Double
        let readsToPgbench: Double?
        let actsPerSecond: Double
        let actsPerCommit: Double
        let bareActsPerSecond: Double
        let actsToBare: Double

        var words: String {
            func ratio(_ value: Double) -> String { String(format: "%.2f", value) }
            let beside = readsToPgbench.map { ", \(ratio($0)) of pgbench -S" } ?? ""
            return """
                \(engine): \(Int(readsPerSecond)) point reads a second\(beside)
                \(engine): \(Int(actsPerSecond)) durable acts a second, \(String(format: "%.1f", actsPerCommit)) for each \
                commit; a bare group committer \(Int(bareActsPerSecond)), ratio \(ratio(actsToBare))
                """
        }
    }
}
