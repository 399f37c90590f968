import ArgumentParser
import Encodings
import Interface
import Wallet

/// `countersign wallet catalogue`.
struct CatalogueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue", abstract: "Which documents can be asked for, and their fields.",
        discussion: "  countersign wallet catalogue")

    @OptionGroup var options: WalletOptions

    func run() async throws {
        let types = try await options.unlock().catalogue()
        guard !options.output.json else { return try Output.print(items: types) }
        for type in types {
            Output.line("\(Terminal.styled(type.id, .strong))  \(type.title)")
            for field in type.fields {
                Output.line(
                    "  \(field.name): \(field.label), \(field.kind.rawValue)\(field.isMandatory ? "" : ", optional")")
            }
        }
    }
}

/// `countersign wallet request`.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request", abstract: "Ask for a document.",
        discussion: """
            An administrator must check your identity first: see 'enrol'.

              countersign wallet request transcript --note 'For an application, by Friday please'
            """)

    @Argument(help: "transcript, degree, employment, generic: see 'catalogue'.") var type: String
    @Option(help: "A note for the administrator.") var note = ""
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let request = try await options.unlock().request(type: type, note: note)
        guard !options.output.json else { return try Output.print(value: request) }
        Output.line("Asked for: \(request.type) (\(request.id)). 'countersign wallet requests' shows its state.")
    }
}

/// `countersign wallet requests`.
struct RequestsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "Your requests and their state.",
        discussion: "  countersign wallet requests --state pending")

    @Option(help: "pending, accepted, cancelled or issued.") var state: DocumentRequest.State?
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let requests = try await options.unlock().requests(state)
        guard !options.output.json else { return try Output.print(items: requests) }
        guard !requests.isEmpty else {
            return Output.line("No requests. Ask with 'countersign wallet request TYPE'.")
        }
        Self.show(requests)
    }

    /// The table that members and administrators see.
    static func show(_ requests: [DocumentRequest]) {
        Output.table(
            ["ID", "TYPE", "STATE", "MEMBER", "HANDLED BY", "CHANGED", "WORDS"],
            requests.map { request in
                [
                    request.id, request.type, request.state.rawValue, request.member.username,
                    request.administrator?.username ?? "", Output.time(request.changed),
                    request.reason ?? request.note,
                ]
            })
    }
}

/// `countersign wallet cancel`.
struct CancelRequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Withdraw a request of yours.",
        discussion: "  countersign wallet cancel ID --reason 'No longer needed'")

    @Argument(help: "The request's id.") var id: String
    @Option(help: "Why.") var reason: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let request = try await options.unlock().cancel(id, reason: reason)
        guard !options.output.json else { return try Output.print(value: request) }
        Output.line("Cancelled.")
    }
}
