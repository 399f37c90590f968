import ArgumentParser
import Encodings
import Vault
import Wallet

/// `countersign wallet vault slots pin`.
struct VaultPINCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "The PINs of your vault.",
        discussion: """
            One PIN can open your vault, and one the items that you lock. The server counts each try, and destroys a PIN \
            after ten wrong ones.

              countersign wallet vault slots pin
              countersign wallet vault slots pin set
              countersign wallet vault slots pin set --for items --lock-pin
              countersign wallet vault slots pin remove 2

            PINs for some folders and decoys are made and changed on the page of your vault.
            """,
        subcommands: [VaultPINListCommand.self, VaultPINSetCommand.self, VaultPINRemoveCommand.self],
        defaultSubcommand: VaultPINListCommand.self)
}

/// `countersign wallet vault slots pin list`.
struct VaultPINListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The PINs that are set, and what each opens.",
        discussion: "  countersign wallet vault slots pin --json")

    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        let uses = try await client.pins(of: vault)
        guard !options.output.json else { return Output.print(.members([("items", .array(uses.map(\.json)))])) }
        guard !uses.isEmpty else {
            return Output.line("No PIN is set. Set one with 'countersign wallet vault slots pin set'.")
        }
        Output.table(["SLOT", "OPENS", ""], uses.map(\.row))
    }
}

/// What a PIN that this command sets is for.
enum VaultPINTarget: String, ExpressibleByArgument, CaseIterable {
    /// The vault.
    case vault
    /// Items with a lock of their own.
    case items
}

/// `countersign wallet vault slots pin set`.
struct VaultPINSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a PIN of your vault, or change it.",
        discussion: """
            A PIN has 6 to 16 digits. The old one opens nothing any more. The log keeps that a PIN was changed, and not which.

              countersign wallet vault slots pin set
              countersign wallet vault slots pin set --new-pin-file pin.txt

            To change the PIN for locked items, give the present one with --lock-pin: their locks stay. If it was destroyed, \
            nobody has its key, and the new PIN is for items that you lock from now on.
            """)

    @Option(name: .customLong("for"), help: "What the PIN opens: the vault, or items with a lock of their own.")
    var target: VaultPINTarget = .vault
    @Option(help: "The new PIN: a file whose first line it is. Default: it is asked for, twice.", completion: .file())
    var newPinFile: String?
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard target == .items || !options.hasLockPIN else {
            throw ValidationError(
                "--lock-pin and --lock-pin-file give the present PIN for locked items: they need --for items")
        }
    }

    func run() async throws {
        let client = try await options.wallet.unlock()
        let vault = try await client.openVault(with: options.key())
        switch target {
        case .vault:
            let pin = try VaultNewPIN.ask("New PIN", file: newPinFile)
            try report(try await client.setPIN(pin, of: vault), "The PIN opens your vault.", options.output)
        case .items:
            let old = try options.lockPIN()
            let pin = try VaultNewPIN.ask("New PIN for items", file: newPinFile)
            let act = try await client.setLockPIN(pin, from: old, in: vault)
            try report(act, "The PIN opens the items that you lock.", options.output)
        }
    }
}

/// `countersign wallet vault slots pin remove`.
struct VaultPINRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a PIN: it opens nothing any more.",
        discussion: """
            What it opened stays in your vault.

              countersign wallet vault slots pin remove 2
            """)

    @Argument(help: "The PIN's slot, as 'countersign wallet vault slots pin' lists it.") var slot: Int
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let (client, vault, _) = try await options.open()
        guard let use = try await client.pins(of: vault).first(where: { $0.slot == slot }) else {
            throw CommandError("no PIN is set in the slot \(slot)", isRefusal: true)
        }
        let lost = await use.purpose == .item ? vault.countLockedByPINAlone : 0
        let question =
            switch lost {
            case 0: "Remove the PIN for \(use.words)?"
            case 1: "1 item opens with this PIN alone, and with nothing afterwards. Remove it?"
            default: "\(lost) items open with this PIN alone, and with nothing afterwards. Remove it?"
            }
        try Terminal.confirm(question, yes: confirmation.yes)
        try report(try await client.removePIN(slot, from: vault), "Removed.", options.output)
    }
}

/// A new PIN.
enum VaultNewPIN {
    /// Reads a PIN from a file, or asks for it twice.
    static func ask(_ words: String, file: String?) throws -> Bytes {
        if let file { return Bytes(text: try Passphrases.firstLine(of: file)) }
        let flag = "--new-pin-file FILE"
        let first = try Terminal.askHidden(words, orGive: flag)
        guard try Terminal.askHidden("Again", orGive: flag) == first else { throw CommandError("the two differ") }
        return Bytes(text: first)
    }
}

extension VaultPINUse {
    /// What it is for, in words.
    fileprivate var words: String {
        let name = path.map(\.shown) ?? "a folder that is gone"
        return switch purpose {
        case .main: "the vault"
        case .tier: name
        case .decoy: "the decoy \(name)"
        case .item: "locked items"
        }
    }

    /// A row of a table.
    fileprivate var row: [String] {
        ["\(slot)", words, isUsable ? "" : "destroyed after ten wrong tries: set it again"]
    }

    /// All that is known, for programs.
    fileprivate var json: JSON {
        let kind =
            switch purpose {
            case .main: "vault"
            case .tier: "folder"
            case .decoy: "decoy"
            case .item: "items"
            }
        var members: [(String, JSON)] = [
            ("for", .text(kind)), ("slot", .integer(Int64(slot))), ("usable", .bool(isUsable)),
        ]
        if let path { members.append(("path", .string(path))) }
        return .members(members)
    }
}
