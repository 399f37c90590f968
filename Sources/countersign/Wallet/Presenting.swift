import ArgumentParser
import Documents
import Encodings
import Interface
import Verification
import Wallet

/// The claims to show, and the verifier.
struct ChoiceOptions: ParsableArguments {
    @Option(name: .customLong("to"), help: "The verifier: the name or address that they gave.") var audience: String
    @Option(help: "The verifier's nonce: it shows that the file was made in answer to them.") var nonce: String?
    @Option(help: "A field to show; may be repeated.") var show: [String] = []
    @Flag(help: "Show all fields.") var all = false
    @Flag(help: "Keep the file back.") var withoutDocument = false

    func validate() throws {
        guard !all || show.isEmpty else {
            throw ValidationError("give --show FIELD for each field to show, or --all, and not both")
        }
    }

    /// The choice; nothing is shown that was not chosen.
    ///
    /// - Parameter days: for how long the verifier shall find it good.
    func choice(of held: WalletDocument, days: Int) throws -> PresentationChoice {
        guard all || !show.isEmpty else {
            let fields = FieldOptions.ordered(held.fields, type: held.claims.typeName)
            let names = fields.map(\.name.text).filter { $0 != "document" }.joined(separator: ", ")
            throw CommandError("choose what to show: --show FIELD…, or --all. The document has \(names)")
        }
        return PresentationChoice(
            audience: audience, nonce: nonce, fields: all ? nil : show,
            withDocument: !withoutDocument && held.document != nil, lifetime: Int64(days) * 86_400)
    }
}

/// `countersign wallet present`.
struct PresentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "present", abstract: "Make the one file for a verifier.",
        discussion: """
            The file shows the chosen fields only, names the verifier, and carries a fresh status and the log's \
            receipt. Anybody who has the organisation's root certificate can check it, without a network.

              countersign wallet present ID --to hr@example.com --nonce 8f3k --show given_name --show degree \
            --out ada.countersign
            """)

    @Argument(help: "The document's id.") var id: String
    @OptionGroup var choice: ChoiceOptions
    @Option(help: "For how many days the file stays good, 1 to 365.") var days = 30
    @Option(help: "The file to write; '-' is standard output. Default: TYPE.countersign.", completion: .file())
    var out: String?
    @Flag(help: "Overwrite the file.") var force = false
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (1...365).contains(days) else { throw ValidationError("--days is 1 to 365") }
    }

    func run() async throws {
        let client = try await options.unlock()
        let held = try await client.open(id)
        let presentation = try await client.present(id, choice.choice(of: held, days: days))
        let path = out ?? "\(held.info.type).countersign"
        try Files.write(presentation.file, to: path, force: force)
        guard path != "-" else { return }
        guard !options.output.json else {
            Output.print(
                .members([
                    ("audience", .text(choice.audience)), ("expires", .integer(presentation.end)),
                    ("file", .text(path)), ("nonce", .text(presentation.nonce)),
                    ("own_nonce", .bool(presentation.isOwnNonce)), ("report", presentation.report.json),
                ]))
            guard presentation.report.verdict == .valid else {
                throw ExitCode(presentation.report.verdict.exitCode)
            }
            return
        }
        Output.line("\(path) is for \(choice.audience) and shows:")
        let shown = FieldOptions.ordered(
            presentation.report.content?.fields ?? [], type: held.claims.typeName)
        for field in shown {
            Output.line("  \(field.name.text): \(FieldOptions.words(field.value))")
        }
        if let document = presentation.bundle.document { Output.line("  file: \(document.name.text)") }
        if presentation.isOwnNonce {
            Output.line("It is good until \(Output.time(presentation.end)).")
        }
        try Self.warn(presentation.report)
    }

    /// Says in advance what the verifier will be told, and ends with the exit code that the verifier will get.
    static func warn(_ report: VerificationReport) throws {
        guard report.verdict != .valid else { return }
        Output.line(Terminal.styled("A verifier will not accept it:", .bad))
        for check in report.checks where check.result == .failed || check.result == .unknown {
            Output.line("  \(check.name.code): \(check.detail.text)")
        }
        throw ExitCode(report.verdict.exitCode)
    }
}

/// `countersign wallet share`.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Present by a link with an expiry, a code and a number of views.",
        discussion: """
            The server keeps ciphertext; the key is in the link behind '#', which is never sent to it. Send the link \
            and the code by two ways.

              countersign wallet share ID --to hr@example.com --all --days 7 --views 3
            """)

    @Argument(help: "The document's id.") var id: String
    @OptionGroup var choice: ChoiceOptions
    @Option(help: "For how many days the link works, 1 to 365.") var days = 7
    @Option(help: "How often it may be opened, 1 to 1000.") var views = 3
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard (1...365).contains(days), (1...1000).contains(views) else {
            throw ValidationError("--days is 1 to 365, --views 1 to 1000")
        }
    }

    func run() async throws {
        let client = try await options.unlock()
        let held = try await client.open(id)
        let presentation = try await client.present(id, choice.choice(of: held, days: days))
        let new = try await client.share(
            presentation, of: id, lifetime: Int64(days) * 86_400, maximumViews: views)
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("code", .text(new.code)), ("expires", .integer(new.share.expires)), ("id", .text(new.share.id)),
                    ("link", .text(new.link.text)), ("views", .integer(Int64(views))),
                ]))
        }
        Output.line("link: \(new.link.text)")
        Output.line("code: \(Terminal.styled(new.code, .strong))")
        Output.line("They are shown this once. The link works until \(Output.time(new.share.expires)), \(views) times.")
        Output.line("Send them by two ways. The verifier runs 'countersign fetch LINK --code CODE --out FILE'.")
        try PresentCommand.warn(presentation.report)
    }
}

/// `countersign wallet shares`.
struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares", abstract: "Your links, or stop one.",
        discussion: """
              countersign wallet shares
              countersign wallet shares --stop ID
            """)

    @Option(help: "Stop the link with this id at once.") var stop: String?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        if let stop {
            try await client.stopShare(stop)
            guard !options.output.json else { return Output.print(.members([("ok", .bool(true))])) }
            return Output.line("Stopped.")
        }
        let shares = try await client.shares()
        guard !options.output.json else { return try Output.print(items: shares) }
        guard !shares.isEmpty else { return Output.line("No links. Make one with 'countersign wallet share ID'.") }
        Output.table(
            ["ID", "DOCUMENT", "UNTIL", "VIEWS", ""],
            shares.map { share in
                [
                    share.id, share.document, Output.time(share.expires), "\(share.views) of \(share.maximumViews)",
                    share.ending,
                ]
            })
    }
}

extension Share {
    /// When and why it was stopped, in words; empty when it was not.
    var ending: String {
        guard let stopped else { return "" }
        return "stopped \(Output.time(stopped))" + (stoppedByWrongCodes == true ? " by five wrong codes" : "")
    }
}
