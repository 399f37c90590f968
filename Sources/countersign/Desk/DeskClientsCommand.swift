import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign desk clients`.
struct DeskClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Find clients by the beginnings of their names.",
        discussion: """
            Shows at most 100. Give more of the name if there are others.

              countersign desk clients ada love
              countersign desk clients --json
            """)

    @Argument(help: "How the names begin; all clients without them.") var words: [String] = []
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let (clients, isMore) = try await client.clients(named: words.joined(separator: " "))
        guard !options.output.json else { return try Output.print(items: clients) }
        if clients.isEmpty { Output.line("There is no such client.") }
        for one in clients {
            Output.line(
                "\(one.id)  \(Bytes(text: PersonName(givenName: one.givenName, familyName: one.familyName).whole).shown)"
            )
        }
        if isMore { Output.line("There are more. Give more of the name.") }
    }
}
