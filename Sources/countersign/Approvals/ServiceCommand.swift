import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign admin service`.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Services that ask members for approvals.",
        discussion: """
            These commands work with an administrator's wallet, from any machine: the log says who added a service. An \
            API key is shown once. Give it to the service, which sends it as 'Authorization: Bearer'.

              countersign admin service add bank.example "Example Bank"
              countersign admin service rotate bank.example
            """,
        subcommands: [
            ServiceAddCommand.self, ServiceListCommand.self, ServiceShowCommand.self, ServiceRotateCommand.self,
            ServiceVersionCommand.self, ServiceWebhookCommand.self, ServiceQuorumCommand.self,
            ServiceRemoveCommand.self,
        ])
}

/// `countersign admin service add`.
struct ServiceAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a service; its API key is shown this once.",
        discussion: "  countersign admin service add bank.example \"Example Bank\" --json")

    @Argument(help: "Its domain, a-z, 0-9, dot and hyphen: wallets know it by this, and it never changes.")
    var domain: String
    @Argument(help: "The name that people know, at most 200 bytes.") var name: String
    @Flag(name: .customLong("version-1"), help: "Let it also speak version 1, the original's protocol, with old apps.")
    var speaksOriginal = false
    @Option(help: "Where it is told that something is over: https and the name of a public domain.")
    var webhook: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let added = try await client.addApprovalService(domain: domain, name: name, webhook: webhook)
        if speaksOriginal { _ = try await client.setOriginal(added.service.id, accepts: true) }
        try added.report("Added: \(Bytes(text: added.service.domain).shown).", options.output)
    }
}

/// `countersign admin service list`.
struct ServiceListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "The services, without their API keys.",
        discussion: "  countersign admin service list")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let services = try await options.unlock().approvalServices()
        guard !options.output.json else { return try Output.print(items: services) }
        guard !services.isEmpty else {
            return Output.line("No services. Add one with 'countersign admin service add DOMAIN NAME'.")
        }
        Output.table(
            ["DOMAIN", "NAME", "SINCE", "API KEY SINCE", "VERSIONS", "QUORUM", "WEBHOOK"],
            services.map {
                [
                    Bytes(text: $0.domain).shown, Bytes(text: $0.name).shown, Output.time($0.created),
                    Output.time($0.rotated ?? $0.created), $0.originalKey == nil ? "2" : "1, 2",
                    $0.quorum?.shown ?? "", $0.shownWebhook,
                ]
            })
    }
}

/// `countersign admin service rotate`.
struct ServiceRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace a service's API key; the old one ends at once.",
        discussion: "  countersign admin service rotate bank.example")

    @Argument(help: "The service's domain.") var domain: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let service = try await client.approvalService(of: domain)
        try Terminal.confirm(
            "The service cannot ask anything until it has the new API key. Go on?", yes: confirmation.yes)
        let rotated = try await client.rotateApprovalService(service.id)
        try rotated.report("The old API key has ended.", options.output)
    }
}

/// `countersign admin service webhook`.
struct ServiceWebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Change where a service is told that something is over.",
        discussion: """
            The server posts a signed notice there when a question was answered, cancelled or has expired, and when an \
            enrolment has ended. The notice names the question, and the service fetches what came of it.

              countersign admin service webhook bank.example https://bank.example/countersign
              countersign admin service webhook bank.example --off
            """)

    @Argument(help: "The service's domain.") var domain: String
    @Argument(help: "https, the name of a public domain, and a path.") var url: String?
    @Flag(help: "Tell it nothing any more.") var off = false
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (url == nil) == off else { throw ValidationError("Give a URL, or --off.") }
    }

    func run() async throws {
        let client = try await options.unlock()
        let service = try await client.approvalService(of: domain)
        let changed = try await client.setWebhook(ofApprovalService: service.id, url)
        guard !options.output.json else { return try Output.print(value: changed) }
        Output.line(
            changed.service.webhook.map { "Webhook: \(Bytes(text: $0).shown)" } ?? "It is told nothing any more.")
    }
}

/// `countersign admin service remove`.
struct ServiceRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a service: it asks nothing any more.",
        discussion: """
            Earlier approvals stay, and their receipts hold. Added again, the service has another key: members enrol \
            their devices again.

              countersign admin service remove bank.example
            """)

    @Argument(help: "The service's domain.") var domain: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let service = try await client.approvalService(of: domain)
        try Terminal.confirm(
            "Remove \(Bytes(text: service.domain).shown) (\(Bytes(text: service.name).shown)) for ever?",
            yes: confirmation.yes)
        try report(try await client.removeApprovalService(service), "Removed.", options.output)
    }
}

extension WalletClient {
    /// The service of this domain.
    func approvalService(of domain: String) async throws -> ApprovalServiceInfo {
        let domain = Bytes(text: domain)
        guard let service = try await approvalServices().first(where: { Bytes(text: $0.domain) == domain }) else {
            throw CommandError("there is no service '\(domain.shown)'", isRefusal: true)
        }
        return service
    }
}

extension LoggedServiceKey {
    fileprivate func report(_ words: String, _ output: OutputOptions) throws {
        guard !output.json else { return try Output.print(value: self) }
        Output.line(words)
        Output.line("API key: \(Terminal.styled(apiKey, .strong))")
        Output.line("Shown this once. The service keeps it secret.")
        Output.act(act)
    }
}
