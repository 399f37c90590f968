import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Server
import Storage
import Transparency

/// `countersign-bench witness`: how long a log waits for a witness's signature.
struct WitnessBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness", abstract: "Ask a witness over HTTP for cosignatures, for one log and for many at once.",
        discussion: """
            Each is a proof checked, a durable commit and a signature. Beside it, in every round: a bare durable \
            append to a file, which is the least that remembering can cost.
            """)

    @Option(help: "How many logs ask at once in the second part of a round.") var logs = 16
    @Option(help: "How many checkpoints each part of a round has signed.") var checkpoints = 320
    @Option(help: "How many rounds.") var rounds = 5
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...100).contains(logs), (logs...10_000).contains(checkpoints), (1...100).contains(rounds) else {
            throw ValidationError("Give 1 to 100 logs, as many to 10000 checkpoints, 1 to 100 rounds.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var asking: [BenchLog] = []
        for number in 0..<logs { asking.append(try BenchLog(origin: "log-\(number).example/log")) }
        let flags = ["port": "0", "log-level": "critical"]
        guard case .success(let configuration) = ServerConfiguration.read(flags: flags, environment: [:], file: nil)
        else { throw ValidationError("The witness's settings are refused.") }
        let witness = try await WitnessServer(
            configuration: configuration, directory: try DataDirectory.open(folder), name: "bench.example/w1",
            logs: asking.map(\.verifierKey), isLimitingRates: false)
        let logger = ServerLog.makeLogger(configuration)
        let (ports, announce) = AsyncStream.makeStream(of: Int.self)
        let figures = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await witness.run(logger: logger, stopsOnSignals: false) { announce.yield($0) }
            }
            var url = ""
            for await port in ports {
                url = "http://127.0.0.1:\(port)"
                break
            }
            let figures = try await measure(&asking, url: url, file: folder + "/bare")
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
            return figures
        }
        try figures.print(json: json)
    }

    private func measure(_ asking: inout [BenchLog], url: String, file: String) async throws -> Figures {
        var (alone, together, bare) = (Times(), Times(), Times())
        // The first round warms everything up.
        for round in 0...rounds {
            let first = try asking[0].requests(checkpoints)
            var others: [[Bytes]] = []
            for index in asking.indices { others.append(try asking[index].requests(checkpoints / logs)) }
            let one = try await Self.ask([first], url)
            let many = try await Self.ask(others, url)
            let file = try BareCommitter(path: file).seconds(of: checkpoints)
            guard round > 0 else { continue }
            alone.add(one)
            together.add(many)
            bare.add((file, file.reduce(0, +)))
        }
        return Figures(
            logs: logs, rounds: rounds, checkpoints: checkpoints * rounds, alone: alone.summary,
            together: together.summary, bareAppend: bare.summary)
    }

    /// Has requests signed, those of one log one after the other.
    ///
    /// - Returns: what each took, and all of them together, in seconds.
    private static func ask(_ requests: [[Bytes]], _ url: String) async throws -> (each: [Double], all: Double) {
        let watch = Stopwatch()
        let each = try await withThrowingTaskGroup(of: [Double].self) { group in
            for lane in requests {
                group.addTask {
                    let transport = HTTPWitnessTransport()
                    var times: [Double] = []
                    for request in lane {
                        let watch = Stopwatch()
                        let answer = try await transport.addCheckpoint(request, at: url)
                        guard answer.status == 200 else { throw BenchError("the witness answered \(answer.status)") }
                        times.append(watch.read().seconds)
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return (each, watch.read().seconds)
    }

    /// What single requests took.
    private struct Times {
        private var each: [Double] = []
        private var all = 0.0

        mutating func add(_ round: (each: [Double], all: Double)) {
            each += round.each
            all += round.all
        }

        var summary: Summary {
            let sorted = each.sorted()
            return Summary(
                perSecond: Double(sorted.count) / all, millisecondsMedian: sorted[sorted.count / 2] * 1e3,
                millisecondsP99: sorted[sorted.count * 99 / 100] * 1e3)
        }
    }

    private struct Summary: Encodable {
        let perSecond: Double
        let millisecondsMedian: Double
        let millisecondsP99: Double

        var words: String {
            """
            median \(String(format: "%.2f", millisecondsMedian)) ms, p99 \(String(format: "%.2f", millisecondsP99)) ms, \
            \(Int(perSecond)) a second
            """
        }
    }

    private struct Figures: BenchFigures {
        let logs: Int
        let rounds: Int
        let checkpoints: Int
        let alone: Summary
        let together: Summary
        let bareAppend: Summary

        var words: String {
            """
            cosignature, one log: \(alone.words)
            cosignature, \(logs) logs at once: \(together.words)
            bare durable append: \(bareAppend.words)
            \(checkpoints) of each in \(rounds) rounds
            """
        }
    }
}

/// A log in memory that grows by one entry at a time.
private struct BenchLog {
    private let key = LogSigningKey()
    private let origin: Bytes
    let verifierKey: NoteVerifierKey
    private var state = TreeState()
    private var tiles = FetchedTiles()
    private let suite = SwiftCryptoSuite()

    init(origin: String) throws {
        self.origin = Bytes(text: origin)
        verifierKey = try NoteVerifierKey(name: self.origin, publicKey: key.publicKey)
    }

    /// The next requests to a witness, each for one entry more.
    mutating func requests(_ count: Int) throws -> [Bytes] {
        try (0..<count).map { _ in
            let old = state.size
            let entry = Bytes(text: "\(old) \(BareCommitter.act)")
            for content in try state.append([entry], suite: suite) where content.tile.kind != .entries {
                try tiles.add(content.tile, content.bytes)
            }
            let text = try Checkpoint(origin: origin, size: state.size, root: state.root(suite: suite)).encoded()
            var note = try SignedNote(text: text)
            note.add(try verifierKey.line(try key.sign(SignedNote.message(for: .ed25519, text: text))))
            let proof = try ProofPlan.consistency(from: old, to: state.size).hashes(from: tiles, suite: suite)
            return try WitnessRequest(oldSize: old, proof: proof, note: note.encoded()).encoded()
        }
    }
}
