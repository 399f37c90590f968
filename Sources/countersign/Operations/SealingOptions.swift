import ArgumentParser
import Encodings
import Wallet

/// Where the passphrase of a key's file comes from: never from the command line, where others could read it.
struct SealingOptions: ParsableArguments {
    @Option(
        help: "A file whose first line is the passphrase. Default: the terminal, without echo.", completion: .file())
    var passphraseFile: String?

    /// The passphrase of a file that exists.
    func passphrase() throws -> String {
        try passphraseFile.map(Passphrases.firstLine) ?? Terminal.askHidden("Passphrase of the key's file")
    }

    /// The passphrase of a new file, asked for twice.
    func newPassphrase() throws -> String {
        if let passphraseFile { return try Passphrases.firstLine(of: passphraseFile) }
        let first = try Terminal.askHidden("New passphrase for the key's file (several words)")
        guard try Terminal.askHidden("Again") == first else { throw CommandError("the two differ") }
        return first
    }
}
