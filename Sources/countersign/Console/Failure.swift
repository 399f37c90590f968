import ArgumentParser
import Encodings
import Foundation
import Interface
import Server
import Storage
import Wallet

/// A command cannot go on; the words say what to do.
struct CommandError: Error {
    let words: String
    /// Whether the answer is a plain no, and no fault.
    let isRefusal: Bool

    init(_ words: String, isRefusal: Bool = false) {
        self.words = words
        self.isRefusal = isRefusal
    }
}

/// How a command ends that did not succeed: words to standard error, or one JSON object with `--json`.
enum Failure {
    static func end(_ error: any Error) -> Never {
        if Countersign.exitCode(for: error) == .success { Countersign.exit(withError: error) }
        if let code = error as? ExitCode { Countersign.exit(withError: code) }
        let (code, words, status) = describe(error)
        if CommandLine.arguments.contains("--json") {
            Output.print(
                .members([
                    ("error", .members([("code", .text(code)), ("detail", .text(words))])), ("ok", .bool(false)),
                ]))
        } else {
            Terminal.note(code == "usage" ? words : "\(Terminal.styled("error:", .bad)) \(words)")
        }
        Countersign.exit(withError: ExitCode(status))
    }

    private static func describe(_ error: any Error) -> (code: String, words: String, status: Int32) {
        switch error {
        case let error as CommandError: ("command", error.words, error.isRefusal ? 1 : 2)
        case let error as WalletError: (error.code, error.words, error.isRefusal ? 1 : 2)
        case let error as VaultFault: (error.code, error.words, error.isRefusal ? 1 : 2)
        case let error as PicoRunError: (error.code, error.words, error.isRefusal ? 1 : 2)
        case let error as ProblemError:
            (
                error.slug,
                "the server says: \(error.problem.detail.isEmpty ? error.problem.title : error.problem.detail)"
                    + (error.slug == "unauthenticated" ? " Run 'countersign wallet sign-in'." : ""),
                error.problem.status < 500 ? 1 : 2
            )
        case let error as BackupError: ("backup", "\(error)", error.isRefusal ? 1 : 2)
        case let error as StorageError: ("storage", "\(error)", 2)
        case is CancellationError: ("cancelled", "cancelled", 2)
        case let error as CocoaError: ("file", error.localizedDescription, 2)
        default:
            if Countersign.exitCode(for: error) == .validationFailure {
                ("usage", Countersign.fullMessage(for: error), 2)
            } else {
                ("failed", "\(error)", 2)
            }
        }
    }
}
