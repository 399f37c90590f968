import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet challenges`.
struct ChallengesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenges", abstract: "What services ask you, and waits for your answer.",
        discussion: "  countersign wallet challenges")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let challenges = try await options.unlock().challenges()
        guard !options.output.json else { return try Output.print(items: challenges) }
        guard !challenges.isEmpty else { return Output.line("Nothing waits for your answer.") }
        Output.table(
            ["ID", "SERVICE", "ASKED", "UNTIL"],
            challenges.map {
                [$0.id, Bytes(text: $0.domain).shown, Output.time($0.created), Output.time($0.expires)]
            })
        Output.line("Answer with 'countersign wallet answer ID --allow' or '--deny'.")
    }
}

/// `countersign wallet answer`.
struct AnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Allow or deny what a service asks.",
        discussion: """
            Shows every line of it first: these words are what you sign. To allow, type the code that the asking page \
            shows. Nobody who has not seen that page can know it. If you have not asked for anything, deny.

            A challenge of version 1, 'authreq://…', has no code. It cannot be denied either: leave it unanswered.

              countersign wallet answer ID --allow
              countersign wallet answer ID --deny --reason not-me --scope service-for-an-hour
              countersign wallet answer ID --discard
            """)

    @Argument(
        help: "The id, 'authreq:2:…', 'authreq://…', the name of a PNG or of a file with it, or '-' for standard input."
    )
    var challenge: String
    @Flag(help: "Allow it.") var allow = false
    @Flag(help: "Deny it.") var deny = false
    @Flag(help: "Put it aside unanswered: the service learns nothing, and it is no longer listed.") var discard = false
    @Option(help: "To allow: the code that the asking page shows. Without it, you are asked.") var code: String?
    @Option(help: "To deny: 'mistake' if you asked for it yourself, 'not-me' if somebody else did.")
    var reason: ApprovalDenial.Reason?
    @Option(
        help: """
            To deny: 'request' ends this one, 'service-for-an-hour' all of this service, 'account' everything until you \
            unfreeze it. Default: request.
            """) var scope: ApprovalDenial.Scope?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard [allow, deny, discard].count(where: { $0 }) == 1 else {
            throw ValidationError("say one of --allow, --deny and --discard")
        }
        guard deny || (reason == nil && scope == nil) else {
            throw ValidationError("--reason and --scope are for --deny")
        }
        guard allow || code == nil else { throw ValidationError("--code is for --allow") }
        guard !deny || reason != nil else { throw ValidationError("say why: --reason mistake or --reason not-me") }
    }

    func run() async throws {
        let text = try ApprovalText.read(challenge)
        if WalletClient.isOriginal(text) {
            guard allow, code == nil else {
                throw CommandError("version 1 has no denial and no code. Leave the request unanswered: it expires")
            }
            return try await OriginalAnswer(text: text, confirmation: confirmation, options: options).allow()
        }
        let client = try await options.unlock()
        let question = try await client.question(text)
        if discard {
            let aside = try await client.setDiscarded(question.id, true)
            guard !options.output.json else { return try Output.print(value: aside) }
            return Output.line("Put aside. Until \(Output.time(aside.expires)) it can still be answered by its id.")
        }
        for line in question.lines { Terminal.note("\(line.label): \(line.text.shown)") }
        let given: GivenApproval
        if let reason {
            try Terminal.confirm("Deny this?", yes: confirmation.yes)
            given = try await client.deny(question, ApprovalDenial(reason: reason, scope: scope ?? .request))
        } else {
            let typed = try question.digits.map { digits in
                try code ?? Terminal.ask("The \(digits) digits that the asking page shows", orGive: "--code")
            }
            try Terminal.confirm("Allow exactly this?", yes: confirmation.yes)
            given = try await client.allow(question, code: typed ?? code)
        }
        guard !options.output.json else { return try Output.print(value: given) }
        Output.line(given.state == .pending ? "Counted; \(given.missing) more must approve." : words(given.state))
        Output.act(given.act)
    }

    private func words(_ state: ApprovalState) -> String {
        switch state {
        case .approved: "Approved."
        case .denied: "Denied."
        case .pending, .expired, .cancelled: "It is over: \(state.rawValue)."
        }
    }
}
