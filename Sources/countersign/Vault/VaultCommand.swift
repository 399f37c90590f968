import ArgumentParser
import Interface
import Wallet

/// `countersign wallet vault`.
struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault", abstract: "Your vault: files and notes that the server cannot read.",
        discussion: """
              countersign wallet vault slots
            """,
        subcommands: [VaultSlotsCommand.self])
}

/// `countersign wallet vault slots`.
struct VaultSlotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "The ways to open your vault.",
        discussion: "  countersign wallet vault slots --json")

    @OptionGroup var options: WalletOptions

    func run() async throws { try await options.unlock().vault().show(options.output) }
}

extension VaultState {
    fileprivate func show(_ output: OutputOptions) throws {
        guard !output.json else { return try Output.print(value: self) }
        for slot in slots { Output.line("\(slot.id)  \(slot.kind.rawValue)  since \(Output.time(slot.created))") }
        switch self.guard.state {
        case .absent:
            Output.line("No PIN opens it: the server was restored without what guards PINs. Set them again.")
        case .ready:
            Output.line("PIN slots that can be tried: \(pins.count(where: \.usable)) of \(pins.count).")
            if self.guard.wait > 0 { Output.line("The next PIN can be tried in \(self.guard.wait) seconds.") }
        }
    }
}
