import ArgumentParser
import Encodings
import Foundation
import Server
import Storage

/// `countersign-bench pages`: the server as pages use it, beside its HTTP library with nothing of ours on it.
///
/// Rounds are many and short: a machine that others use too is as fast for half a second, and not for a minute.
struct PagesBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages",
        abstract: "Signed-in reads and passkey sign-ins over HTTP, beside a bare hello of the same HTTP library.")

    @Option(help: "How many rounds; each measures everything once.") var rounds = 30
    @Option(help: "For how many seconds of each round to ask for hello, and for the account.") var seconds = 0.5
    @Option(help: "How many passkey sign-ins in each round.") var signIns = 200
    @Option(help: "How many connections, with one request under way on each.") var connections = 32
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...1_000).contains(rounds), 0.01...3_600 ~= seconds, (1...100_000).contains(signIns),
            (1...1_000).contains(connections)
        else { throw ValidationError("Give 1 to 1000 rounds and connections, 1 to 100000 sign-ins.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let flags = ["port": "0", "log-level": "warning"]
        guard case .success(let configuration) = ServerConfiguration.read(flags: flags, environment: [:], file: nil)
        else { throw ValidationError("The server's settings are refused.") }
        let server = try await CountersignServer(
            configuration: configuration, directory: try DataDirectory.open(folder), publicURL: PagesVisitor.url,
            parts: CountersignServer.Parts(isLimitingRates: false),
            database: try await SQLiteDatabase.open(folder + "/bench.sqlite"))
        let logger = ServerLog.makeLogger(configuration, settings: server.settings)
        let (ports, announce) = AsyncStream.makeStream(of: (isOurs: Bool, port: Int).self)
        let figures = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await BareServer.run(port: 0, logger: logger) { announce.yield((isOurs: false, port: $0)) }
            }
            group.addTask {
                try await server.run(logger: logger, stopsOnSignals: false) {
                    announce.yield((isOurs: true, port: $0))
                }
            }
            var (bare, ours) = (0, 0)
            for await (isOurs, port) in ports {
                if isOurs { ours = port } else { bare = port }
                if bare > 0, ours > 0 { break }
            }
            let figures = try await measure(bare: bare, ours: ours, code: server.environment.setUpCode)
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
            return figures
        }
        try figures.print(json: json)
    }

    private func measure(bare: Int, ours: Int, code: String) async throws -> PagesFigures {
        let hello = LoadGenerator(port: bare, connections: connections)
        let load = LoadGenerator(port: ours, connections: connections)
        let visitor = try await PagesVisitor(load: load, code: code)
        var figures = PagesFigures(connections: connections)
        // The first round warms everything up.
        for round in 0...rounds {
            let read = try await visitor.read()
            let assertions = try await visitor.signIns(signIns)
            let greeted = try await hello.repeated(PagesVisitor.request("GET", "/hello"), seconds: seconds)
            let account = try await load.repeated(read, seconds: seconds)
            let signedIn = try await load.each(assertions)
            if round > 0 { figures.add(hello: greeted, read: account, signIn: signedIn) }
        }
        return figures
    }
}

/// What was seen, one value for each round.
private struct PagesFigures {
    let connections: Int
    private var hello: [LoadGenerator.Outcome] = []
    private var read: [LoadGenerator.Outcome] = []
    private var signIn: [LoadGenerator.Outcome] = []

    init(connections: Int) { self.connections = connections }

    mutating func add(
        hello: LoadGenerator.Outcome, read: LoadGenerator.Outcome, signIn: LoadGenerator.Outcome
    ) {
        self.hello.append(hello)
        self.read.append(read)
        self.signIn.append(signIn)
    }

    private struct Summary: BenchFigures {
        let rounds: Int
        let connections: Int
        let helloPerSecond: Double
        let readsPerSecond: Double
        let signInsPerSecond: Double
        let readRatio: Double
        let readRatioLowest: Double
        let readRatioHighest: Double
        let signInRatio: Double
        let helloProcessorMicroseconds: Double
        let readProcessorMicroseconds: Double
        let signInProcessorMicroseconds: Double

        var words: String {
            func percent(_ ratio: Double) -> String { String(format: "%.0f %%", ratio * 100) }
            return """
                bare hello: \(Int(helloPerSecond)) a second, \(Int(helloProcessorMicroseconds)) µs of CPU each
                signed-in read: \(Int(readsPerSecond)) a second, \(Int(readProcessorMicroseconds)) µs of CPU each; \
                \(percent(readRatio)) of hello, from \(percent(readRatioLowest)) to \(percent(readRatioHighest))
                passkey sign-in: \(Int(signInsPerSecond)) a second, \
                \(Int(signInProcessorMicroseconds)) µs of CPU each; \(percent(signInRatio)) of hello
                medians of \(rounds) rounds, \(connections) connections
                """
        }
    }

    func print(json: Bool) throws {
        let ratios = zip(read, hello).map { $0.perSecond / $1.perSecond }
        let summary = Summary(
            rounds: hello.count, connections: connections, helloPerSecond: Self.median(hello.map(\.perSecond)),
            readsPerSecond: Self.median(read.map(\.perSecond)), signInsPerSecond: Self.median(signIn.map(\.perSecond)),
            readRatio: Self.median(ratios), readRatioLowest: ratios.min() ?? 0, readRatioHighest: ratios.max() ?? 0,
            signInRatio: Self.median(zip(signIn, hello).map { $0.perSecond / $1.perSecond }),
            helloProcessorMicroseconds: Self.median(hello.map(\.processorMicroseconds)),
            readProcessorMicroseconds: Self.median(read.map(\.processorMicroseconds)),
            signInProcessorMicroseconds: Self.median(signIn.map(\.processorMicroseconds)))
        try summary.print(json: json)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
