import ArgumentParser
import Encodings
import Foundation
import Wallet

/// How output is made.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON object with sorted names.") var json = false
}

/// Which wallet, and where its passphrase comes from.
///
/// A passphrase is never given on the command line, where other users of the machine could read it.
struct WalletOptions: ParsableArguments {
    @Option(help: "The wallet file. Default: $COUNTERSIGN_WALLET, or ~/.countersign/wallet.", completion: .file())
    var wallet: String?
    @Option(
        help: """
            A file whose first line is the passphrase. Default: $COUNTERSIGN_PASSPHRASE_FILE, or the terminal, \
            without echo.
            """, completion: .file())
    var passphraseFile: String?
    @OptionGroup var output: OutputOptions

    /// Where the wallet is.
    var path: String {
        let environment = ProcessInfo.processInfo.environment
        return wallet ?? environment["COUNTERSIGN_WALLET"] ?? (NSHomeDirectory() + "/.countersign/wallet")
    }

    /// The passphrase of a wallet that exists.
    func passphrase() throws -> String {
        try fromFile() ?? Terminal.askHidden("Passphrase")
    }

    /// The passphrase of a new wallet, asked for twice.
    func newPassphrase() throws -> String {
        if let passphrase = try fromFile() { return passphrase }
        let first = try Terminal.askHidden("New passphrase (10 characters at least)")
        guard try Terminal.askHidden("Again") == first else { throw CommandError("the two differ") }
        return first
    }

    /// The unlocked wallet.
    func unlock() async throws -> WalletClient {
        guard WalletFile(path: path).exists else { throw WalletError.noWallet(path: path) }
        return try await WalletClient.unlock(path: path, passphrase: passphrase())
    }

    private func fromFile() throws -> String? {
        let environment = ProcessInfo.processInfo.environment
        guard let file = passphraseFile ?? environment["COUNTERSIGN_PASSPHRASE_FILE"] else { return nil }
        return try Passphrases.firstLine(of: file)
    }
}

/// A command that can lose something asks first.
struct ConfirmationOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
}
