import ArgumentParser
import Encodings
import Interface
import Server

/// `countersign admin keys log`.
struct LogKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Another key for the log's checkpoints.",
        discussion: """
            Verifiers and witnesses know the log's key, so it changes in steps. Make the next key and give it to the \
            witnesses. The main administrator signs a log policy that names both. When all have followed, let it \
            replace the old one. In between both sign.

              countersign admin keys log begin
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
        try show(await options.carryOut(.logState), options.output)
    }
}

/// `countersign admin keys log begin`.
struct LogKeyBegin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "begin", abstract: "Make the next key. It signs nothing until a log policy names it.",
        discussion: "  countersign admin keys log begin")

    @OptionGroup var options: DataOptions

    func run() async throws {
        try show(await options.carryOut(.logBegin), options.output)
    }
}

/// `countersign admin keys log finish`.
struct LogKeyFinish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Let the next key replace the old one, which is destroyed.",
        discussion: """
            First the witnesses sign the newest checkpoint under the next key alone: nothing changes unless enough do. \
            Receipts that the old key signed stay good for everybody with a policy that names it.

              countersign admin keys log finish
            """)

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try Terminal.confirm("Destroy the old log key? From now on the next one signs alone.", yes: confirmation.yes)
        guard case .rotated(let receipt) = try await options.carryOut(.logFinish) else {
            throw CommandError("the server's answer is unreadable")
        }
        guard !options.output.json else {
            return Output.print(.members([("key", .text("log")), ("receipt", .text(receipt.proof))]))
        }
        Output.line("Rotated: log. In the log.")
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
        try Terminal.confirm("Destroy the next log key?", yes: confirmation.yes)
        _ = try await options.carryOut(.logCancel)
        guard !options.output.json else { return Output.print(.members([("cancelled", .bool(true))])) }
        Output.line("Destroyed. The key in use goes on signing.")
    }
}

private func show(_ answer: KeyOrder.Answer, _ output: OutputOptions) throws {
    guard case .state(let state) = answer else { throw CommandError("the server's answer is unreadable") }
    guard !output.json else {
        return Output.print(.members([("current", state.current.json), ("next", state.next?.json ?? .null)]))
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
            : "Give the next key to every witness, and have the main administrator name both in the log policy: "
                + "countersign wallet admin log-policy set")
}
