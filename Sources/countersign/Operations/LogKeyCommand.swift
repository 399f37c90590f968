import ArgumentParser
import Encodings
import Interface
import Server

/// `countersign admin keys log`.
struct LogKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Another key for the log's checkpoints. The server must be stopped.",
        discussion: """
            Verifiers and witnesses know the log's key, so that it changes in steps: make the next one; give it to the \
            witnesses; the main administrator signs a log policy that names both; when all have followed, let it take \
            the old one's place. In between both sign.

              countersign admin keys log begin        # then start the server again
              countersign wallet admin log-policy set policy.txt
              countersign admin keys log status
              countersign admin keys log finish
            """,
        subcommands: [LogKeyStatus.self, LogKeyBegin.self, LogKeyFinish.self, LogKeyCancel.self],
        defaultSubcommand: LogKeyStatus.self)
}

/// `countersign admin keys log status`.
struct LogKeyStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Which keys there are, and what comes next.",
        discussion: "  countersign admin keys log status --json")

    @OptionGroup var options: DataOptions

    func run() async throws {
        let state = try await options.whileStopped { try await LogKeyChange(of: $0).state() }
        show(state, options.output)
    }
}

/// `countersign admin keys log begin`.
struct LogKeyBegin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin", abstract: "Make the next key. It signs nothing until a log policy names it.",
        discussion: "  countersign admin keys log begin")

    @OptionGroup var options: DataOptions

    func run() async throws {
        let state = try await options.whileStopped { try await LogKeyChange(of: $0).begin() }
        show(state, options.output)
    }
}

/// `countersign admin keys log finish`.
struct LogKeyFinish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Let the next key take the place of the old one, which is destroyed.",
        discussion: """
            First the witnesses sign the newest checkpoint under the next key alone: nothing changes unless enough do. \
            Receipts that the old key has signed stay good for whoever has a policy that names it.

              countersign admin keys log finish
            """)

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            try Terminal.confirm(
                "Destroy the old log key? From now on the next one signs alone.", yes: confirmation.yes)
            let receipt = try await LogKeyChange(of: server).finish()
            guard !options.output.json else {
                return Output.print(.members([("key", .text("log")), ("receipt", .text(receipt.proof))]))
            }
            Output.line("Rotated: log. In the log. Start the servers again.")
        }
    }
}

/// `countersign admin keys log cancel`.
struct LogKeyCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Destroy the next key and keep the one in use.",
        discussion: "  countersign admin keys log cancel")

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            try Terminal.confirm("Destroy the next log key?", yes: confirmation.yes)
            try await LogKeyChange(of: server).cancel()
        }
        guard !options.output.json else { return Output.print(.members([("cancelled", .bool(true))])) }
        Output.line("Destroyed. The key in use goes on signing.")
    }
}

private func show(_ state: LogKeyChange.State, _ output: OutputOptions) {
    func json(_ key: LogKeyChange.Key) -> JSON {
        .members([("in_policy", .bool(key.isInPolicy)), ("key", .text(key.verifierKey))])
    }
    guard !output.json else {
        return Output.print(
            .members([("current", json(state.current)), ("next", state.next.map(json) ?? .null)]))
    }
    func line(_ name: String, _ key: LogKeyChange.Key) {
        Output.line(
            "\(name)  \(key.verifierKey)\n         \(key.isInPolicy ? "signs" : "does not sign: no log policy in force names it")"
        )
    }
    line("in use ", state.current)
    guard let next = state.next else {
        return Output.line("There is no next key. To make one: countersign admin keys log begin")
    }
    line("next   ", next)
    Output.line(
        next.isInPolicy
            ? "When every wallet, verifier and witness has followed: countersign admin keys log finish"
            : "Start the server, give the next key to every witness, and have the main administrator name both in her "
                + "policy: countersign wallet admin log-policy set")
}

extension LogKeyChange.StepError {
    /// What to do.
    var words: String {
        switch self {
        case .notBegun: "there is no next log key: countersign admin keys log begin makes one"
        case .begun: "there is a next log key already: countersign admin keys log status shows it"
        case .notInPolicy:
            "the log policy in force does not name the next key, so nobody would believe it: the main administrator "
                + "signs one that does, countersign wallet admin log-policy set"
        case .inForceAlone:
            "the log policy in force names the next key and not the one in use: finish, or have the main administrator "
                + "sign a policy that names the one in use"
        case .notSigned: "the newest checkpoint is not signed by the next key: start the server once, and stop it"
        case .unwitnessed(let failures):
            "with the next key alone too few witnesses sign; have they been given it? \(failures.joined(separator: "; "))"
        }
    }
}
