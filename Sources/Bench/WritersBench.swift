import ArgumentParser
import Foundation
import Storage

/// `countersign-bench writers`: durable acts of one process among others that write to the same PostgreSQL.
struct WritersBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writers", abstract: "Durable acts of one process, while others write to the same PostgreSQL.",
        discussion: """
            Benchmarks/writers.py starts one, two and four of them, each held to the same share of a core. With --make \
            the tables are made, and nothing is measured.
            """)

    @Option(help: "A PostgreSQL database, postgres://….") var database: String
    @Flag(help: "Make the tables in an empty database, and end.") var make = false
    @Option(help: "How many acts are under way at once.") var writers = 64
    @Option(help: "For how many seconds to measure.") var seconds = 5.0
    @Option(help: "When to begin measuring, in seconds since 1970; until then acts are done too.") var at: Double?
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...10_000).contains(writers), 0.1...600 ~= seconds else {
            throw ValidationError("Give 1 to 10000 writers and 0.1 to 600 seconds.")
        }
    }

    func run() async throws {
        let postgres = try await PostgresDatabase.open(database, connections: 1)
        let engine = EngineBench(name: "PostgreSQL", database: postgres) { postgres.figures }
        if make {
            try await engine.prepare()
            return try await postgres.close()
        }
        let pause = max(0.1, (at ?? 0) - Date().timeIntervalSince1970)
        _ = try await engine.acts(writers: writers, seconds: pause)
        let (before, watch) = (postgres.figures, Stopwatch())
        let acts = try await engine.acts(writers: writers, seconds: seconds)
        let (after, passed) = (postgres.figures, watch.read())
        try await postgres.close()
        try Figures(
            actsPerSecond: acts.perSecond, actsPerCommit: acts.perCommit,
            lockHeldShare: (after.lockHeld - before.lockHeld) / passed.seconds,
            lockWaitedShare: (after.lockWaited - before.lockWaited) / passed.seconds,
            cores: passed.processorSeconds / passed.seconds
        ).print(json: json)
    }

    private struct Figures: BenchFigures {
        let actsPerSecond: Double
        let actsPerCommit: Double
        /// As this process sees it: from the lock's arrival to that of the commit's answer.
        let lockHeldShare: Double
        let lockWaitedShare: Double
        let cores: Double

        var words: String {
            let shares = [lockHeldShare, lockWaitedShare].map { String(format: "%.2f", $0) }
            return """
                \(Int(actsPerSecond)) durable acts a second, \(String(format: "%.1f", actsPerCommit)) for each commit; the \
                lock held for \(shares[0]) of the time, waited for \(shares[1]); \(String(format: "%.2f", cores)) cores
                """
        }
    }
}
