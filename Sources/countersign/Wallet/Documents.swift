import ArgumentParser
import Documents
import Encodings
import Interface
import Wallet

/// `countersign wallet documents`.
struct DocumentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "documents", abstract: "Your documents, newest first.",
        discussion: "  countersign wallet documents")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let documents = try await options.unlock().documents().sorted { $0.issued > $1.issued }
        guard !options.output.json else { return try Output.print(items: documents) }
        guard !documents.isEmpty else {
            return Output.line(
                "No documents yet. Have your identity checked with 'countersign wallet enrol', then ask with "
                    + "'countersign wallet request TYPE'.")
        }
        Output.table(
            ["ID", "TYPE", "ISSUED", "BY", ""],
            documents.map { document in
                let state = document.revoked.map { "revoked \(Output.time($0)): \(document.reason ?? "")" } ?? ""
                return [document.id, document.type, Output.time(document.issued), document.issuer.name, state]
            })
    }
}

/// `countersign wallet open`.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open and verify a document of yours.",
        discussion: """
            The document is decrypted in memory and verified: signature, chain to the pinned root, receipt. A copy of \
            its file is stored only with --out.

              countersign wallet open ID --out transcript.pdf
            """)

    @Argument(help: "The document's id.") var id: String
    @Option(help: "Store the file here; '-' is standard output.", completion: .file()) var out: String?
    @Flag(help: "Overwrite the file.") var force = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let held = try await options.unlock().open(id)
        if let out {
            guard let document = held.document else { throw CommandError("this document has no file") }
            try Files.write(document.content, to: out, force: force)
            guard out != "-" else { return }
        }
        guard !options.output.json else { return Output.print(Self.json(held)) }
        Output.line(
            "\(Terminal.styled(held.info.type, .strong)), signed by \(held.signer) of \(held.claims.issuer.text)")
        Output.line("signed \(Output.time(held.claims.issuedAt)), in the log as entry \(held.act.index)")
        let fields = FieldOptions.ordered(held.fields, type: held.claims.typeName)
        for field in fields where !field.name.equals("document") {
            Output.line("  \(field.name.shown): \(FieldOptions.words(field.value))")
        }
        if let document = held.document {
            Output.line(
                "  file: \(document.name.text), \(document.content.count) bytes"
                    + (out.map { ", stored as \($0)" } ?? "; --out FILE stores it"))
        }
        if let revoked = held.info.revoked {
            Output.line(
                Terminal.styled("Revoked \(Output.time(revoked)): \(held.info.reason ?? "")", .bad))
        }
    }

    private static func json(_ held: WalletDocument) -> JSON {
        .members([
            ("credential", .text(held.info.credentialDigest)), ("fields", .object(held.fields)),
            ("id", .text(held.info.id)), ("issued_at", .integer(held.claims.issuedAt)),
            ("issuer", .string(held.claims.issuer)), ("log_index", .integer(held.act.index)),
            ("revoked", held.info.revoked.map { .integer($0) } ?? .null), ("signer", .text(held.signer)),
            ("type", .text(held.info.type)),
        ])
    }
}

/// `countersign wallet delete`.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a document of yours at the server.",
        discussion: """
            Files that you have already presented stay valid there. Nobody can bring the document back.

              countersign wallet delete ID
            """)

    @Argument(help: "The document's id.") var id: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        try Terminal.confirm("Delete the document \(id)? Nobody can bring it back.", yes: confirmation.yes)
        try report(try await options.unlock().delete(id), "Deleted.", options.output)
    }
}
