import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin renew`.
struct RenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Renew your certificate as the main administrator, for two more years.",
        discussion: """
            The root must be on the server; otherwise its operator runs 'countersign admin root renew'. With --new-key \
            a new key replaces the old one. Earlier certificates stay valid.

              countersign wallet admin renew
              countersign wallet admin renew --new-key
            """)

    @Flag(help: "Make a new authority key.") var newKey = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let state = try await options.unlock().renewAuthority(withNewKey: newKey)
        guard !options.output.json else {
            return Output.print(.members([("ends", .integer(state.ends)), ("fingerprint", .text(state.fingerprint))]))
        }
        Output.line("Renewed until \(Output.time(state.ends)). Key: \(state.fingerprint)")
        if let act = state.act { Output.act(act) }
    }
}
