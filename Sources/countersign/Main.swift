import ArgumentParser
import Interface

/// The program: each capability is a group of commands.
@main
struct Countersign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Documents that verify: sign them, hold them, present them, check them.",
        discussion: """
            Exit codes: 0 done or valid; 1 refused or not valid; 2 could not tell, or an error.

            Start a server, set an organisation up, and check a file that somebody gave you:

              countersign serve --data ./data
              countersign wallet setup --server http://localhost:8080 --code CODE
              countersign verify degree.countersign --trust root.pem
            """,
        version: CountersignVersion.text,
        subcommands: SliceCommands.all.map(\.command))

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            Failure.end(error)
        }
    }
}
