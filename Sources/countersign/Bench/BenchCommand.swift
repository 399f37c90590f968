import ArgumentParser

/// `countersign bench`: what this machine does, measured in one run.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure speed on this machine.",
        discussion: "Benchmarks/run measures the same beside peers; docs/benchmarks.md has figures that were seen.",
        subcommands: [
            LogBench.self, PagesBench.self, SignaturesBench.self, StorageBench.self, VerifyBench.self,
            WitnessBench.self, WritersBench.self, HammerCommand.self,
        ])
}
