import ArgumentParser
import Interface
import Wallet

/// `countersign wallet admin block`.
struct BlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block an operator or administrator: the main administrator.",
        discussion: """
            The account is signed out everywhere and cannot sign in. Records of what it did stay. The log keeps the \
            reason, and the receipt proves it.

              countersign wallet admin block desk --reason "left the company"
            """)

    @Argument(help: "The username.") var username: String
    @Option(help: "Why; the operator sees it when signing in.") var reason: String
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let account = try await named(username, client)
        try Terminal.confirm("Block \(account.username) (\(account.name))?", yes: confirmation.yes)
        try report(try await client.block(account, reason: reason), "Blocked.", options.output)
    }
}

/// `countersign wallet admin unblock`.
struct UnblockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "Let a blocked operator or administrator sign in again.",
        discussion: "  countersign wallet admin unblock desk")

    @Argument(help: "The username.") var username: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        try report(try await client.unblock(try await named(username, client)), "Unblocked.", options.output)
    }
}

private func named(_ username: String, _ client: WalletClient) async throws -> Account {
    guard let account = try await client.members().first(where: { $0.username == username }) else {
        throw CommandError("there is no account '\(username)'", isRefusal: true)
    }
    return account
}
