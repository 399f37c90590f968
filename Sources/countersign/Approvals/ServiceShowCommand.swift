import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign admin service show`.
struct ServiceShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A service, and whether its webhook works.",
        discussion: "  countersign admin service show bank.example")

    @Argument(help: "The service's domain.") var domain: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let service = try await options.unlock().approvalService(of: domain)
        guard !options.output.json else { return try Output.print(value: service) }
        Output.line("\(Bytes(text: service.domain).shown): \(Bytes(text: service.name).shown)")
        Output.line("Since: \(Output.time(service.created))")
        Output.line("API key since: \(Output.time(service.rotated ?? service.created))")
        Output.line("Versions: \(service.originalKey == nil ? "2" : "1, 2")")
        Output.line("Key: \(service.publicKey)")
        guard let webhook = service.webhook else { return Output.line("Webhook: none") }
        Output.line("Webhook: \(Bytes(text: webhook).shown)")
        service.webhookState?.show()
    }
}

extension ApprovalServiceInfo {
    /// The webhook in a table, and that it fails if it does.
    var shownWebhook: String {
        guard let webhook else { return "" }
        let shown = Bytes(text: webhook).shown
        guard let state = webhookState, state.isFailing else { return shown }
        return "\(shown) (fails: \(state.reason); \(state.waiting) waiting)"
    }
}

extension ApprovalWebhookState {
    /// Why it fails, in words.
    fileprivate var reason: String {
        switch failure {
        case "unknown-name": "nobody knows its name"
        case "not-public": "its name leads to an address that is not public"
        case .some(let text) where text.hasPrefix("status-"): "it answered \(Bytes(text: text).shown.dropFirst(7))"
        default: "it did not answer"
        }
    }

    fileprivate func show() {
        Output.line("  last success: \(lastSuccess.map { Output.time($0) } ?? "never")")
        if let lastFailure { Output.line("  last failure: \(Output.time(lastFailure)): \(reason)") }
        Output.line("  waiting: \(waiting)")
        if let nextAttempt { Output.line("  next attempt: \(Output.time(nextAttempt))") }
    }
}
