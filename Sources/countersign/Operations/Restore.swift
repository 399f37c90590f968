import ArgumentParser
import Encodings
import Server
import Storage
import Wallet

/// `countersign admin restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup into an empty place.",
        discussion: """
            Checks all of it first, as verify-backup does, and writes nothing if anything is wrong. Data directory, \
            database and, with --blobs, the part of the bucket must be empty; where the backup was made, in a folder or \
            a bucket, makes no difference. A log that is older than the one others saw is a serious matter: give \
            --newest-checkpoint, and read "After restoring" in docs/operations.md.

              countersign admin restore today.backup --data ./data --newest-checkpoint audit.json
              countersign admin restore today.backup --data /srv/countersign --database postgres://db/countersign \
            --blobs s3://countersign-example/sign
            """)

    @OptionGroup var backup: BackupCheckOptions
    @OptionGroup var options: OperatorOptions
    @Flag(help: "Restore although the published log goes beyond the end of the backup.")
    var acceptLostEntries = false

    func run() async throws {
        let settings = try options.settings()
        let bar = ProgressBar(isShown: Terminal.isInteractive && !options.output.json)
        let (check, report) = try await backup.run(bar: bar)
        if let behind = report.behind, behind > 0, !acceptLostEntries { throw BackupError.behind(entries: behind) }
        let restore = BackupRestore(
            check: check, report: report, directory: settings.configuration.dataDirectory, place: settings.place,
            bucket: try settings.bucket())
        let all = report.manifest.contents.bytes
        do {
            defer { bar.clear() }
            try await restore.run { bar.show(UInt64($0), UInt64(all)) }
        }
        let view = BackupView(about: report.about, manifest: report.manifest)
        guard !options.output.json else {
            return Output.print(
                .members(
                    [
                        ("behind", report.behind.map { .integer(Int64($0)) } ?? .null),
                        ("data", .text(settings.configuration.dataDirectory)),
                    ] + view.members))
        }
        view.show()
        let place = settings.configuration.objectStore?.place
        let bucket = place.map { " and s3://\($0.bucket)/\($0.prefix)" } ?? ""
        Output.line(
            Terminal.styled("Restored into \(settings.configuration.dataDirectory)\(bucket), and read back.", .good))
        Output.line(Self.warning(report))
        Output.line("Start it with --public-url \(report.about.publicURL)")
    }

    private static func warning(_ report: BackupCheck.Report) -> String {
        switch report.behind {
        case 0: "The checkpoint that you gave does not go beyond the end of the backup."
        case let behind?:
            Terminal.styled(
                "\(behind) entries of the published log are lost. Wallets and auditors will report a rewritten log, "
                    + "rightly: tell everybody before you start it (docs/operations.md, \"After restoring\").", .bad)
        case nil:
            Terminal.styled(
                "Everything that happened after \(Output.time(report.about.created)) is lost. If the log had gone on, "
                    + "wallets and auditors will report a rewritten log, rightly: compare with the newest checkpoint "
                    + "that anybody has before you start it (docs/operations.md, \"After restoring\").", .doubtful)
        }
    }
}
