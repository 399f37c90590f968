import ArgumentParser
import Encodings
import Wallet

/// `countersign wallet vault slots recovery`.
struct VaultRecoveryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "Make a new recovery key of your vault.",
        discussion: """
            The new 24 words open your vault, and the old ones open nothing any more. You type the new ones back, unless \
            they go into a file. The old ones are removed last, so at each moment one recovery key opens your vault.

              countersign wallet vault slots recovery
              countersign wallet vault slots recovery --out paper.txt
              countersign wallet vault slots recovery --out paper.txt --recovery-file old.txt
            """)

    @Option(help: "Write the 24 words into this file instead of showing them.", completion: .file()) var out: String?
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let place = RecoverySecretPlace(.newWords, path: out)
        let act = try await client.makeRecoveryKey(of: vault) { words in
            if place.path == nil {
                try VaultNewWords.show(words, orGive: "--out FILE")
            } else {
                try place.write([words])
            }
        } settled: { outcome in
            try place.settle(outcome)
        }
        try report(
            act, "The new recovery key opens your vault. An old one opens nothing any more: destroy the paper.",
            options.output)
    }
}

/// The words of a recovery key that was just made.
enum VaultNewWords {
    /// Shows the words on the terminal, and has them typed back.
    ///
    /// - Parameter flag: what to give where there is no terminal.
    static func show(_ words: Bytes, orGive flag: String) throws {
        guard Terminal.canAsk else { throw CommandError("there is no terminal to show the words; give \(flag)") }
        Terminal.note("Write these words on paper. They are shown once.\n")
        for (index, line) in words.split(at: 0x20).enumerated() { Terminal.note("  \(index + 1). \(line.text)") }
        let typed = Bytes(text: try Terminal.ask("\nType them back", orGive: flag))
        let same = typed.split(at: 0x20).filter { !$0.isEmpty } == words.split(at: 0x20)
        guard same else {
            throw CommandError("these are other words. Nothing was made. Start again", isRefusal: true)
        }
    }
}
