import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin renew`.
struct RenewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Renew the main administrator's own certificate: hers for two more years.",
        discussion: """
            The root must be on the server; else whoever runs it does 'countersign admin root renew'. With --new-key \
            another key takes the place of the old one; what was certified before stays.

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
