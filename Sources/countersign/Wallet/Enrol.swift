import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet enrol`.
struct EnrolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol", abstract: "Have your identity checked face to face, or enrol this wallet at a service.",
        discussion: """
            Shows a code for the administrator in front of you, and eight characters to read to them instead. When they \
            have taken either, both sides show six digits: go on only if they are the same.

            With a service's offer, this wallet makes a key for that service alone and answers what it asks from then on. \
            If another wallet of yours is enrolled there, it has to vouch: name its file with --by. If all of them are \
            lost, give a recovery code, or wait first ('countersign wallet services recovery') and say --lost.

            A site that speaks version 1 shows 'authreq://…'. Name the file of its RSA key with --server-key.

              countersign wallet enrol
              countersign wallet enrol authreq:2:… --name phone
              countersign wallet enrol authreq:2:… --recovery-code 7K3M-Q0XA-9TBE
              countersign wallet enrol authreq://… --server-key site.pem
            """)

    @Argument(
        help: "A service's offer: 'authreq:2:…', the name of a PNG or of a file with it, or '-'.", completion: .file())
    var offer: String?
    @Option(help: "With an offer: what the service and you call this wallet. Default: the name of this machine.")
    var name: String?
    @Option(
        help: "With an offer: the file of your wallet that is enrolled there. It has the same passphrase.",
        completion: .file())
    var by: String?
    @Option(help: "With an offer: a recovery code, if every wallet that is enrolled there is lost. They end.")
    var recoveryCode: String?
    @Flag(help: "With an offer: every wallet that is enrolled there is lost, and you have waited. They end.")
    var lost = false
    @Option(
        help: "With an offer of version 1: the file of the site's RSA public key, PEM, which the site publishes.",
        completion: .file())
    var serverKey: String?
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func validate() throws {
        let ways = [by != nil, recoveryCode != nil, lost].count(where: { $0 })
        guard offer != nil || (name == nil && ways == 0 && serverKey == nil) else {
            throw ValidationError("--name, --by, --recovery-code, --lost and --server-key are for a service's offer")
        }
        guard ways <= 1 else { throw ValidationError("say one of --by, --recovery-code and --lost") }
        guard serverKey == nil || (name == nil && ways == 0) else {
            throw ValidationError("--name, --by, --recovery-code and --lost are not for version 1")
        }
    }

    func run() async throws {
        if let offer, let serverKey {
            let enrolment = OriginalAnswer(
                text: try ApprovalText.read(offer), confirmation: confirmation, options: options)
            return try await enrolment.enrol(serverKey: try Files.read(serverKey))
        }
        if let offer {
            let recovery = recoveryCode.map { ApprovalWayBack.code($0) } ?? (lost ? .wait : nil)
            return try await ServiceEnrolment(
                offer: offer, name: name, voucher: by, recovery: recovery, options: options
            ).run()
        }
        let client = try await options.unlock()
        let pending = try await client.beginEnrolment()
        QRPicture.show(pending.code.text)
        Terminal.note("Show this code to the administrator in front of you:\n\n  \(pending.code.text)\n")
        let typed = try await client.typedCode(of: pending)
        Terminal.note(
            "Or read these eight characters to them. They work once, for five minutes:\n\n"
                + "  \(Terminal.styled(typed.code, .strong))\n")
        let answered = try await client.answerEnrolment(pending)
        Terminal.note(
            "\(answered.administrator) has taken it. Your six digits:\n\n  \(Terminal.styled(answered.digits, .strong))\n"
        )
        do {
            try Terminal.confirm("Does the administrator's screen show the same?", yes: confirmation.yes)
        } catch {
            try await client.abandonEnrolment(answered.id)
            throw CommandError(
                "you have ended the check. If the digits differed, somebody was in between", isRefusal: true)
        }
        Terminal.note("Waiting for the administrator to look at your ID document and sign…")
        try await client.waitForCompletion(answered)
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("administrator", .text(answered.administrator)), ("digits", .text(answered.digits)),
                    ("enrolment", .text(answered.id)), ("ok", .bool(true)),
                ]))
        }
        Output.line("Done. Your identity credential is among 'countersign wallet documents'.")
    }
}
