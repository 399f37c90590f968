import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Interface
import Server
import Storage
import Synchronization

/// `countersign-bench approvals`: answers verified and durably stored, beside what nobody can do without.
struct ApprovalsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals",
        abstract: "Approvals verified and durably stored, beside the same verifications and writes alone.",
        discussion: """
            As many members as clients answer payments over HTTP, each on a connection of its own. Beside it, in every \
            round: the same P-256 verifications alone, on all cores; and the three rows that an approval writes, as \
            one transaction for each approval, by SQLite or PostgreSQL and nothing of ours. PostgreSQL has a \
            connection for each client. SQLite is measured twice: on a single connection, which never waits; and on \
            one for each client, all started together, which wait in SQLite's own way (busy_timeout). Without \
            --database SQLite alone is measured. The database must be an empty one; tables are left in it.

              scripts/with-postgres sh -c 'countersign-bench approvals --database "${TEST_POSTGRES%%\\?*}"'
            """)

    @Option(help: "An empty PostgreSQL database, postgres://….") var database: String?
    @Option(help: "How many members answer at once.") var clients = 64
    @Option(help: "How many questions each member answers in a round, at most 60.") var questions = 60
    @Option(help: "How many rounds.") var rounds = 5
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...1_000).contains(clients), (1...60).contains(questions), (1...1_000).contains(rounds) else {
            throw ValidationError("Give 1 to 1000 clients and rounds, 1 to 60 questions.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sqlite = folder + "/server"
        let directory = try DataDirectory.open(sqlite)
        let asked = clients * questions
        let floors = Set([1, clients]).sorted().map { count in
            SQLiteFloor(path: folder + "/floor-\(count).sqlite", connections: count, questions: asked)
        }
        var engines = [
            try await measure(
                "SQLite", try await SQLiteDatabase.open(sqlite + "/bench.sqlite"), directory, floors: floors)
        ]
        if let database {
            engines.append(
                try await measure(
                    "PostgreSQL", try await PostgresDatabase.open(database), try DataDirectory.open(folder + "/other"),
                    floors: [
                        PostgresFloor(
                            database: database, connections: clients, questions: asked, script: folder + "/floor.sql")
                    ]))
        }
        try Figures(clients: clients, rounds: rounds, engines: engines).print(json: json)
    }

    private func measure(
        _ engine: String, _ database: any Database, _ directory: DataDirectory, floors: [any WriteFloor]
    ) async throws -> EngineFigures {
        let flags = ["port": "0", "log-level": "warning"]
        guard case .success(let configuration) = ServerConfiguration.read(flags: flags, environment: [:], file: nil)
        else { throw ValidationError("The server's settings are refused.") }
        // Nobody may be asked more often than they allow: the hours pass quickly here.
        let ahead = Atomic<Int64>(0)
        let clock = ServerClock.system
        let parts = CountersignServer.Parts(
            clock: ServerClock(
                now: { clock.now() + ahead.load(ordering: .relaxed) }, uptime: clock.uptime, sleep: clock.sleep),
            isLimitingRates: false)
        let server = try await CountersignServer(
            configuration: configuration, directory: directory, publicURL: PagesVisitor.url, parts: parts,
            database: database)
        let logger = ServerLog.makeLogger(configuration, settings: server.settings)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run(logger: logger, stopsOnSignals: false) { announce.yield($0) }
            }
            var port = 0
            for await found in ports {
                port = found
                break
            }
            let people = try await ApprovalsPeople(port: port, code: server.environment.setUpCode, count: clients)
            for floor in floors { try await floor.prepare() }
            var figures = EngineFigures(engine: engine, connections: floors.map { $0.connections })
            // The first round warms everything up.
            for round in 0...rounds {
                ahead.add(3_600, ordering: .relaxed)
                let answers = try await people.answers(questions)
                let outcome = try await people.load.each(answers)
                let count = Double(answers.count)
                let verified = try await VerificationFloor.perSecond(for: count)
                let written = try floors.map { try $0.perSecond(rows: answers.count) }
                guard round > 0 else { continue }
                figures.add(ours: outcome, verified: verified, written: written)
            }
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
            return figures
        }
    }

    private struct Figures: BenchFigures {
        let clients: Int
        let rounds: Int
        let engines: [EngineFigures]

        var words: String {
            (engines.map(\.words) + ["medians of \(rounds) rounds; \(clients) clients"]).joined(separator: "\n")
        }
    }
}

/// What was seen of one engine, a value for each round.
private struct EngineFigures: Encodable {
    /// The rows alone, on so many connections.
    private struct Writes: Encodable {
        let connections: Int
        var perSecond: [Double] = []
    }

    let engine: String
    private var approvals: [Double] = []
    private var processorMicroseconds: [Double] = []
    private var verifications: [Double] = []
    private var writes: [Writes]

    init(engine: String, connections: [Int]) {
        self.engine = engine
        writes = connections.map { Writes(connections: $0) }
    }

    mutating func add(ours: LoadGenerator.Outcome, verified: Double, written: [Double]) {
        approvals.append(ours.perSecond)
        processorMicroseconds.append(ours.processorMicroseconds)
        verifications.append(verified)
        for (index, perSecond) in written.enumerated() { writes[index].perSecond.append(perSecond) }
    }

    var words: String {
        let ours = """
            \(engine): \(Int(StorageBench.median(approvals))) approvals a second, \
            \(Int(StorageBench.median(processorMicroseconds))) µs of CPU each
            \(engine): alone \(Int(StorageBench.median(verifications))) verifications a second
            """
        return ([ours] + writes.map { beside($0) }).joined(separator: "\n")
    }

    private func beside(_ writes: Writes) -> String {
        let floor = zip(verifications, writes.perSecond).map { min($0, $1) }
        let ratios = zip(approvals, floor).map { $0 / $1 }
        func ratio(_ value: Double?) -> String { String(format: "%.2f", value ?? .nan) }
        return """
            \(engine): alone \(Int(StorageBench.median(writes.perSecond))) durable writes a second on \
            \(writes.connections) connection\(writes.connections == 1 ? "" : "s"); approvals to the slower of \
            verifications and these \(ratio(StorageBench.median(ratios))) \
            (\(ratio(ratios.min())) to \(ratio(ratios.max())))
            """
    }
}
