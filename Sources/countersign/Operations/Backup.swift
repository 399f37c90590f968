import ArgumentParser
import Encodings
import Server
import Storage
import Wallet

/// `countersign admin backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write everything into one file, while the server runs.",
        discussion: """
            One consistent state of all tables, the sealed documents that they name, the log, and the server's keys. \
            The file restores into SQLite and PostgreSQL, into folders and buckets: use it to move from one to the \
            other. It is there only once it is whole. Anyone who reads it can sign as the organisation, unless it is \
            sealed with a passphrase or made --without-keys.

              countersign admin backup --data ./data --to countersign.backup
              countersign admin backup --database postgres://db/countersign --data /srv/countersign \
            --to /backup/today.backup --passphrase-file /etc/countersign/backup-passphrase
            """)

    @OptionGroup var options: OperatorOptions
    @Option(help: "The file to write, which must not exist.", completion: .file()) var to: String
    @Flag(help: "Leave the server's keys out. Keep them elsewhere: nothing can be restored without them.")
    var withoutKeys = false
    @Flag(help: "Seal it with a passphrase, asked for twice.") var seal = false
    @Option(help: "Seal it with the passphrase on the first line of this file.", completion: .file())
    var passphraseFile: String?

    func run() async throws {
        let settings = try options.settings()
        let writer = BackupWriter(
            place: settings.place, blobs: try settings.storesAsTheyAre().blobs,
            directory: settings.configuration.dataDirectory, includesKeys: !withoutKeys)
        let bar = ProgressBar(isShown: Terminal.isInteractive && !options.output.json)
        defer { bar.clear() }
        let (about, manifest) = try await writer.write(to: to, passphrase: try passphrase(), now: systemTime()) {
            if case .blobs(let done, let all) = $0 { bar.show(UInt64(done), UInt64(all)) }
        }
        bar.clear()
        let view = BackupView(about: about, manifest: manifest)
        let leftOut = BackupWriter.leftOut(of: settings.configuration.dataDirectory)
        if options.output.json {
            Output.print(
                .members(
                    [("file", .text(to)), ("left_out", .array(leftOut.map { .text($0) }))] + view.members))
        } else {
            view.show()
            if !leftOut.isEmpty {
                Output.line(
                    "Left out on purpose: \(leftOut.joined(separator: " and ")) of the data directory. Vaults need them: "
                        + "docs/vault.md says how they move to another machine.")
            }
            Output.line("Written to \(to). Check a copy where it is kept: countersign admin verify-backup FILE")
        }
        guard manifest.contents.missing.count == 0 else { throw ExitCode(1) }
    }

    private func passphrase() throws -> String? {
        if let passphraseFile { return try Passphrases.firstLine(of: passphraseFile) }
        guard seal else { return nil }
        let first = try Terminal.askHidden("Passphrase of the backup (10 characters at least)")
        guard try Terminal.askHidden("Again") == first else { throw CommandError("the two differ") }
        return first
    }
}

/// `countersign admin verify-backup`.
struct VerifyBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-backup", abstract: "Check a backup without restoring it.",
        discussion: """
            Reads all of it: every digest, every row, the whole log against its signed checkpoint, every record \
            against its commitment. Exit codes: 0 sound, 1 not sound or older than the newest checkpoint, 2 could not \
            tell.

              countersign admin verify-backup /backup/today.backup --log-key log.vkey \
            --newest-checkpoint https://sign.example.edu
            """)

    @OptionGroup var backup: BackupCheckOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let bar = ProgressBar(isShown: Terminal.isInteractive && !output.json)
        let (_, report) = try await backup.run(bar: bar)
        let view = BackupView(about: report.about, manifest: report.manifest)
        if output.json {
            Output.print(
                .members(
                    [("behind", report.behind.map { .integer(Int64($0)) } ?? .null), ("sound", .bool(true))]
                        + view.members))
        } else {
            view.show()
            Output.line(Terminal.styled("sound", .good))
            if let behind = report.behind {
                Output.line(
                    behind == 0
                        ? "no known checkpoint goes beyond its end"
                        : Terminal.styled("the published log has \(behind) more entries", .doubtful))
            }
        }
        guard report.behind ?? 0 == 0 else { throw ExitCode(1) }
    }
}
