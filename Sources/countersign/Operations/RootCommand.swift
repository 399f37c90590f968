import ArgumentParser
import Encodings
import Foundation
import Server
import Wallet

/// `countersign admin root`.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root", abstract: "Take the organisation's root key offline, use it there, bring it back.",
        discussion: """
            The root certifies the main administrator and the status signer, rarely. While its key is away from the \
            server, nobody who breaks into the server gets it; everything else works.

              countersign admin root export /media/stick/root.backup --remove     # two sticks, two safes
              countersign admin root renew --from root.backup        # certificates that end, without bringing it back
              countersign admin root import root.backup

            With the key on a machine without a network, where two small files are carried to and fro:

              countersign admin root request --out request.json      # at the server
              countersign admin root sign request.json --key root.backup --out answer.json
              countersign admin root accept answer.json              # at the server, stopped
            """,
        subcommands: [
            RootStatusCommand.self, RootExportCommand.self, RootImportCommand.self, RootRenewCommand.self,
            RootRequestCommand.self, RootSignCommand.self, RootAcceptCommand.self,
        ])
}

/// `countersign admin root status`.
struct RootStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show where the root is, and when the certificates that it renews end.",
        discussion: "  countersign admin root status --json")

    @OptionGroup var options: DataOptions

    func run() async throws {
        let (state, path) = try await options.withRoot { (try $0.state(), $0.path) }
        let fingerprint = Hex.encode(state.fingerprint).text
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("ends", .members(state.ends.map { ($0.kind.rawValue, .integer($0.time)) })),
                    ("fingerprint", .text(fingerprint)), ("is_here", .bool(state.isHere)),
                    ("organisation", .text(state.organisation)), ("root_ends", .integer(state.rootEnds)),
                ]))
        }
        Output.line("\(Bytes(text: state.organisation).shown): root \(fingerprint)")
        Output.line(state.isHere ? "online: its key is \(path)" : "offline: its key is not in the data directory")
        Output.table(
            ["CERTIFICATE OF", "ENDS"],
            [["root", Output.time(state.rootEnds)]] + state.ends.map { [$0.kind.words, Output.time($0.time)] })
    }
}

/// `countersign admin root export`.
struct RootExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the root key to a file under a passphrase; take it off the server.",
        discussion: """
            The file is read back and opened before anything is removed. The server may keep running. Disks and \
            backups may still hold the removed key: take the root offline soon after set-up, before the first backup.

              countersign admin root export /media/stick/root.backup --remove
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Afterwards remove the key from the data directory.") var remove = false
    @Flag(help: "With --remove: the file may be on the data directory's disk, and you carry it off yourself.")
    var sameDisk = false
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.withRoot { root in
            if remove, !sameDisk, try Self.disk(of: root.path) == Self.disk(of: file) {
                // Most likely nothing is mounted there: the root would stay where it is to be taken from.
                throw CommandError(
                    "\(file) would be on the server's own disk: is the stick mounted? Name a file on another disk, or "
                        + "say --same-disk and carry the file off yourself")
            }
            let passphrase = try sealing.newPassphrase()
            try Files.write(
                try await root.export(passphrase: passphrase).formatted(), to: file, force: nil, option: "file")
            // Only the file on the disk counts.
            let written = try RootFile(try Files.read(file))
            _ = try await root.authority(written, passphrase: passphrase)
            if !options.output.json { Output.line("Written to \(file), read back and opened.") }
            if remove {
                try Terminal.confirm(
                    "Remove \(root.path)? Without \(file) and its passphrase the root is lost for ever.",
                    yes: confirmation.yes)
                try await root.remove(provedBy: written, passphrase: passphrase)
            }
            let isHere = try root.state().isHere
            guard !options.output.json else { return Output.print(.members([("is_here", .bool(isHere))])) }
            Output.line(isHere ? "The key is still in the data directory." : "The root is offline.")
        }
    }

    /// The number of the file system that a file's folder is on.
    private static func disk(of path: String) throws -> Int {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            return try FileManager.default.attributesOfItem(atPath: folder)[.systemNumber] as? Int ?? 0
        } catch {
            throw CommandError("\(folder) cannot be read")
        }
    }
}

/// `countersign admin root import`.
struct RootImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring the root key back to the server.",
        discussion: """
            The command takes only the key of this organisation's root certificate.

              countersign admin root import root.backup
            """)

    @Argument(help: "The file that 'export' wrote.", completion: .file()) var file: String
    @OptionGroup var sealing: SealingOptions
    @OptionGroup var options: DataOptions

    func run() async throws {
        try await options.withRoot { root in
            try await root.bringBack(RootFile(Files.read(file)), passphrase: sealing.passphrase())
            guard !options.output.json else { return Output.print(.members([("is_here", .bool(true))])) }
            Output.line("The root is online: its key is \(root.path).")
        }
    }
}
