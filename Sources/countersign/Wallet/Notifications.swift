import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet notifications`.
struct NotificationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "How you are told that something waits, while nothing is open.",
        discussion: """
              countersign wallet notifications
              countersign wallet notifications set approval --email off
              countersign wallet notifications email ada@example.org
              countersign wallet notifications phone "+49 30 901820"
              countersign wallet notifications remove ID

            A browser is added on its own page: Settings, Notifications.
            """,
        subcommands: [
            NotificationsListCommand.self, NotificationsSetCommand.self, NotificationsEmailCommand.self,
            NotificationsPhoneCommand.self, NotificationsConfirmCommand.self, NotificationsContentCommand.self,
            NotificationsRemoveCommand.self,
        ], defaultSubcommand: NotificationsListCommand.self)
}

/// `countersign wallet notifications list`.
struct NotificationsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Where notices go, and which.",
        discussion: "  countersign wallet notifications --json")

    @OptionGroup var options: WalletOptions

    func run() async throws { try await options.unlock().notifications().show(options.output) }
}

/// `countersign wallet notifications set`.
struct NotificationsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Switch a kind of notice on or off.",
        discussion: "  countersign wallet notifications set document --push on --email off")

    /// On or off.
    enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off }

    @Argument(help: "The kind, as 'list' names it.") var kind: String
    @Option(help: "Through push services of browsers: on or off.") var push: Choice?
    @Option(help: "By e-mail: on or off.") var email: Choice?
    @Option(help: "By SMS: on or off.") var sms: Choice?
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard push != nil || email != nil || sms != nil else {
            throw ValidationError("give --push, --email or --sms, or several")
        }
    }

    func run() async throws {
        let client = try await options.unlock()
        var settings: NotificationSettings?
        for (way, choice) in [(NotificationWay.Kind.push, push), (.email, email), (.sms, sms)] {
            guard let choice else { continue }
            settings = try await client.setNotification(NotificationSwitch(way: way, kind: kind, isOn: choice == .on))
        }
        try settings?.show(options.output)
    }
}

/// `countersign wallet notifications email`.
struct NotificationsEmailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "email", abstract: "Have a code sent to an e-mail address.",
        discussion: "  countersign wallet notifications email ada@example.org")

    @Argument(help: "The address.") var address: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let way = try await options.unlock().addNotificationEmail(address)
        guard !options.output.json else { return try Output.print(value: way) }
        Output.line("A code was sent. Within half an hour: countersign wallet notifications confirm \(way.id) CODE")
    }
}

/// `countersign wallet notifications phone`.
struct NotificationsPhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Have a code sent to a phone number by SMS.",
        discussion: "  countersign wallet notifications phone \"+49 30 901820\"")

    @Argument(help: "The number, with a plus sign and the code of the country.") var number: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let way = try await options.unlock().addNotificationPhone(number)
        guard !options.output.json else { return try Output.print(value: way) }
        Output.line("A code was sent. Within half an hour: countersign wallet notifications confirm \(way.id) CODE")
    }
}

/// `countersign wallet notifications confirm`.
struct NotificationsConfirmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Enter the code that was sent to an e-mail address or a phone number.",
        discussion: "  countersign wallet notifications confirm ID CODE")

    @Argument(help: "The id that 'email' or 'phone' printed.") var id: String
    @Argument(help: "The code.") var code: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let way = try await options.unlock().confirmNotificationWay(id, code: code)
        guard !options.output.json else { return try Output.print(value: way) }
        Output.line("\(Bytes(text: way.address).shown) gets your notices from now on.")
    }
}

/// `countersign wallet notifications content`.
struct NotificationsContentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "content", abstract: "Whether notices say what they are about, by one way.",
        discussion: """
            Others who see the screen or read the message then learn which service asks, which type of document has \
            come, and what has changed.

              countersign wallet notifications content ID on
            """)

    @Argument(help: "The way's id.") var id: String
    @Argument(help: "on or off.") var choice: NotificationsSetCommand.Choice
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let way = try await options.unlock().setNotificationContent(id, isOn: choice == .on)
        guard !options.output.json else { return try Output.print(value: way) }
        Output.line(
            way.saysContent ? "Notices say there what they are about." : "Notices say there that something waits.")
    }
}

/// `countersign wallet notifications remove`.
struct NotificationsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a browser, an e-mail address or a phone number.",
        discussion: "  countersign wallet notifications remove ID")

    @Argument(help: "The way's id.") var id: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        try await options.unlock().removeNotificationWay(id)
        if !options.output.json { Output.line("Removed.") }
    }
}

extension NotificationSettings {
    fileprivate func show(_ output: OutputOptions) throws {
        guard !output.json else { return try Output.print(value: self) }
        if ways.isEmpty {
            Output.line("Notices go nowhere.")
        } else {
            Output.table(
                ["ID", "WAY", "ADDRESS", "SINCE", "CONTENT"],
                ways.map { way in
                    [
                        way.id, way.kind.rawValue,
                        Bytes(text: way.address).shown + (way.isConfirmed ? "" : " (not confirmed)"),
                        Output.time(way.created), way.saysContent ? "on" : "off",
                    ]
                })
        }
        Output.table(
            ["KIND", "PUSH", "EMAIL", "SMS"],
            kinds.map { kind in
                [kind.name]
                    + NotificationWay.Kind.allCases.map { way in
                        guard !kind.isSecurity else { return "always" }
                        return off.contains(NotificationChoice(way: way, kind: kind.name)) ? "off" : "on"
                    }
            })
    }
}
