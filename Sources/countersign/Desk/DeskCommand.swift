import ArgumentParser

/// `countersign desk`.
struct DeskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desk", abstract: "Clients of the desk, and what they have in the organisation's fields.",
        discussion: """
            For operators and administrators, with their wallet. Signatures are taken in the pages: they need a pen.

              countersign desk clients Lovelace
              countersign desk fields CLIENT
              countersign desk fields CLIENT --set Telephone='+49 30 1234567' --clear Plan
            """,
        subcommands: [DeskClientsCommand.self, DeskFieldsCommand.self])
}
