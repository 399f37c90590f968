import Approvals
import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign admin service quorum`.
struct ServiceQuorumCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quorum", abstract: "Say how many people have to approve what a service asks, by amount.",
        discussion: """
            The server refuses what fewer would decide, so a stolen API key cannot ask one person for a large sum. Each \
            step is an amount in the smallest unit of the currency, and how many have to approve from it on. The first \
            begins at 0. All amounts of a question count together. A payment without an amount, and any amount in \
            another currency, take the last step. Without an amount, a sign-in is for one person, and everything else \
            takes the first step. A service that ever needs more than one cannot ask in version 1.

              countersign admin service quorum bank.example --currency GBP --step 0:1 --step 100000:2
              countersign admin service quorum bank.example --none
            """)

    @Argument(help: "The service's domain.") var domain: String
    @Option(help: "The currency of the steps, a code of ISO 4217.") var currency: String?
    @Option(name: .customLong("step"), help: "From this amount on so many: 100000:2.") var steps: [String] = []
    @Flag(help: "Let the service decide how many have to approve.") var none = false
    @OptionGroup var options: WalletOptions

    func validate() throws { _ = try rule() }

    func run() async throws {
        let rule = try rule()
        let client = try await options.unlock()
        let service = try await client.approvalService(of: domain)
        let changed = try await client.setQuorum(ofApprovalService: service, rule)
        guard !options.output.json else { return try Output.print(value: changed) }
        if let rule {
            for step in rule.steps {
                let amount = String(decoding: ApprovalRendering.amount(step.from, rule.currency), as: UTF8.self)
                Output.line("From \(amount): \(step.need) to approve.")
            }
        } else {
            Output.line("The service decides how many have to approve.")
        }
        Output.act(changed.act)
    }

    /// What the options say; `nil` for no rule.
    private func rule() throws -> QuorumRule? {
        guard none == (currency == nil), none == steps.isEmpty else {
            throw ValidationError("Give --currency and --step, or --none.")
        }
        guard let currency else { return nil }
        guard let known = Currency(code: Bytes(text: currency)) else {
            throw ValidationError("'\(currency)' is not a currency of ISO 4217, such as GBP.")
        }
        let steps = try steps.map { text in
            guard let step = QuorumRule.Step(text: Bytes(text: text)) else {
                throw ValidationError("'\(text)' is not a step. An amount, a colon and a number of people: 100000:2.")
            }
            return step
        }
        guard let rule = QuorumRule(currency: known, steps: steps) else {
            throw ValidationError(
                "The first step begins at 0, and each needs a larger amount and more people than the one before.")
        }
        return rule
    }
}

extension ApprovalQuorum {
    /// The rule as the options of its command have it: `GBP 0:1 100000:2`.
    var shown: String {
        ([Bytes(text: currency).shown] + steps.map { "\($0.from):\($0.need)" }).joined(separator: " ")
    }
}
