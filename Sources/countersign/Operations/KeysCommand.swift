import ArgumentParser
import Encodings
import Interface
import Server

extension KeyRotation.Name: ExpressibleByArgument {}

/// `countersign admin keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Replace keys of the server.",
        discussion: "  countersign admin keys rotate code-secret",
        subcommands: [KeysRotateCommand.self, LogKeyCommand.self])
}

/// `countersign admin keys rotate`.
struct KeysRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace a key.",
        discussion: """
            code-secret: open invitations and links end. label-secret: later entries of the log carry other labels. \
            status, desk: the root certifies a new key; signatures of the old one hold until its certificate ends. \
            template-secret: everything under it is sealed again, which takes a minute at least, with a PostgreSQL five; \
            make a new backup then. If you interrupt the command, the server goes on.

            A server that runs on this data directory does it itself, and goes on with the new key. Others on the same \
            database take the new key from their key folder within a minute, or stop and say so. A crash in the middle \
            leaves the old key or the new one; the next start puts it in order.

              countersign admin keys rotate code-secret
              countersign admin keys rotate status --from root.backup
              countersign admin keys rotate template-secret
            """)

    @Argument(help: "code-secret, label-secret, template-secret, desk or status.") var name: KeyRotation.Name
    @Option(help: "For status and desk: the root's file. Default: the key in the data directory.", completion: .file())
    var from: String?
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        var ended = KeyRotation.Consequences()
        if name == .codeSecret, case .consequences(let found) = try await options.carryOut(.consequences(name)) {
            ended = found
        }
        try Terminal.confirm(Self.question(name, ended), yes: confirmation.yes)
        let (file, sealing) = (name.isCertified ? from : nil, sealing)
        let root = file.map { file in
            { try await RootFile(Files.read(file)).authority(passphrase: sealing.passphrase()) }
        }
        guard case .rotated(let receipt) = try await options.carryOut(.rotate(name), by: root) else {
            throw CommandError("the server's answer is unreadable")
        }
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("invitations_ended", .integer(ended.invitations)), ("key", .text(name.rawValue)),
                    ("links_ended", .integer(ended.links)), ("receipt", .text(receipt.proof)),
                ]))
        }
        Output.line("Rotated: \(name.rawValue). In the log.")
    }

    private static func question(_ name: KeyRotation.Name, _ consequences: KeyRotation.Consequences) -> String {
        switch name {
        case .codeSecret:
            "This ends \(consequences.invitations) open invitations and \(consequences.links) open links. Go on?"
        case .labelSecret: "Later entries of the log carry other labels: nobody can link them with earlier ones. Go on?"
        case .status: "The root certifies a new status key. Go on?"
        case .desk: "The root certifies a new desk key. Reports and records by the old one stay valid. Go on?"
        case .templateSecret:
            "Templates, transactions and documents of the desk are sealed again, which takes a minute at least. Go on?"
        }
    }
}

/// `countersign admin owner`.
struct OwnerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner", abstract: "Let the main administrator come back after losing their keys.",
        discussion: "  countersign admin owner recover", subcommands: [OwnerRecoverCommand.self])
}

/// `countersign admin owner recover`.
struct OwnerRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover", abstract: "Print a one-time code for them. The server must be stopped.",
        discussion: """
            Give the code only to the main administrator, face to face: anyone who has it becomes the main \
            administrator. The root must be on the server until the code is used; take it away again at once, used or \
            not.

              countersign admin owner recover
            """)

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            try Terminal.confirm(
                "The main administrator's sessions end now. When the code is used, their old keys end, with every "
                    + "certificate that they have had, every administrator's, and all open invitations. Go on?",
                yes: confirmation.yes)
            let made = try await RecoveryService(of: server).makeCode()
            guard !options.output.json else {
                return Output.print(
                    .members([
                        ("code", .text(made.code)), ("expires", .integer(made.expires)),
                        ("username", .text(made.username)),
                    ]))
            }
            Output.line(
                "Start the server. The main administrator may come back once, until \(Output.time(made.expires)), with:"
            )
            Output.line(
                "  countersign wallet recover --server \(server.environment.publicURL) --username \(made.username) "
                    + "--code \(made.code)")
        }
    }
}

/// `countersign admin end-sessions`.
struct EndSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end-sessions", abstract: "Sign everybody out. The server must be stopped.",
        discussion: """
            Everybody has to sign in again. Live updates ended when the server was stopped.

              countersign admin end-sessions
            """)

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.whileStopped { server in
            try Terminal.confirm("Everybody will have to sign in again. Go on?", yes: confirmation.yes)
            let ended = try await SessionsAtRest(of: server).endAll()
            guard !options.output.json else { return Output.print(.members([("ended", .integer(Int64(ended)))])) }
            Output.line("Ended: \(ended). Start the servers again.")
        }
    }
}
