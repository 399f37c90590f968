import ArgumentParser
import Documents
import Encodings
import Interface
import Wallet

/// `countersign wallet admin check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a member face to face and sign their identity credential.",
        discussion: """
            Take the code that the member's wallet shows, or its eight characters. Then both sides show six digits: go on only if they are the \
            same. Look at the member's paper, and give the names as it has them.

              countersign wallet admin check ABCD-EFGH
              countersign wallet admin check CODE --paper passport --field given_name=Ada --field family_name=Lovelace
            """)

    @Argument(
        help: "The code, countersign-enrol:…, a PNG of it, or eight characters; asked for when missing.",
        completion: .file())
    var code: String?
    @Option(help: "passport, identity_card, driving_licence, residence_permit or student_card.")
    var paper: IdentityPaper?
    @OptionGroup var fields: FieldOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let text = try CodePicture.text(
            code ?? Terminal.ask("The code on the member's screen", orGive: "it as the argument"))
        let claimed = try await client.claimEnrolment(code: text)
        Terminal.note("\(claimed.holder.name) (\(claimed.holder.username)). Waiting for the member's device…")
        let ready = try await client.awaitAnswer(claimed)
        Terminal.note("Your six digits:\n\n  \(Terminal.styled(ready.digits, .strong))\n")
        let issued: IssuedDocument
        do {
            // Where the server gave the code, only a look at both screens shows that it gave the right one.
            guard !claimed.isTyped || Terminal.canAsk else {
                throw CommandError("after eight characters, compare the digits at a terminal. Or give the whole code")
            }
            try Terminal.confirm("Does the member's screen show the same?", yes: confirmation.yes && !claimed.isTyped)
            let paper = try paper ?? askForPaper()
            issued = try await client.completeEnrolment(ready, paper: paper, fields: try values())
        } catch {
            try? await client.abandonEnrolment(ready.id)
            throw error
        }
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("digits", .text(ready.digits)), ("document", .text(issued.info.id)),
                    ("holder", .text(ready.holder.username)), ("log_index", .integer(issued.act.index)),
                ]))
        }
        Output.line("\(ready.holder.name) holds an identity credential now (\(issued.info.id)).")
        Output.act(issued.act)
    }

    private func askForPaper() throws -> IdentityPaper {
        let names = IdentityPaper.allCases.map(\.rawValue).joined(separator: ", ")
        guard let paper = IdentityPaper(rawValue: try Terminal.ask("Which ID document (\(names))", orGive: "--paper"))
        else {
            throw CommandError("the ID document is one of \(names)")
        }
        return paper
    }

    private func values() throws -> [JSON.Member] {
        var values = try fields.values(for: DocumentCatalogue.identity)
        for (name, question) in [
            ("given_name", "Given name on the ID document"), ("family_name", "Family name on the ID document"),
        ]
        where !values.contains(where: { $0.name.equals(text: name) }) {
            values.append(
                JSON.Member(name, .text(try Terminal.ask(question, orGive: "--field \(name)=…"))))
        }
        return values
    }
}
