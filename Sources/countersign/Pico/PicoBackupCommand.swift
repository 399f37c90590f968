import ArgumentParser
import EllipticCurves
import Encodings
import Foundation
import Wallet

/// `countersign wallet backup`.
struct PicoBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up your accounts at services that you sign in to with a scan.",
        discussion: """
            The file holds the accounts with their keys, sealed under a recovery phrase that is shown once and kept nowhere. \
            The other keys of the wallet are not in it, and nor is its account at its own server: another wallet joins as a \
            further device, and is paired there.

              countersign wallet backup accounts.backup
            """)

    @Argument(help: "The file to write; it must not exist.", completion: .file()) var file: String
    @OptionGroup var options: WalletOptions

    func run() async throws {
        let client = try await options.unlock()
        let nothing = CommandError("the wallet has no such accounts: there is nothing to back up", isRefusal: true)
        guard await !client.picoAccounts().isEmpty else { throw nothing }
        let own = try await client.picoOwnService()
        guard await client.hasPicoAccounts(elsewhereThan: own) else { throw nothing }
        let (bytes, phrase, count) = try await client.backUpPicoAccounts(without: own)
        try Files.write(bytes, to: file, force: nil, option: "file")
        guard !options.output.json else {
            return Output.print(
                .members([("accounts", .integer(Int64(count))), ("file", .text(file)), ("phrase", .text(phrase))]))
        }
        Output.line(
            "\(count) account\(count == 1 ? "" : "s") in \(file). The recovery phrase, which nobody shows again:")
        Output.line()
        Output.line("  \(Terminal.styled(phrase, .strong))\n")
        Output.line("Keep it on paper, away from the file.")
    }
}

/// `countersign wallet restore`.
struct PicoRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Add the accounts of a backup to this wallet.",
        discussion: """
            Accounts that are here already stay as they are. A wrong phrase or a changed file changes nothing.

            With --original the file is a backup of the original's app, and the phrase its twelve words. Old services in it \
            come in only with --old-services.

              countersign wallet restore accounts.backup
              countersign wallet restore phone-pico.backup --original --phrase-file words.txt
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Option(help: "A file whose first line is the recovery phrase. Default: the terminal asks.", completion: .file())
    var phraseFile: String?
    @Flag(help: "The file is a backup of the original's app.") var original = false
    @Flag(help: "Take accounts on other curves than P-256 from the original's backup too.") var oldServices = false
    @OptionGroup var options: WalletOptions

    func validate() throws {
        guard original || !oldServices else { throw ValidationError("--old-services belongs to --original") }
    }

    func run() async throws {
        let bytes = try Files.read(file)
        let client = try await options.unlock()
        let phrase =
            try phraseFile.map { try Passphrases.firstLine(of: $0) }
            ?? Terminal.ask(original ? "The twelve words" : "Recovery phrase", orGive: "--phrase-file")
        let added: [PicoAccountSummary]
        let known: Int
        var left = 0
        if original {
            let found = try PicoAppBackup.read(bytes, phrase: phrase)
            let wanted = oldServices ? found : found.filter { $0.identity.curve == .p256 }
            left = found.count - wanted.count
            added = try await client.addPicoAccounts(wanted)
            known = wanted.count - added.count
        } else {
            (added, known) = try await client.restorePicoAccounts(bytes, phrase: phrase)
        }
        report(added, known: known, left: left)
    }

    private func report(_ added: [PicoAccountSummary], known: Int, left: Int) {
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("added", .array(added.map(\.json))), ("known", .integer(Int64(known))),
                    ("left", .integer(Int64(left))),
                ]))
        }
        for account in added {
            let (service, name) = (Bytes(text: account.service).shown, Bytes(text: account.name).shown)
            Output.line("added: \(service), \(name) (\(account.id))")
        }
        Output.line("Added \(added.count); \(known) were here already.")
        if left > 0 {
            Terminal.note("\(left) of old services were left out. If you still use them, give --old-services.")
        }
    }
}
