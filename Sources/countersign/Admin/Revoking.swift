import ArgumentParser
import Wallet

/// `countersign wallet admin revoke`.
struct RevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a document, a device or an administrator, for ever.",
        discussion: """
            Signatures that the log had before a revocation stay checkable for their time.

              countersign wallet admin revoke document ID --reason 'Issued by mistake'
              countersign wallet admin revoke device ID --reason 'Reported stolen'
              countersign wallet admin revoke administrator DELEGATION --reason 'Left the registry'
            """,
        subcommands: [Document.self, Device.self, Administrator.self])

    /// What all three are told.
    struct Target: ParsableArguments {
        @Argument(help: "Its id.") var id: String
        @Option(help: "Why: the people concerned read it.") var reason: String
        @OptionGroup var confirmation: ConfirmationOptions
        @OptionGroup var options: WalletOptions

        func revoke(_ what: String, _ act: (WalletClient) async throws -> LoggedAct) async throws {
            try Terminal.confirm("Revoke the \(what) \(id) for ever?", yes: confirmation.yes)
            try report(try await act(try await options.unlock()), "Revoked.", options.output)
        }
    }

    struct Document: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a document.",
            discussion: "  countersign wallet admin revoke document ID --reason 'Issued by mistake'")
        @OptionGroup var target: Target

        func run() async throws {
            try await target.revoke("document") { try await $0.revokeDocument(target.id, reason: target.reason) }
        }
    }

    struct Device: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a member's device.",
            discussion: "  countersign wallet admin revoke device ID --reason 'Reported stolen'")
        @OptionGroup var target: Target

        func run() async throws {
            try await target.revoke("device") { try await $0.revokeDevice(target.id, reason: target.reason) }
        }
    }

    struct Administrator: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an administrator's certificate: the main administrator.",
            discussion: "  countersign wallet admin revoke administrator DELEGATION --reason 'Left the registry'")
        @OptionGroup var target: Target

        func run() async throws {
            try await target.revoke("administrator") {
                try await $0.revokeDelegation(target.id, reason: target.reason)
            }
        }
    }
}
