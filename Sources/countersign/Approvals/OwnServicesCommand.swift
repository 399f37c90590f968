import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet services`.
struct OwnServicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "services", abstract: "The services that you answer, with which devices, how often they may ask.",
        discussion: """
              countersign wallet services
              countersign wallet services remove ID
              countersign wallet services budget --per-service 5 --together 10
              countersign wallet services freeze
              countersign wallet services unfreeze
              countersign wallet services recovery codes
            """,
        subcommands: [
            OwnServicesListCommand.self, OwnServicesRemoveCommand.self, BudgetCommand.self, FreezeCommand.self,
            UnfreezeCommand.self, ApprovalRecoveryCommand.self,
        ], defaultSubcommand: OwnServicesListCommand.self)
}

/// `countersign wallet services list`.
struct OwnServicesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Your devices that answer services.",
        discussion: "  countersign wallet services --json")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let devices = try await options.unlock().approvalDevices()
        guard !options.output.json else { return try Output.print(items: devices) }
        guard !devices.isEmpty else {
            return Output.line("None. A service's offer and 'countersign wallet enrol' make one.")
        }
        Output.table(
            ["ID", "SERVICE", "DEVICE", "SINCE"],
            devices.map {
                [$0.id, Bytes(text: $0.domain).shown, Bytes(text: $0.name).shown, Output.time($0.created)]
            })
    }
}

/// `countersign wallet services remove`.
struct OwnServicesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a device: its answers to the service count no more.",
        discussion: "  countersign wallet services remove ID")

    @Argument(help: "The device's id.") var id: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        guard let device = try await client.approvalDevices().first(where: { $0.id == id }) else {
            throw WalletError.notFound(id)
        }
        try Terminal.confirm(
            "Remove \(Bytes(text: device.name).shown) from \(Bytes(text: device.domain).shown) for ever?",
            yes: confirmation.yes)
        try report(try await client.removeApprovalDevice(device), "Removed.", options.output)
    }
}

/// `countersign wallet services budget`.
struct BudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "How often services may ask you in an hour; without numbers, what holds now.",
        discussion: "  countersign wallet services budget --per-service 5 --together 10")

    @Option(help: "Requests of one service in an hour, 1 to 60.") var perService: Int?
    @Option(help: "Requests of all services in an hour, 1 to 240.") var together: Int?
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (1...60).contains(perService ?? 1) else { throw ValidationError("--per-service is 1 to 60") }
        guard (1...240).contains(together ?? 1) else { throw ValidationError("--together is 1 to 240") }
    }

    func run() async throws {
        let client = try await options.unlock()
        var settings = try await client.approvalSettings()
        if perService != nil || together != nil {
            settings = try await client.setApprovalBudget(
                ApprovalBudget(perService: perService ?? settings.perService, together: together ?? settings.together))
        }
        try settings.show(options.output)
    }
}

/// `countersign wallet services freeze`.
struct FreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze", abstract: "Let no service ask you; what waits is refused.",
        discussion: "  countersign wallet services freeze")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        try Terminal.confirm(
            "All questions that wait are refused, and no service may ask you. Go on?", yes: confirmation.yes)
        try await client.freezeApprovals().show(options.output)
    }
}

/// `countersign wallet services unfreeze`.
struct UnfreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unfreeze", abstract: "Let services ask you again, after a denial that has frozen everything.",
        discussion: "  countersign wallet services unfreeze")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        try Terminal.confirm("Services may ask you again. Go on?", yes: confirmation.yes)
        try await client.unfreezeApprovals().show(options.output)
    }
}

extension ApprovalSettings {
    fileprivate func show(_ output: OutputOptions) throws {
        guard !output.json else { return try Output.print(value: self) }
        Output.line("In an hour: \(perService) of one service, \(together) of all together.")
        if let frozen {
            Output.line("Frozen since \(Output.time(frozen)): 'countersign wallet services unfreeze' ends that.")
        }
    }
}
