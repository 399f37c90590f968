import ArgumentParser

/// `countersign witness`.
struct WitnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Watch over other people's logs: sign each checkpoint that continues the last.",
        discussion: """
            A witness keeps a log from showing different people different histories. It belongs to somebody other \
            than the log: the student union, a partner university. It speaks C2SP tlog-witness, so that other programs' logs \
            and witnesses work with it.

              countersign witness --data ./witness --name witness.union.example/w1 --log-key log.vkey --port 8090
            """,
        subcommands: [WitnessServeCommand.self, WitnessStatusCommand.self], defaultSubcommand: WitnessServeCommand.self)
}
