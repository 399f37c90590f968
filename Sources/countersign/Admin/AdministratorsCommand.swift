import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin administrators`.
struct AdministratorsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "administrators",
        abstract: "Certifications of administrators; ask for one, certify somebody, or reject a request.",
        discussion: """
            Administrator and main administrator compare the fingerprint before the key is certified.

              countersign wallet admin administrators
              countersign wallet admin administrators request
              countersign wallet admin administrators certify ID
              countersign wallet admin administrators reject ID
            """,
        subcommands: [List.self, Request.self, Certify.self, Reject.self], defaultSubcommand: List.self,
        // The earlier name.
        aliases: ["delegations"])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List certifications.", discussion: "  countersign wallet admin administrators list")
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let delegations = try await options.unlock().delegations()
            guard !options.output.json else { return try Output.print(items: delegations) }
            guard !delegations.isEmpty else {
                return Output.line(
                    "None. An administrator asks with 'countersign wallet admin administrators request'.")
            }
            Output.table(
                ["ID", "ADMINISTRATOR", "STATE", "MAY", "KEY"],
                delegations.map { delegation in
                    [
                        delegation.id, delegation.account.username, delegation.state.rawValue,
                        delegation.capabilities.map(\.rawValue).joined(separator: ", "),
                        WalletClient.fingerprint(authorityKey: delegation.authorityKey),
                    ]
                })
        }
    }

    struct Request: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask the main administrator to certify this wallet's key.",
            discussion: "  countersign wallet admin administrators request")
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let client = try await options.unlock()
            let delegation = try await client.requestDelegation()
            guard !options.output.json else { return try Output.print(value: delegation) }
            Output.line("Asked (\(delegation.id)). Tell the main administrator your key's fingerprint:")
            Output.line(
                "  \(Terminal.styled(WalletClient.fingerprint(authorityKey: delegation.authorityKey), .strong))")
        }
    }

    struct Certify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Certify an administrator's key: the main administrator.",
            discussion: """
                The certificate is signed in this wallet. Ask the administrator to read the fingerprint out before you \
                say yes.

                  countersign wallet admin administrators certify ID
                  countersign wallet admin administrators certify ID --may sign_documents --days 30
                """)
        @OptionGroup var certifying: CertifyOptions

        func run() async throws { try await certifying.certify() }
    }

    struct Reject: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reject a request: the main administrator. The administrator may ask again.",
            discussion: "  countersign wallet admin administrators reject ID")
        @Argument(help: "The request's id: see 'administrators list'.") var id: String
        @OptionGroup var options: WalletOptions

        func run() async throws {
            try await options.unlock().rejectDelegation(id)
            guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
            Output.line("Rejected.")
        }
    }
}

/// Whom the main administrator certifies, for what and for how long.
struct CertifyOptions: ParsableArguments {
    @Argument(help: "The request's id: see 'administrators list'.") var id: String
    @Option(name: .customLong("may"), help: "identify_members or sign_documents; may be repeated. Default: both.")
    var capabilities: [Capability] = []
    @Option(help: "For how many days, 1 to 730.") var days = 90
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (1...730).contains(days) else { throw ValidationError("--days is 1 to 730") }
    }

    /// Signs after a person has compared the fingerprint.
    func certify() async throws {
        let client = try await options.unlock()
        guard let delegation = try await client.delegations().first(where: { $0.id == id }) else {
            throw WalletError.notFound(id)
        }
        let granted = capabilities.isEmpty ? Capability.allCases : capabilities
        Terminal.note("\(delegation.account.name) (\(delegation.account.username))")
        Terminal.note("key: \(WalletClient.fingerprint(authorityKey: delegation.authorityKey))")
        Terminal.note("may: \(granted.map(\.rawValue).joined(separator: ", ")), for \(days) days")
        try Terminal.confirm(
            "Does the administrator read out the same fingerprint, and shall they be certified?", yes: confirmation.yes)
        let act = try await client.certify(
            delegation, capabilities: granted, duration: Int64(days) * 86_400)
        try report(act, "Certified.", options.output)
    }
}

/// `countersign wallet admin delegate`: the earlier name of `administrators certify`, for scripts that use it.
struct DelegateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delegate", abstract: "The earlier name of 'administrators certify'.",
        discussion: "  countersign wallet admin administrators certify ID", shouldDisplay: false)
    @OptionGroup var certifying: CertifyOptions

    func run() async throws { try await certifying.certify() }
}
