import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet admin delegations`.
struct DelegationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delegations", abstract: "Certifications of administrators; ask for one.",
        discussion: """
            Administrator and main administrator compare the fingerprint before the key is certified.

              countersign wallet admin delegations
              countersign wallet admin delegations request
            """,
        subcommands: [List.self, Request.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List certifications.", discussion: "  countersign wallet admin delegations list")
        @OptionGroup var options: WalletOptions

        func run() async throws {
            let delegations = try await options.unlock().delegations()
            guard !options.output.json else { return try Output.print(items: delegations) }
            guard !delegations.isEmpty else {
                return Output.line("None. An administrator asks with 'countersign wallet admin delegations request'.")
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
            discussion: "  countersign wallet admin delegations request")
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
}

/// `countersign wallet admin delegate`.
struct DelegateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delegate", abstract: "Certify an administrator's key: the main administrator.",
        discussion: """
            The certificate is signed in this wallet. Ask the administrator to read the fingerprint out before you \
            say yes.

              countersign wallet admin delegate ID
              countersign wallet admin delegate ID --may sign_documents --days 30
            """)

    @Argument(help: "The delegation's id: see 'delegations'.") var id: String
    @Option(name: .customLong("may"), help: "identify_members or sign_documents; may be repeated. Default: both.")
    var capabilities: [Capability] = []
    @Option(help: "For how many days, 1 to 730.") var days = 90
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (1...730).contains(days) else { throw ValidationError("--days is 1 to 730") }
    }

    func run() async throws {
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
