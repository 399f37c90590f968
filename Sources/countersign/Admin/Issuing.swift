import ArgumentParser
import Documents
import Encodings
import Interface
import Wallet

/// `countersign wallet admin requests`.
struct AdminRequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "Members' requests; --follow shows changes as they happen.",
        discussion: "  countersign wallet admin requests --state pending --follow")

    @Option(help: "pending, accepted, cancelled or issued.") var state: DocumentRequest.State?
    @Flag(help: "Keep showing changes until you press Ctrl-C.") var follow = false
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        // Listening begins before the list is fetched, so that nothing falls between.
        let events = try await client.events()
        let requests = try await client.requests(state)
        if options.output.json {
            try Output.print(items: requests)
        } else if requests.isEmpty {
            Output.line("No requests.")
        } else {
            RequestsCommand.show(requests)
        }
        guard follow else { return }
        for await event in events where event.kind == "request" {
            if options.output.json {
                try Output.print(value: event)
            } else {
                Output.line("\(event.id)  \(event.state)")
            }
        }
    }
}

/// `countersign wallet admin accept`.
struct AcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Take a request.", discussion: "  countersign wallet admin accept ID")

    @Argument(help: "The request's id.") var id: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let request = try await options.unlock().accept(id)
        guard !options.output.json else { return try Output.print(value: request) }
        Output.line(
            "Yours now. Sign and send it with 'countersign wallet admin issue \(id) --fields FILE --document FILE'.")
    }
}

/// `countersign wallet admin assign`.
struct AssignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign", abstract: "Hand a request to another administrator.",
        discussion: "  countersign wallet admin assign ID grace")

    @Argument(help: "The request's id.") var id: String
    @Argument(help: "The administrator's username.") var username: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let request = try await options.unlock().assign(id, to: username)
        guard !options.output.json else { return try Output.print(value: request) }
        Output.line("Handed to \(request.administrator?.name ?? username).")
    }
}

/// `countersign wallet admin cancel`.
struct DeclineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Decline a request, with a reason that the member reads.",
        discussion: "  countersign wallet admin cancel ID --reason 'Fees are still open'")

    @Argument(help: "The request's id.") var id: String
    @Option(help: "Why: the member reads it.") var reason: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let request = try await options.unlock().cancel(id, reason: reason)
        guard !options.output.json else { return try Output.print(value: request) }
        Output.line("Cancelled; \(request.member.name) reads why.")
    }
}

/// `countersign wallet admin issue`.
struct IssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue", abstract: "Sign a document and send it, sealed to its holder.",
        discussion: """
            This wallet signs and seals everything; the server gets ciphertext. The fields are those of the type: see \
            'countersign wallet catalogue'. In the JSON file a number with a fraction is a text ("7.5"), a \
            date is YYYY-MM-DD, and a transcript's courses are objects:

              {"given_name": "Ada", "family_name": "Lovelace", "student_number": "1815", "programme": "Mathematics",
               "courses": [{"code": "M1", "title": "Analysis", "credits": 10, "grade": "1.0"}], "credits_total": 10}

              countersign wallet admin issue ID --document degree.pdf --field degree=BSc --fields degree.json
            """)

    @Argument(help: "The id of a request that you have accepted.") var id: String
    @Option(help: "The file, usually a PDF.", completion: .file()) var document: String?
    @Option(help: "When its validity ends: YYYY-MM-DD, or with a time. Default: never.") var expires: String?
    @OptionGroup var fields: FieldOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        guard let request = try await client.requests().first(where: { $0.id == id }),
            let type = DocumentCatalogue.type(named: Bytes(text: request.type))
        else { throw WalletError.notFound(id) }
        let issued = try await client.issue(
            request: id, fields: try fields.values(for: type), document: try document.map(Self.attachment),
            expires: try expires.map(TimeText.parse))
        guard !options.output.json else { return try Output.print(value: issued.info) }
        Output.line("Signed and sent to \(issued.info.holder.name): \(issued.info.type) (\(issued.info.id)).")
        Output.act(issued.act)
    }

    /// The file with its name and the media type that its ending says.
    private static func attachment(_ path: String) throws -> AttachedDocument {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let types = [
            "pdf": "application/pdf", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
            "txt": "text/plain",
        ]
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let type = types[ending] ?? "application/octet-stream"
        guard
            let document = AttachedDocument(
                name: Bytes(text: name), mediaType: Bytes(text: type), content: try Files.read(path))
        else {
            throw CommandError(
                "\(path) has a name that cannot be shown, or is larger than \(AttachedDocument.maximumSize >> 20) MiB")
        }
        return document
    }
}

/// `countersign wallet admin issued`.
struct IssuedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issued", abstract: "All documents that were issued.",
        discussion: "  countersign wallet admin issued")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let documents = try await options.unlock().documents(issued: true)
        guard !options.output.json else { return try Output.print(items: documents) }
        guard !documents.isEmpty else { return Output.line("No documents yet.") }
        Output.table(
            ["ID", "TYPE", "ISSUED", "HOLDER", "BY", ""],
            documents.map { document in
                [
                    document.id, document.type, Output.time(document.issued), document.holder.username,
                    document.issuer.username, document.revoked.map { "revoked \(Output.time($0))" } ?? "",
                ]
            })
    }
}
