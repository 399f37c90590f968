import Encodings
import Foundation
import Server
import Storage
import Transparency
import Wallet

/// The cost of a log that is there already: to audit it, to start with it, to prove from it, and to keep it.
struct LogInspection: Encodable {
    let auditSeconds: Double
    let auditProcessorSeconds: Double
    let startSeconds: Double
    let startProcessorSeconds: Double
    /// The median of receipts of entries drawn at random, each with its row and its proof, one after the other.
    let proofMicrosecondsMedian: Double
    let proofMicrosecondsP99: Double
    let logBytes: Int
    let logFiles: Int
    let databaseBytes: Int

    /// Looks at the log of a server that has stopped.
    ///
    /// - Parameter open: opens its database.
    init(
        folder: String, publicURL: String, proofs: Int, open: () async throws -> any Database
    ) async throws {
        let start = Stopwatch()
        let server = try await CountersignServer(
            configuration: ServerConfiguration(), directory: try DataDirectory.open(folder), publicURL: publicURL,
            database: try await open())
        (startSeconds, startProcessorSeconds) = start.read()
        let log = server.environment.log
        let size = Int64(await log.size)
        var times: [Double] = []
        for _ in 0..<proofs {
            let watch = Stopwatch()
            _ = try await log.receipt(Int64.random(in: 0..<size))
            times.append(watch.read().seconds * 1e6)
        }
        times.sort()
        proofMicrosecondsMedian = times[times.count / 2]
        proofMicrosecondsP99 = times[times.count * 99 / 100]
        let audit = Stopwatch()
        let key = try NoteVerifierKey.parse(Bytes(text: log.verifierKey))
        let report = try await LogAudit(.folder(folder + "/log"), policy: LogPolicy(logKey: key), previous: nil).run {
            _, _ in
        }
        (auditSeconds, auditProcessorSeconds) = audit.read()
        guard report.checkpoint.size == UInt64(size) else { throw BenchError("the audit saw another log") }
        try await server.environment.database.close()
        (logBytes, logFiles) = Self.disk(folder + "/log")
        databaseBytes = Self.disk(folder).bytes - logBytes
    }

    /// Bytes and number of the files below a folder.
    private static func disk(_ folder: String) -> (bytes: Int, files: Int) {
        var (bytes, files) = (0, 0)
        guard let names = FileManager.default.enumerator(atPath: folder) else { return (0, 0) }
        for case let name as String in names {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)"),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            bytes += attributes[.size] as? Int ?? 0
            files += 1
        }
        return (bytes, files)
    }

    var words: String {
        func seconds(_ value: Double) -> String { String(format: "%.2f", value) }
        return """
            audit of all of it: \(seconds(auditSeconds)) s, \(seconds(auditProcessorSeconds)) s of CPU
            start with it: \(seconds(startSeconds)) s, \(seconds(startProcessorSeconds)) s of CPU
            receipt of any entry: median \(Int(proofMicrosecondsMedian)) µs, p99 \(Int(proofMicrosecondsP99)) µs
            on disk: log \(logBytes >> 20) MiB in \(logFiles) files, database \(databaseBytes >> 20) MiB
            """
    }
}

/// Time and processor time since it was made.
struct Stopwatch {
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    private let processor = LogBench.processorSeconds()

    func read() -> (seconds: Double, processorSeconds: Double) {
        (
            Double(start.duration(to: clock.now) / .microseconds(1)) / 1e6,
            LogBench.processorSeconds() - processor
        )
    }
}
