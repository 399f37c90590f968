import Age
import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// For whom a file is sealed.
struct SealOptions: ParsableArguments {
    @Option(help: "A public key that opens the file, such as age1…; may be given several times.")
    var recipient: [String] = []
    @Option(help: "A file with such keys, one on each line.", completion: .file()) var recipientsFile: [String] = []
    @Option(
        help: "Without recipients: a file whose first line is the passphrase. Default: it is asked for.",
        completion: .file())
    var sealPassphraseFile: String?

    /// The recipients, or a passphrase that is typed twice.
    func seal() throws -> ExportSeal {
        var recipients: [AgeRecipient] = []
        for text in recipient {
            guard let one = try? AgeRecipient(Bytes(text: text)) else {
                throw CommandError("'\(Bytes(text: text).shown)' is no recipient; they begin with age1")
            }
            recipients.append(one)
        }
        for file in recipientsFile {
            guard let some = try? AgeRecipient.readFile(try Files.read(file)) else {
                throw CommandError("\(file) holds something other than recipients")
            }
            recipients += some
        }
        guard recipients.isEmpty else {
            guard sealPassphraseFile == nil else {
                throw CommandError("a file is sealed for recipients or under a passphrase; give one of both")
            }
            return .recipients(recipients)
        }
        if let sealPassphraseFile { return .passphrase(Bytes(text: try Passphrases.firstLine(of: sealPassphraseFile))) }
        let first = try Terminal.askHidden("New passphrase of the file")
        guard !first.isEmpty, try Terminal.askHidden("Again") == first else { throw CommandError("the two differ") }
        return .passphrase(Bytes(text: first))
    }
}

/// What opens an age file.
struct UnsealOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .long], help: "A file with a private key, as age-keygen writes it.",
        completion: .file())
    var identity: [String] = []
    @Option(help: "A file whose first line is the passphrase. Default: it is asked for.", completion: .file())
    var sealPassphraseFile: String?

    /// The keys, or the passphrase if the header asks for one.
    func identities(_ header: AgeHeader) throws -> [AgeIdentity] {
        guard !header.needsPassphrase else {
            let text =
                if let sealPassphraseFile { try Passphrases.firstLine(of: sealPassphraseFile) } else {
                    try Terminal.askHidden("Passphrase of the file")
                }
            return [AgeIdentity(passphrase: Bytes(text: text))]
        }
        var found: [AgeIdentity] = []
        for file in identity {
            guard let some = try? AgeIdentity.readFile(try Files.read(file)) else {
                throw CommandError("\(file) holds something other than private keys")
            }
            found += some
        }
        guard !found.isEmpty else { throw CommandError("this file opens with a private key; give --identity FILE") }
        return found
    }
}

/// `countersign wallet vault export`.
struct VaultExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take files and notes out of your vault, all at once.",
        discussion: """
            Writes a folder, or one age file with a tar archive in it, which 'age' and 'tar' open without this program. \
            Either is there under its name only when it is whole.

              countersign wallet vault export --to backup.age
              countersign wallet vault export Papers --to backup.age --recipient age1…
              countersign wallet vault export --to folder --plain
              age -d backup.age | tar -x
            """)

    @Argument(help: "Paths or patterns. Default: everything.") var paths: [String] = []
    @Option(help: "The age file or the folder; neither may be there yet.", completion: .file()) var to: String
    @Flag(help: "Write a folder with the files as they are, readable to all who can read the folder.") var plain = false
    @OptionGroup var seal: SealOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        guard !FileManager.default.fileExists(atPath: to) else {
            throw CommandError("\(Bytes(text: to).shown) exists already. Give another --to", isRefusal: true)
        }
        let vault = try await options.open().vault
        var items: [VaultItem] = paths.isEmpty ? await vault.list() : []
        for path in paths { items += try await vault.find(path) }
        let bar = VaultProgressBar("export", options.output)
        defer { bar.finish() }
        let done: VaultExported
        if plain {
            done = try await vault.export(items, to: to, bar.progress)
        } else {
            let file = try FileTarget(to)
            done = try await vault.export(items, sealed: seal.seal(), into: file, bar.progress)
            try file.finish(replacing: false)
        }
        bar.finish()
        guard !options.output.json else {
            return Output.print(
                .members([
                    ("bytes", .integer(Int64(clamping: done.bytes))), ("files", .integer(Int64(done.files))),
                    ("folders", .integer(Int64(done.folders))), ("locked", .integer(Int64(done.locked))),
                    ("to", .text(to)), ("unopened", .integer(Int64(done.unopened))),
                ]))
        }
        Output.line("\(done.files) files, \(VaultSizes.words(done.bytes)), in \(Bytes(text: to).shown)")
        if done.locked > 0 { Output.line("\(done.locked) items with a lock of their own were left out.") }
    }
}

/// `countersign wallet vault import`.
struct VaultImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring an export, an archive or a folder into your vault.",
        discussion: """
            Takes a folder, a tar archive, or an age file with one in it, from any program. Nothing of it is seen in the \
            vault before all of it is there; a damaged archive leaves nothing.

              countersign wallet vault import backup.age --to 'From 2025'
              tar c photos | age -r age1… > photos.age && countersign wallet vault import photos.age -i key.txt
            """)

    @Argument(help: "A folder, a tar file or an age file.", completion: .file()) var source: String
    @Option(help: "A folder of the vault; it is made if it is not there. Default: the top.") var to: String?
    @Flag(help: "What is called the same goes to the trash.") var replace = false
    @OptionGroup var unseal: UnsealOptions
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let vault = try await options.open().vault
        let (folder, name) = try await place(in: vault)
        let running = try await VaultImport(into: vault, folder, new: name, replacing: replace)
        let bar = VaultProgressBar("import", options.output)
        defer { bar.finish() }
        let count: Int
        do {
            var isFolder: ObjCBool = false
            if unsafe FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
                try await running.take(folder: source, bar.progress)
            } else {
                let unseal = unseal
                try await running.take(
                    archive: FileSource(source), opening: { try unseal.identities($0) }, bar.progress)
            }
            count = try await running.finish()
        } catch {
            await running.cancel()
            throw error
        }
        bar.finish()
        guard !options.output.json else {
            return Output.print(.members([("files", .integer(Int64(count))), ("to", .text(to ?? "/"))]))
        }
        Output.line("\(count) files are in your vault.")
    }

    private func place(in vault: OpenVault) async throws -> (NodeID, NodeName?) {
        guard let to, !to.split(separator: "/").isEmpty else { return (.root, nil) }
        if let folder = try? await vault.folder(to) { return (folder, nil) }
        let (above, last) = try VaultNames.split(to)
        return (try await vault.folder(above), try VaultNames.name(last))
    }
}

/// `countersign wallet vault seal`.
struct VaultSealCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal", abstract: "Seal a file on this machine, without a server.",
        discussion: """
            Writes an age file, which 'age' opens without this program. No vault is needed.

              countersign wallet vault seal letter.pdf -o letter.pdf.age --recipient age1…
              tar c photos | countersign wallet vault seal - -o photos.age
            """)

    @Argument(help: "A file; '-' is standard input.", completion: .file()) var file: String
    @Option(name: [.customShort("o"), .long], help: "The sealed file; '-' is standard output.", completion: .file())
    var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var seal: SealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let seal = try seal.seal()
        try VaultFiles.run(file, out, force: force, output) { read, target, moved in
            try VaultSealedFile.seal(read, for: seal, into: target, moved)
        }
    }
}

/// `countersign wallet vault open`.
struct VaultOpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open an age file on this machine, without a server.",
        discussion: """
            What goes to standard output is authentic as it comes, but whole only if the exit code is 0.

              countersign wallet vault open letter.pdf.age -o letter.pdf -i key.txt
              countersign wallet vault open photos.age -o - | tar x
            """)

    @Argument(help: "A file; '-' is standard input.", completion: .file()) var file: String
    @Option(name: [.customShort("o"), .long], help: "The opened file; '-' is standard output.", completion: .file())
    var out: String
    @Flag(help: "Write over a file that is there.") var force = false
    @OptionGroup var unseal: UnsealOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        // A pipe is gone when it was read.
        try VaultFiles.run(file, out, isCopy: file != "-", force: force, output) { read, target, moved in
            try VaultSealedFile.open(read, with: { try unseal.identities($0) }, into: target, moved)
        }
    }
}

/// One file of this machine becomes another.
private enum VaultFiles {
    typealias Work = ((Int) throws -> Bytes, any VaultTarget, (UInt64) -> Void) throws -> Void

    static func run(
        _ file: String, _ out: String, isCopy: Bool = false, force: Bool, _ output: OutputOptions, _ work: Work
    ) throws {
        guard out == "-" || force || !FileManager.default.fileExists(atPath: out) else {
            throw CommandError(
                "\(Bytes(text: out).shown) exists already. Give another --out, or write over it with --force",
                isRefusal: true)
        }
        let source = file == "-" ? nil : try FileSource(file)
        let bar = VaultProgressBar(Bytes(text: file).shown, output, isPrinted: out == "-")
        defer { bar.finish() }
        let read = { (count: Int) in
            if let source {
                try source.read(count)
            } else {
                try Descriptor.take(STDIN_FILENO, count, name: "standard input")
            }
        }
        let moved = { bar.progress.moved($0, source?.size ?? 0) }
        guard out != "-" else {
            return try WriteBehind.into(StandardOutput()) { try work(read, $0, moved) }
        }
        let target = try FileTarget(out, isCopy: isCopy)
        try WriteBehind.into(target) { try work(read, $0, moved) }
        try target.finish(replacing: force)
        bar.finish()
        if output.json {
            Output.print(.members([("file", .text(out))]))
        } else {
            Output.line("stored as \(Bytes(text: out).shown)")
        }
    }
}
