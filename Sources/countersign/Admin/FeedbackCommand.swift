import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin feedback`.
struct FeedbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedback", abstract: "Read what people have told the organisation, or remove it.",
        discussion: """
            A message has no name unless its author wanted that. Each is removed by itself after 180 days.

              countersign wallet admin feedback
              countersign wallet admin feedback --remove ID
            """)

    @Option(help: "Remove the message with this id.") var remove: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if let remove {
            try Terminal.confirm("Remove this feedback for good?", yes: confirmation.yes)
            try await client.removeFeedback(remove)
            guard !options.output.json else { return try Output.print(value: ["removed": remove]) }
            return Output.line("Removed.")
        }
        let all = try await client.feedback()
        guard !options.output.json else { return try Output.print(items: all) }
        guard !all.isEmpty else { return Output.line("No feedback.") }
        for one in all {
            let sender = one.name.map { "\(Bytes(text: $0).shown) (\(one.username ?? ""))" } ?? "no name"
            Output.line("\(one.id)  \(Output.day(one.created))  \(sender)  \(one.page ?? "")")
            for line in one.text.split(separator: "\n", omittingEmptySubsequences: false) {
                Output.line("    \(Bytes(text: String(line)).shown)")
            }
        }
    }
}
