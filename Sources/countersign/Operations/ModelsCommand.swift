import ArgumentParser
import Encodings
import HandSignatures
import Interface
import Server

/// `countersign admin models`.
struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "The models by which the desk compares signatures.",
        discussion: """
            The program has one for pens and one for fingers, made from research sets. If you have signatures from \
            your own devices, a model of your own does better, and reports then say your own error rates. Installed \
            models are in backups, and the log says when they change.

              countersign signatures train visit1 visit2 --out model.json
              countersign signatures evaluate others --model model.json --rates rates.json
              countersign admin models install model.json --rates rates.json
            """,
        subcommands: [ModelsListCommand.self, ModelsInstallCommand.self, ModelsRemoveCommand.self])
}

/// `countersign admin models list`.
struct ModelsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the models that the desk uses. The server must be stopped.",
        discussion: "  countersign admin models list")

    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            let entries = try await ModelsCommand.inWords { try await OwnModels(of: server).list() }
            guard !options.output.json else {
                return Output.print(.members([("items", .array(entries.map(\.json)))]))
            }
            Output.table(
                ["FOR", "FROM", "MODEL (SHA-256)", "THRESHOLD", "MEASURED ON"],
                entries.map { [$0.tools, $0.origin, $0.digest, "\($0.threshold)", $0.sets.joined(separator: "; ")] })
        }
    }
}

/// `countersign admin models install`.
struct ModelsInstallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Use a model of your own from now on. The server must be stopped.",
        discussion: """
            The model says whether it is for pens or fingers. Clients stay as they are: templates hold movements, and \
            every model reads them. Transactions that were decided keep the model and the error rates of their day.

            Evaluate on people from whom the model has not learnt: reports repeat these figures to courts.

              countersign admin models install model.json --rates rates.json
            """)

    @Argument(help: "A model that 'countersign signatures train' wrote.", completion: .file()) var model: String
    @Option(help: "Its scores, from 'countersign signatures evaluate --rates'.") var rates: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        let candidate = try await ModelsCommand.inWords {
            try OwnModels.candidate(model: try Files.read(model), rates: try Files.read(rates))
        }
        let errors = candidate.errors
        try await options.whileStopped { server in
            try Terminal.confirm(
                "Of 10,000 signatures this model refuses \(errors.genuineRefused) genuine ones and accepts "
                    + "\(errors.forgedAccepted) practised forgeries. Every signature is judged by it after the next "
                    + "start. Go on?", yes: confirmation.yes)
            let receipt = try await OwnModels(of: server).install(candidate)
            guard !options.output.json else { return Output.print(.members([("receipt", .text(receipt.proof))])) }
            Output.line("Installed, and in the log. Start the servers again.")
        }
    }
}

/// `countersign admin models remove`.
struct ModelsRemoveCommand: AsyncParsableCommand {
    /// What a model is for.
    enum Tool: String, ExpressibleByArgument, CaseIterable {
        case pen, touch
    }

    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Use the program's own model again. The server must be stopped.",
        discussion: "  countersign admin models remove pen")

    @Argument(help: "pen or touch.") var tool: Tool
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            try Terminal.confirm("Your model is removed; keep its file. Go on?", yes: confirmation.yes)
            let receipt = try await ModelsCommand.inWords {
                try await OwnModels(of: server).remove(tool == .pen ? .pen : .touch)
            }
            guard !options.output.json else { return Output.print(.members([("receipt", .text(receipt.proof))])) }
            Output.line("Removed, and in the log. Start the servers again.")
        }
    }
}

extension ModelsCommand {
    /// Says in words why a model is refused.
    static func inWords<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let refusal as OwnModels.Refusal {
            throw CommandError(refusal.words, isRefusal: true)
        } catch let error as OwnModels.Unreadable {
            throw CommandError(error.words)
        }
    }
}

extension OwnModels.Refusal {
    var words: String {
        switch self {
        case .model(let error): "this version does not know that model: \(error)"
        case .rates: "the error rates are not a file that 'countersign signatures evaluate --rates' wrote"
        case .otherTool: "the model and the error rates are not for the same: one is for pens, the other for fingers"
        case .otherModel:
            "the error rates are another model's: run 'countersign signatures evaluate' with --model and this model, or "
                + "with --cross-validate"
        case .none: "no model of your own is installed for that"
        }
    }
}

extension OwnModels.Unreadable {
    var words: String {
        "the model of your own for \(tool.rawValue) cannot be read by this version: install another one, or go back to the "
            + "program's with 'countersign admin models remove \(tool.rawValue)'"
    }
}

extension OwnModels.Entry {
    var tools: String { tool == .pen ? "pens" : "fingers" }
    var origin: String { isOwn ? "you" : "the program" }

    var json: JSON {
        .members([
            ("is_own", .bool(isOwn)), ("model", .text(digest)), ("sets", .array(sets.map { .text($0) })),
            ("threshold_millionths", .integer(Int64((threshold * 1e6).rounded(.toNearestOrEven)))),
            ("tool", .text(tool == .pen ? "pen" : "touch")),
        ])
    }
}
