import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet sign-in`.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Begin a session.",
        discussion: """
            Takes the passphrase and a proof by this device's key. The session's token is kept beside the wallet.

              countersign wallet sign-in
            """)

    @OptionGroup var options: WalletOptions

    func run() async throws {
        guard WalletFile(path: options.path).exists else { throw WalletError.noWallet(path: options.path) }
        let passphrase = try options.passphrase()
        let client = try await WalletClient.unlock(path: options.path, passphrase: passphrase)
        let expires = try await client.signIn(passphrase: passphrase)
        guard !options.output.json else {
            return Output.print(.members([("expires", .integer(expires)), ("ok", .bool(true))]))
        }
        Output.line("Signed in to \(await client.organisationName) until \(Output.time(expires)).")
    }
}

/// `countersign wallet sign-out`.
struct SignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End the session.",
        discussion: """
            The token is removed here and forgotten by the server. The wallet stays.

              countersign wallet sign-out
            """)

    @OptionGroup var options: WalletOptions

    func run() async throws {
        try await options.unlock().signOut()
        guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
        Output.line("Signed out.")
    }
}

/// `countersign wallet status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whose wallet this is, and whether it is signed in.",
        discussion: """
            Shows what is not encrypted in the file, without the passphrase and without asking the server.

              countersign wallet status --json
            """)

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let file = WalletFile(path: options.path)
        let header = try file.header()
        let failed = try file.failedUnlocks()
        let isSignedIn = file.session.read() != nil
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("account", .text(header.account)), ("device", .text(header.device)),
                    ("failed_unlocks", .integer(failed)), ("server", .text(header.server)),
                    ("signed_in", .bool(isSignedIn)), ("username", .text(header.username)),
                    ("wallet", .text(options.path)),
                ]))
        }
        Output.line("\(header.username) at \(header.server)")
        Output.line("wallet: \(options.path)")
        Output.line(isSignedIn ? "signed in" : "not signed in: 'countersign wallet sign-in'")
        if failed > 0 { Output.line("failed unlocks in a row: \(failed)") }
    }
}

/// `countersign wallet sessions`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List your sessions, or end one.",
        discussion: """
              countersign wallet sessions
              countersign wallet sessions --end ID
            """)

    @Option(help: "End the session with this id.") var end: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if let end {
            try await client.endSession(end)
            guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
            return Output.line("Ended.")
        }
        let sessions = try await client.sessions()
        guard !options.output.json else { return try Output.print(items: sessions) }
        Output.table(
            ["ID", "SINCE", "UNTIL", ""],
            sessions.map { [$0.id, Output.time($0.created), Output.time($0.expires), $0.isCurrent ? "this one" : ""] })
    }
}

/// `countersign wallet devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List, rename or revoke your devices.",
        discussion: """
            Revoking a device is final. Its earlier signatures stay checkable.

              countersign wallet devices
              countersign wallet devices rename ID 'Kitchen laptop'
              countersign wallet devices revoke ID --reason 'Lost on the train'
            """,
        subcommands: [List.self, Rename.self, Revoke.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List your devices.", discussion: "  countersign wallet devices list")
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let client = try await options.unlock()
            let devices = try await client.devices()
            guard !options.output.json else { return try Output.print(items: devices) }
            let own = await client.header.device
            Output.table(
                ["ID", "NAME", "SINCE", "ADDED BY", ""],
                devices.map { device in
                    let endorser = device.endorsedBy.map { id in devices.first { $0.id == id }?.name ?? id }
                    let state =
                        device.revoked.map { "revoked \(Output.time($0))" } ?? (device.id == own ? "this one" : "")
                    return [device.id, device.name, Output.time(device.created), endorser ?? "", state]
                })
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a device another name.",
            discussion: "  countersign wallet devices rename ID 'Kitchen laptop'")
        @Argument(help: "The device's id.") var id: String
        @Argument(help: "Its new name.") var name: String
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let device = try await options.unlock().renameDevice(id, to: name)
            guard !options.output.json else { return try Output.print(value: device) }
            Output.line("\(device.id) is now '\(device.name)'.")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a device for ever.",
            discussion: "  countersign wallet devices revoke ID --reason 'Lost on the train'")
        @Argument(help: "The device's id.") var id: String
        @Option(help: "Why.") var reason: String
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: WalletOptions

        func run() async throws {
            try Terminal.confirm("Revoke the device \(id) for ever?", yes: confirmation.yes)
            try report(try await options.unlock().revokeDevice(id, reason: reason), "Revoked.", options.output)
        }
    }
}

/// Says that an act was done and logged.
func report(_ act: LoggedAct, _ words: String, _ output: OutputOptions) throws {
    guard !output.json else { return try Output.print(value: act) }
    Output.line(words)
    Output.act(act)
}
