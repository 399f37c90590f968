import ArgumentParser
import Encodings
import Wallet

/// `countersign wallet accounts`.
struct PicoAccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "Your accounts at services that you sign in to with a scan.",
        discussion: """
              countersign wallet accounts
              countersign wallet accounts rename ID 'Work computer'
              countersign wallet accounts strict ID
              countersign wallet accounts forget ID
            """,
        subcommands: [
            PicoAccountsListCommand.self, PicoAccountsRenameCommand.self, PicoAccountsForgetCommand.self,
            PicoAccountsStrictCommand.self,
        ], defaultSubcommand: PicoAccountsListCommand.self)
}

/// `countersign wallet accounts list`.
struct PicoAccountsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "All accounts.", discussion: "  countersign wallet accounts --json")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let accounts = try await options.unlock().picoAccounts()
        guard !options.output.json else {
            return Output.print(.members([("items", .array(accounts.map(\.json)))]))
        }
        guard !accounts.isEmpty else {
            return Output.line("None. 'countersign wallet scan' with a service's pairing code makes one.")
        }
        Output.table(
            ["ID", "SERVICE", "NAME", "FINGERPRINT", "SINCE", "NOTES"],
            accounts.map {
                [
                    $0.id, Bytes(text: $0.service).shown, Bytes(text: $0.name).shown, $0.fingerprint,
                    Output.time($0.created), $0.notes,
                ]
            })
    }
}

/// `countersign wallet accounts rename`.
struct PicoAccountsRenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give an account a name of your own.",
        discussion: "  countersign wallet accounts rename ID 'Work computer'")

    @Argument(help: "The account's id.") var id: String
    @Argument(help: "Its new name, at most 256 bytes.") var name: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        try await client.renamePicoAccount(id, to: name)
        try await client.show(id, "Renamed.", options.output)
    }
}

/// `countersign wallet accounts forget`.
struct PicoAccountsForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget an account and its key. Only a backup brings it back.",
        discussion: "  countersign wallet accounts forget ID")

    @Argument(help: "The account's id.") var id: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        guard let account = await client.picoAccounts().first(where: { $0.id == id }) else {
            throw WalletError.notFound(id)
        }
        try Terminal.confirm(
            "Forget '\(Bytes(text: account.name).shown)' at \(Bytes(text: account.service).shown)? The service still knows the "
                + "key; remove it there too.", yes: confirmation.yes)
        try await client.forgetPicoAccount(id)
        guard !options.output.json else { return Output.print(.members([("forgotten", .text(id))])) }
        Output.line("Forgotten.")
    }
}

/// `countersign wallet accounts strict`.
struct PicoAccountsStrictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strict", abstract: "Ask at the terminal before each sign-in, even with --yes.",
        discussion: """
            Without this switch, --yes answers for you. With it nobody signs in with the account unless somebody answers at \
            a terminal.

              countersign wallet accounts strict ID
              countersign wallet accounts strict ID --off
            """)

    @Argument(help: "The account's id.") var id: String
    @Flag(help: "Ask no longer, which is confirmed at the terminal.") var off = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if off { try Terminal.confirm("Let --yes answer for you again?", yes: false) }
        try await client.setPicoAccount(id, asksEveryTime: !off)
        try await client.show(id, off ? "Off." : "You are asked each time.", options.output)
    }
}

extension PicoAccountSummary {
    fileprivate var notes: String {
        var notes: [String] = []
        if curve != .p256 { notes.append("old service (\(curve.rawValue))") }
        if asksEveryTime { notes.append("asks each time") }
        return notes.joined(separator: ", ")
    }
}

extension WalletClient {
    fileprivate func show(_ id: String, _ words: String, _ output: OutputOptions) throws {
        guard let account = picoAccounts().first(where: { $0.id == id }) else { throw WalletError.notFound(id) }
        guard !output.json else { return Output.print(account.json) }
        Output.line(words)
    }
}
