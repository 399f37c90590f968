import ArgumentParser
import CryptoProvider
import Encodings
import Foundation
import HandSignatures
import Server
import Wallet

/// `countersign admin forensic`.
struct ForensicCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forensic", abstract: "The key that raw movements of hand signatures are sealed to.",
        discussion: """
            Make its private half and keep it away from the server; choose who answers for it. Neither command needs a \
            server or a network.

              countersign admin forensic make --out forensic.key
              countersign admin forensic open movement.jwe --key forensic.key --out movement.json
            """,
        subcommands: [ForensicMakeCommand.self, ForensicOpenCommand.self])
}

/// `countersign admin forensic make`.
struct ForensicMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a key: a file under a passphrase, and the text that the server needs.",
        discussion: """
            The main administrator enters the printed text in the desk's settings. Movements signed from then on open \
            with this file only; keep it twice.

              countersign admin forensic make --out forensic.key
            """)

    @Option(help: "The file to write.", completion: .file()) var out: String
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await DataOptions.inWords {
            let file = try await ForensicFile(passphrase: try sealing.newPassphrase())
            try Files.write(try file.formatted(), to: out, force: nil)
            guard !output.json else { return Output.print(.members([("public_key", .text(file.publicText))])) }
            Output.line("Written to \(out). Give the server this, under Desk, Settings:")
            Output.line(file.publicText)
        }
    }
}

/// `countersign admin forensic open`.
struct ForensicOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a raw movement that the server handed out.",
        discussion: """
            The log already has the hand-over. The movement is a capture: 'countersign signatures convert' gives it to \
            other programs. Its SHA-256 is in the report of the transaction.

              countersign admin forensic open movement.jwe --key forensic.key --out movement.json
            """)

    @Argument(help: "The sealed movement, as the transaction's page saved it.", completion: .file())
    var movement: String
    @Option(help: "The file of the key.", completion: .file()) var key: String
    @Option(help: "The file to write.", completion: .file()) var out: String
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        try await DataOptions.inWords {
            let sealed = try Files.read(movement)
            let capture: Bytes
            do {
                let file = try ForensicFile(try Files.read(key))
                capture = try await file.open(
                    sealed.last == 0x0A ? Array(sealed.dropLast()) : sealed, passphrase: try sealing.passphrase())
            } catch KeyFileError.malformed {
                throw CommandError("\(key) is not a file that 'countersign admin forensic make' wrote")
            } catch JWEError.wrongRecipient {
                throw CommandError("\(movement) is sealed to another forensic key", isRefusal: true)
            } catch is JWEError {
                throw CommandError("\(movement) is not a sealed movement, or was changed", isRefusal: true)
            }
            let digest = Base64.encode(SHA256.hash(capture), .url).text
            try Files.write(capture, to: out, force: nil)
            guard !output.json else { return Output.print(.members([("movement", .text(digest))])) }
            Output.line("Written to \(out). In the report the movement must be \(digest).")
        }
    }
}
