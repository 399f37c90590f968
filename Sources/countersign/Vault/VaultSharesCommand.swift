import ArgumentParser
import Encodings
import Wallet

/// `countersign wallet vault slots shares`.
struct VaultSharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares", abstract: "Make three recovery shares, any two of which open your vault.",
        discussion: """
            One share alone opens nothing. Give them to people or places that have nothing to do with each other. Earlier \
            shares open nothing any more. You type two of them back, unless they go into a file.

              countersign wallet vault slots shares
              countersign wallet vault slots shares --out shares.txt
              countersign wallet vault ls --shares
            """)

    @Option(
        help: "Write the three shares into this file, each on a line, instead of showing them.", completion: .file())
    var out: String?
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let place = RecoverySecretPlace(.shares, path: out)
        let act = try await client.makeRecoveryShares(of: vault) { shares in
            if place.path == nil { try Self.show(shares) } else { try place.write(shares) }
        } settled: { outcome in
            try place.settle(outcome)
        }
        try report(act, "Any two of the three shares open your vault.", options.output)
    }

    /// Shows the shares on the terminal, and has two typed back.
    private static func show(_ shares: [Bytes]) throws {
        let flag = "--out FILE"
        guard Terminal.canAsk else { throw CommandError("there is no terminal to show the shares; give \(flag)") }
        Terminal.note("Write each of these on a paper of its own. They are shown once.\n")
        for (index, share) in shares.enumerated() { Terminal.note("  Share \(index + 1):  \(share.text)") }
        let first = Bytes(text: try Terminal.ask("\nType one of them back", orGive: flag))
        let second = Bytes(text: try Terminal.ask("Type another one back", orGive: flag))
        guard VaultShares.areTwo(first, second, of: shares) else {
            throw CommandError("these are not two of the three. Nothing was made. Start again", isRefusal: true)
        }
    }
}
