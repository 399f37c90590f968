import ArgumentParser
import Encodings
import Interface
import Transparency
import Wallet

/// `countersign wallet admin log-policy`.
struct LogPolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-policy", abstract: "Say which keys and witnesses sign the log's checkpoints.",
        discussion: """
            The policy (C2SP tlog-policy) is signed in this wallet, by the main administrator. Every wallet follows it \
            and refuses receipts with fewer witnesses. So does every verifier who uses it.

              countersign wallet admin log-policy show
              countersign wallet admin log-policy set policy.txt
            """,
        subcommands: [Show.self, Set.self])

    /// `countersign wallet admin log-policy show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The log's keys and the policy in force.",
            discussion: "  countersign wallet admin log-policy show")
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let settings = try await options.unlock().logSettings()
            guard !options.output.json else { return try Output.print(value: settings) }
            if let policy = settings.policy {
                Output.line("Version \(policy.version):\n\n\(Bytes(text: policy.policy).shownLines)")
            } else {
                Output.line("No policy: the log's first key signs alone. A first one could be:\n")
                for key in settings.keys { Output.line("log \(key)") }
                Output.line("witness union WITNESS-KEY https://witness.union.example\nquorum union")
            }
            for key in settings.keys { Output.line("The server signs with \(key)") }
        }
    }

    /// `countersign wallet admin log-policy set`.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a policy and put it in force.",
            discussion: """
                The server first asks the witnesses in the policy to sign the present checkpoint. Nothing changes \
                unless enough of them do.

                  countersign wallet admin log-policy set policy.txt
                """)
        @Argument(help: "The file with the policy.", completion: .file()) var file: String
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let text = try Files.read(file)
            let policy: LogPolicy
            do {
                policy = try LogPolicy.read(text)
            } catch {
                throw CommandError("\(file) is not a log policy: \(error)")
            }
            if !options.output.json {
                Output.line(
                    policy.needsWitnesses
                        ? "Checkpoints will need witnesses; the policy names \(policy.witnesses.count)."
                        : "Checkpoints will need no witness: nobody would notice if the log showed two histories.")
            }
            try Terminal.confirm("Sign this policy and put it in force?", yes: confirmation.yes)
            let act = try await options.unlock().setLogPolicy(text.text)
            try report(act, "The policy is in force.", options.output)
        }
    }
}

extension Array where Element == UInt8 {
    /// Lines from someone else, made safe to show.
    fileprivate var shownLines: String { split(at: 0x0A).map(\.shown).joined(separator: "\n") }
}
