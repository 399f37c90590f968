import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet challenges`.
struct ChallengesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenges", abstract: "What services ask you, and what became of it.",
        discussion: """
            Lists what waits for your answer; with --all also what is over. With an id it shows every line of one, and \
            with --out it stores the receipt, which anybody can check with 'countersign approvals check'.

              countersign wallet challenges --all
              countersign wallet challenges ID --out transfer.approval
            """)

    @Argument(help: "The id of one.") var id: String?
    @Flag(help: "Also what is over, newest first: allowed, denied, expired or cancelled.") var all = false
    @Option(help: "With an id: store the receipt of the decision here; '-' is standard output.", completion: .file())
    var out: String?
    @Flag(help: "Overwrite the file.") var force = false
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard id == nil || !all else { throw ValidationError("give an id or --all, not both") }
        guard id != nil || (out == nil && !force) else { throw ValidationError("--out and --force need an id") }
    }

    func run() async throws {
        let client = try await options.unlock()
        if let id { return try await show(id, client) }
        let challenges = try await (all ? client.approvalHistory() : client.challenges())
        guard !options.output.json else { return try Output.print(items: challenges) }
        guard !challenges.isEmpty else {
            return Output.line(all ? "No service has asked you anything." : "Nothing waits for your answer.")
        }
        Output.table(
            ["ID", "SERVICE", "STATE", "ASKED", "UNTIL"],
            challenges.map {
                [
                    $0.id, Bytes(text: $0.domain).shown, Self.word($0), Output.time($0.created),
                    Output.time($0.expires),
                ]
            })
        Output.line("Answer with 'countersign wallet answer ID --allow' or '--deny'.")
    }

    private func show(_ id: String, _ client: WalletClient) async throws {
        let one = try await client.challenge(id)
        if let out {
            try Files.write(try await client.approvalReceipt(id), to: out, force: force)
            guard out != "-" else { return }
        }
        guard !options.output.json else { return try Output.print(value: one) }
        do {
            for line in try await client.question(id).lines { Output.line("\(line.label): \(line.text.shown)") }
            Output.line()
        } catch WalletError.badApproval(_) where out != nil {
            // The receipt was asked for, and is stored: its own signatures tell whether it holds.
            Terminal.note(
                "The receipt is stored, and its lines are not shown: this wallet is not enrolled with who signed them.")
        }
        Output.line("It is \(Self.word(one)).")
    }

    private static func word(_ one: MemberChallenge) -> String {
        switch one.state {
        case .pending: one.isAllowed == true ? "allowed by you" : one.discarded == nil ? "active" : "put aside"
        case .approved: "allowed"
        case .denied: "denied"
        case .expired: "expired"
        case .cancelled: "cancelled"
        }
    }
}

/// `countersign wallet answer`.
struct AnswerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer", abstract: "Allow or deny what a service asks.",
        discussion: """
            Shows every line of it first: these words are what you sign. To allow, type the code that the asking page \
            shows. Nobody who has not seen that page can know it. A PNG of its QR code has it already. If you have not \
            asked for anything, deny.

            A challenge of version 1, 'authreq://…', has no code. It cannot be denied either: leave it unanswered.

              countersign wallet answer ID --allow
              countersign wallet answer ID --deny --reason not-me --scope service-for-an-hour
              countersign wallet answer ID --discard
              countersign wallet answer ID --bring-back
            """)

    @Argument(
        help:
            "The id, 'authreq:2:…', 'authreq://…', the name of a PNG or of a file with it, or '-' for standard input.",
        completion: .file())
    var challenge: String
    @Flag(help: "Allow it.") var allow = false
    @Flag(help: "Deny it.") var deny = false
    @Flag(help: "Put it aside unanswered: the service learns nothing, and it is no longer listed.") var discard = false
    @Flag(help: "List it again after --discard.") var bringBack = false
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
        guard [allow, deny, discard, bringBack].count(where: { $0 }) == 1 else {
            throw ValidationError("say one of --allow, --deny, --discard and --bring-back")
        }
        guard deny || (reason == nil && scope == nil) else {
            throw ValidationError("--reason and --scope are for --deny")
        }
        guard allow || code == nil else { throw ValidationError("--code is for --allow") }
        guard !deny || reason != nil else { throw ValidationError("say why: --reason mistake or --reason not-me") }
    }

    func run() async throws {
        let (text, filled) = try ApprovalText.readQuestion(challenge)
        if WalletClient.isOriginal(text) {
            guard allow, code == nil else {
                throw CommandError("version 1 has no denial and no code. Leave the request unanswered: it expires")
            }
            return try await OriginalAnswer(text: text, confirmation: confirmation, options: options).allow()
        }
        let client = try await options.unlock()
        let question = try await client.question(text)
        if discard || bringBack {
            let waiting = try await client.setDiscarded(question.id, discard)
            guard !options.output.json else { return try Output.print(value: waiting) }
            let end = Output.time(waiting.expires)
            return Output.line(
                discard
                    ? "Put aside. Until \(end) it can still be answered by its id, or listed again with --bring-back."
                    : "It is listed again. You can answer until \(end).")
        }
        for line in question.lines { Terminal.note("\(line.label): \(line.text.shown)") }
        // No line says when it was asked: a field of a time is the service's own choice.
        Terminal.note(
            "Asked on \(Output.time(question.created)). You can answer until \(Output.time(question.expires)).")
        let given: GivenApproval
        if let reason {
            try Terminal.confirm("Deny this?", yes: confirmation.yes)
            given = try await client.deny(question, ApprovalDenial(reason: reason, scope: scope ?? .request))
        } else {
            let typed = try question.digits.map { digits in
                try code ?? filled ?? Terminal.ask("The \(digits) digits that the asking page shows", orGive: "--code")
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
