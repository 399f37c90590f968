import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import Vault

/// `countersign-bench vault`: how fast content is sealed and opened in memory, on one core.
struct VaultBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "Seal and open a file's content in memory, in the vault's format, on one core.")

    @Option(help: "MiB of content in each round.") var size = 256
    @Option(help: "How many rounds.") var rounds = 5
    @Flag(help: "Print one JSON object.") var json = false

    func validate() throws {
        guard (1...4_096).contains(size), (1...1_000).contains(rounds) else {
            throw ValidationError("Give 1 to 4096 MiB and 1 to 1000 rounds.")
        }
    }

    func run() throws {
        let (suite, context) = (SwiftCryptoSuite(), Bytes(text: "benchmark"))
        let key = Bytes(repeating: 7, count: 32)
        let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        var figures = Figures()
        // The first round warms everything up.
        for round in 0...rounds {
            var sealer = try CobblestoneSealer(key: key, context: context, suite: suite)
            var sealed = sealer.header
            sealed.reserveCapacity(Int(Cobblestone.sealedLength(of: UInt64(size) << 20)))
            let sealing = try Self.rate(size) {
                for _ in 0..<size { try sealer.update(piece[...], into: &sealed) }
                try sealer.finish(into: &sealed)
            }
            var opener = try CobblestoneOpener(key: key, context: context, suite: suite)
            var opened: Bytes = []
            var count = 0
            let opening = try Self.rate(size) {
                for start in stride(from: 0, to: sealed.count, by: 1 << 20) {
                    opened.removeAll(keepingCapacity: true)
                    try opener.update(sealed[start..<min(start + 1 << 20, sealed.count)], into: &opened)
                    count += opened.count
                }
                opened.removeAll(keepingCapacity: true)
                try opener.finish(into: &opened)
                count += opened.count
            }
            guard count == size << 20 else { throw BenchError("What was opened is not what was sealed.") }
            guard round > 0 else { continue }
            figures.sealMebibytesPerSecond.append(sealing)
            figures.openMebibytesPerSecond.append(opening)
        }
        try figures.print(json: json)
    }

    /// MiB in a second of processor time.
    private static func rate(_ size: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = LogBench.processorSeconds()
        try body()
        return Double(size) / (LogBench.processorSeconds() - start)
    }

    private struct Figures: BenchFigures {
        var sealMebibytesPerSecond: [Double] = []
        var openMebibytesPerSecond: [Double] = []

        var words: String {
            """
            sealed \(Int(StorageBench.median(sealMebibytesPerSecond))) MiB, opened \
            \(Int(StorageBench.median(openMebibytesPerSecond))) MiB a second of one core (medians)
            """
        }
    }
}
