import ArgumentParser
import Encodings
import Wallet

/// `countersign admin pam list`.
struct PamListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users and their wallets.",
        discussion: "  countersign admin pam list --json")

    @OptionGroup var place: PamOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try place.requireRoot()
        let entries = try place.folder.users.entries()
        if output.json {
            let items = entries.map { entry in
                JSON.members([("user", .string(entry.name)), ("wallet", .string(entry.fingerprint))])
            }
            Output.print(.members([("items", .array(items))]))
        } else if entries.isEmpty {
            Output.line("Nobody is paired. Begin with: countersign admin pam pair USER")
        } else {
            Output.table(["USER", "WALLET"], entries.map { [$0.name.shown, $0.fingerprint.text] })
        }
    }
}

/// `countersign admin pam remove`.
struct PamRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a wallet, or all wallets of a user.",
        discussion: """
            From then on they are refused, and sessions that they hold open are locked. Exit codes: 0 removed; 1 there was \
            nothing to remove; 2 an error.

              countersign admin pam remove ada
              countersign admin pam remove '6TCAE CH1Y1 CW1PP MZK6X'
            """)

    @Argument(help: "The user, or the fingerprint of the wallet.") var what: String
    @OptionGroup var place: PamOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try place.requireRoot()
        let meant = Bytes(text: what)
        let removed = try place.folder.users.remove { $0.name == meant || $0.fingerprint == meant }
        guard !removed.isEmpty else {
            throw CommandError(
                "nobody is paired as '\(meant.shown)'; see 'countersign admin pam list'", isRefusal: true)
        }
        PamStays(folder: place.folder).recheck()
        if output.json {
            let items = removed.map { JSON.members([("user", .string($0.name)), ("wallet", .string($0.fingerprint))]) }
            Output.print(.members([("removed", .array(items))]))
        } else {
            for each in removed { Output.line("Removed: \(each.name.shown) (\(each.fingerprint.text)).") }
        }
    }
}
