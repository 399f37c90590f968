import ArgumentParser

/// `countersign admin`: what is done at the server's own machine, to its data directory and database.
struct OperationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Work on the server's own machine: its keys and data.",
        discussion: """
            These commands act on the data directory (--data) and the database (--database), not through the server's \
            address, and need the rights of the server's user. Those that change keys or tables ask you to stop the \
            server first, and check that you did.

              countersign admin root status
              countersign admin root export root.backup --remove
              countersign admin keys rotate code-secret
              countersign admin owner recover
              countersign admin end-sessions
            """,
        subcommands: [RootCommand.self, KeysCommand.self, OwnerCommand.self, EndSessionsCommand.self])
}
