import ArgumentParser
import Encodings
import Foundation
import Server
import Storage
import Synchronization

/// `countersign-bench log`: durable appends to a fresh transparency log, each until its receipt is there.
struct LogBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Append to a fresh log from many writers; every append waits for its receipt.",
        discussion: "Then it is audited and started with, and receipts are made of entries drawn at random.")

    @Option(help: "How many writers.") var writers = 64
    @Option(help: "How many appends each writer has under way at once.") var outstanding = 32
    @Option(help: "How many appends in all.") var appends = 100_000
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...10_000).contains(writers), (1...1_000).contains(outstanding), (1...100_000_000).contains(appends)
        else { throw ValidationError("Give 1 to 10000 writers, 1 to 1000 outstanding, 1 to 100000000 appends.") }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("countersign-bench-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let figures = try await append(in: folder)
        let inspection = try await LogInspection(folder: folder, publicURL: Self.publicURL, proofs: 10_000) {
            try await SQLiteDatabase.open(folder + "/bench.sqlite")
        }
        try Figures(appends: figures, after: inspection).print(json: json)
    }

    private static let publicURL = "http://localhost:8080"

    private func append(in folder: String) async throws -> Appends {
        let server = try await CountersignServer(
            configuration: ServerConfiguration(), directory: try DataDirectory.open(folder), publicURL: Self.publicURL,
            database: try await SQLiteDatabase.open(folder + "/bench.sqlite"))
        let tally = Tally(appends: appends)
        let watch = Stopwatch()
        let writers = writers
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<writers * outstanding {
                group.addTask { try await tally.work(on: server, account: "writer-\(lane % writers)") }
            }
            try await group.waitForAll()
        }
        let (seconds, used) = watch.read()
        let sorted = tally.latencies.withLock { $0.sorted() }
        let result = Appends(
            appends: sorted.count, seconds: seconds, appendsPerSecond: Double(sorted.count) / seconds,
            processorSeconds: used, receiptMillisecondsMedian: sorted[sorted.count / 2],
            receiptMillisecondsP99: sorted[sorted.count * 99 / 100], logSize: Int(await server.environment.log.size))
        try await server.environment.database.close()
        return result
    }

    /// User and system time of this process, in seconds.
    static func processorSeconds() -> Double {
        Double(clock()) / 1e6
    }

    private struct Figures: BenchFigures {
        let appends: Appends
        let after: LogInspection

        var words: String { appends.words + "\n" + after.words }

        /// One object: what was appended, and what it costs afterwards.
        func encode(to encoder: any Encoder) throws {
            try appends.encode(to: encoder)
            try after.encode(to: encoder)
        }
    }

    private struct Appends: Encodable {
        let appends: Int
        let seconds: Double
        let appendsPerSecond: Double
        let processorSeconds: Double
        let receiptMillisecondsMedian: Double
        let receiptMillisecondsP99: Double
        let logSize: Int

        var words: String {
            """
            \(appends) durable appends in \(String(format: "%.2f", seconds)) s, \
            \(Int(appendsPerSecond)) a second, \(String(format: "%.2f", processorSeconds)) s of CPU
            receipt: median \(String(format: "%.1f", receiptMillisecondsMedian)) ms, \
            p99 \(String(format: "%.1f", receiptMillisecondsP99)) ms
            """
        }
    }
}

/// The entries left to append, and how long each append took.
private final class Tally: Sendable {
    /// In milliseconds.
    let latencies = Mutex<[Double]>([])
    private let remaining: Mutex<Int>

    init(appends: Int) { remaining = Mutex(appends) }

    /// Appends one after the other until nothing is left.
    func work(on server: CountersignServer, account: String) async throws {
        let clock = ContinuousClock()
        let environment = server.environment
        var own: [Double] = []
        while takeOne() {
            let began = clock.now
            let index = try await environment.database.write { transaction in
                try environment.log.record(
                    TrustEvent(.documentIssued, account: account, [("credential", .text("bench"))]), in: transaction,
                    now: 1_790_000_000)
            }
            _ = try await environment.log.receipt(index)
            own.append(Double(began.duration(to: clock.now) / .microseconds(1)) / 1000)
        }
        latencies.withLock { $0 += own }
    }

    private func takeOne() -> Bool {
        remaining.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
    }
}
