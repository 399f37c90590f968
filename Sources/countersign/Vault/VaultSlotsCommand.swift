import ArgumentParser
import Encodings
import Interface
import Vault
import Wallet

/// `countersign wallet vault make`.
struct VaultMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make your vault, and its recovery key.",
        discussion: """
            The recovery key opens the vault when no device does. It has 24 words, which you write on paper. Nobody else \
            has them: without them and without a device, what is in the vault is lost. You type them back, unless they go \
            into a file.

              countersign wallet vault make
              countersign wallet vault make --recovery-out paper.txt
            """)

    @Option(help: "Write the 24 words into this file instead of showing them.", completion: .file())
    var recoveryOut: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let place = RecoverySecretPlace(.words, path: recoveryOut)
        let act = try await client.makeVault { words in
            if place.path == nil {
                try VaultNewWords.show(words, orGive: "--recovery-out FILE")
            } else {
                try place.write([words])
            }
        } settled: { outcome in
            try place.settle(outcome)
        }
        try report(act, "Your vault is ready. This wallet opens it.", options.output)
    }
}

/// `countersign wallet vault slots`.
struct VaultSlotsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots", abstract: "The ways to open your vault.",
        discussion: """
              countersign wallet vault slots
              countersign wallet vault slots add --recovery
              countersign wallet vault slots remove ID
              countersign wallet vault slots pin set
              countersign wallet vault slots recovery
              countersign wallet vault slots shares
            """,
        subcommands: [
            VaultSlotListCommand.self, VaultSlotAddCommand.self, VaultSlotRemoveCommand.self, VaultPINCommand.self,
            VaultRecoveryCommand.self, VaultSharesCommand.self,
        ],
        defaultSubcommand: VaultSlotListCommand.self)
}

/// `countersign wallet vault slots list`.
struct VaultSlotListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The ways to open your vault.",
        discussion: "  countersign wallet vault slots --json")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let state = try await client.vault()
        try state.show(options.output, own: try await client.ownSlot(state))
    }
}

/// `countersign wallet vault slots add`.
struct VaultSlotAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Have this wallet open your vault from now on.",
        discussion: """
            Opens the vault once with the recovery key or a PIN. From then on the wallet's passphrase is enough.

              countersign wallet vault slots add --recovery
              countersign wallet vault slots add --pin-file pin.txt
            """)

    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        if let own = try await client.ownSlot(try await client.vault()) {
            throw CommandError("this wallet opens the vault already, with the slot \(own)", isRefusal: true)
        }
        let act = try await client.addDeviceSlot(vault)
        try report(act, "This wallet opens your vault from now on.", options.output)
    }
}

/// `countersign wallet vault slots remove`.
struct VaultSlotRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a way to open your vault.",
        discussion: """
            The other ways stay. A vault whose last way is removed is lost.

              countersign wallet vault slots remove ID
            """)

    @Argument(help: "The slot's id.") var id: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let state = try await client.vault()
        guard state.slots.contains(where: { $0.id == id }) else {
            throw CommandError("there is no slot \(Bytes(text: id).shown)", isRefusal: true)
        }
        guard state.slots.count > 1 else {
            throw CommandError("this is the last way to open your vault. Add another one first", isRefusal: true)
        }
        try Terminal.confirm("Remove this way to open your vault?", yes: confirmation.yes)
        try report(try await client.removeSlot(id), "Removed.", options.output)
    }
}

extension VaultState {
    fileprivate func show(_ output: OutputOptions, own: String?) throws {
        guard !output.json else { return try Output.print(value: self) }
        for slot in slots {
            let mark = slot.id == own ? "  this wallet" : ""
            Output.line("\(slot.id)  \(slot.kind.rawValue)  since \(Output.time(slot.created))\(mark)")
        }
        switch self.guard.state {
        case .absent:
            Output.line("No PIN opens it: the server was restored without what guards PINs. Set them again.")
        case .ready:
            Output.line("PIN slots that can be tried: \(pins.count(where: \.usable)) of \(pins.count).")
            if self.guard.tries > 0 {
                Output.line(
                    "PINs that opened nothing since the last right one: \(self.guard.tries). "
                        + "\(PINGuard.maximumTries) destroy a PIN.")
            }
            if self.guard.wait > 0 { Output.line("The next PIN can be tried in \(self.guard.wait) seconds.") }
        }
    }
}
