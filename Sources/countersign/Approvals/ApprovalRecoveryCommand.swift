import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet services recovery`.
struct ApprovalRecoveryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery", abstract: "The way back to services when every wallet that answers them is lost.",
        discussion: """
            Make recovery codes while all is well and keep them on paper. Each enrols one wallet without another one's \
            word. They work three days after they were made.

            Without a code: begin to wait. After three days, unless another device of yours has ended it, 'countersign \
            wallet enrol OFFER --lost' works for a day. Either way, the wallets before it end at that service.

              countersign wallet services recovery
              countersign wallet services recovery codes
              countersign wallet services recovery begin
              countersign wallet services recovery end
            """,
        subcommands: [
            RecoveryStateCommand.self, RecoveryCodesCommand.self, RecoveryBeginCommand.self, RecoveryEndCommand.self,
        ], defaultSubcommand: RecoveryStateCommand.self)
}

/// `countersign wallet services recovery show`.
struct RecoveryStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "How many codes are left, and whether a waiting time was begun.",
        discussion: "  countersign wallet services recovery")

    @OptionGroup var options: WalletOptions

    func run() async throws { try await options.unlock().approvalRecovery().show(options.output) }
}

/// `countersign wallet services recovery codes`.
struct RecoveryCodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes", abstract: "Make ten recovery codes; those before end.",
        discussion: "  countersign wallet services recovery codes > codes.txt")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if try await client.approvalRecovery().codes > 0 {
            try Terminal.confirm("The codes that you have end. Make others?", yes: confirmation.yes)
        }
        let (made, act) = try await client.makeApprovalRecoveryCodes()
        guard !options.output.json else { return try Output.print(value: made) }
        for code in made.codes { Output.line(code) }
        Terminal.note("Keep them on paper. Each works once, from \(Output.time(made.from)). Nobody shows them again.")
        Output.act(act)
    }
}

/// `countersign wallet services recovery begin`.
struct RecoveryBeginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin", abstract: "Every wallet is lost, and there is no code: begin to wait three days.",
        discussion: "  countersign wallet services recovery begin")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        try Terminal.confirm("Have you lost every wallet that answers your services?", yes: confirmation.yes)
        try await client.beginApprovalRecovery().show(options.output)
    }
}

/// `countersign wallet services recovery end`.
struct RecoveryEndCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End the waiting: it was not you who began it, or you need it no longer.",
        discussion: "  countersign wallet services recovery end")

    @OptionGroup var options: WalletOptions

    func run() async throws { try await options.unlock().endApprovalRecovery().show(options.output) }
}

extension ApprovalRecovery {
    fileprivate func show(_ output: OutputOptions) throws {
        guard !output.json else { return try Output.print(value: self) }
        if let codesFrom, codes > 0 {
            Output.line("Recovery codes left: \(codes). They work from \(Output.time(codesFrom)) on.")
        } else {
            Output.line("There are no recovery codes: 'countersign wallet services recovery codes' makes some.")
        }
        guard let wait else { return }
        Output.line(
            "Waiting since \(Output.time(wait.started)). From \(Output.time(wait.opens)) to \(Output.time(wait.closes)) a "
                + "wallet is enrolled with --lost. If it was not you, end it.")
    }
}
