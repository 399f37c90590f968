import ArgumentParser

/// `countersign admin`.
struct OperationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Look after a server, on the machine where it runs.",
        discussion: """
            Run these commands as the server's user: they work on its data directory and database. They run beside the \
            server, unless they say that it must be stopped, and then they check it. To look after people and \
            documents, use a wallet: countersign wallet admin. 'service' alone takes a wallet too.

              countersign admin backup --data /srv/countersign --to /backup/2027-03-01.backup
              countersign admin verify-backup /backup/2027-03-01.backup --log-key log.vkey
              countersign admin restore /backup/2027-03-01.backup --data /srv/countersign
              countersign admin root export /media/stick/root.backup --remove --data /srv/countersign
              countersign admin keys rotate code-secret --data /srv/countersign
              countersign admin service add bank.example "Example Bank"
            """,
        subcommands: [
            BackupCommand.self, VerifyBackupCommand.self, RestoreCommand.self, DoctorCommand.self, RootCommand.self,
            KeysCommand.self, ForensicCommand.self, ModelsCommand.self, ServiceCommand.self, OwnerCommand.self,
            EndSessionsCommand.self, PamCommand.self,
        ])
}

/// Where the server's things are: the same settings as those of `countersign serve`.
struct OperatorOptions: ParsableArguments {
    @Option(help: "The data directory.", completion: .directory) var data: String?
    @Option(help: "A PostgreSQL, postgres://USER@HOST/DATABASE; without it, SQLite in the data directory.")
    var database: String?
    @OptionGroup var bucket: BucketOptions
    @Option(help: "The server's file of settings, JSON.", completion: .file()) var config: String?
    @OptionGroup var output: OutputOptions

    /// The settings, from flags, environment and file.
    func settings(_ more: [String: String?] = [:]) throws -> Settings {
        let given = ["data-directory": data, "database": database].merging(bucket.flags) { $1 }.merging(more) { $1 }
        return try Settings.read(flags: given.compactMapValues(\.self), config: config)
    }
}
