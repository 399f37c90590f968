import ArgumentParser
import Foundation
import Interface

/// `countersign-bench`: what this machine does, measured in one run, and load that a server must survive.
///
/// A program of its own, so that the one that is installed holds neither.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign-bench", abstract: "Measure Countersign's speed on this machine, or hammer servers.",
        discussion: "Benchmarks/run measures the same beside peers; docs/benchmarks.md has figures that were seen.",
        version: CountersignVersion.text,
        subcommands: [
            ApprovalsBench.self, BencodeBench.self, ChannelsBench.self, ListenersBench.self, LogBench.self,
            PagesBench.self, PassphraseBench.self, PicoBench.self,
            QRBench.self, SignaturesBench.self, StorageBench.self, VaultBench.self, VaultBreakBench.self,
            VaultTransferBench.self,
            VerifyBench.self,
            WitnessBench.self,
            WritersBench.self,
            BareCommand.self, HammerCommand.self,
        ])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as BenchError {
            end(error.words)
        } catch {
            // The arguments' parser words its own errors; a check that found something has already said so.
            guard exitCode(for: error) == .failure, !(error is ExitCode) else { exit(withError: error) }
            end("\(error)")
        }
    }

    /// Ends with 2: it could not be told.
    private static func end(_ words: String) -> Never {
        FileHandle.standardError.write(Data("error: \(words)\n".utf8))
        exit(withError: ExitCode(2))
    }
}

/// A measurement or a check cannot go on; the words say why.
struct BenchError: Error {
    let words: String

    init(_ words: String) { self.words = words }
}
