import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// `countersign wallet vault mkdir`.
struct VaultMakeFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir", abstract: "Make folders in your vault.",
        discussion: "  countersign wallet vault mkdir -p Papers/2026")

    @Argument(help: "Paths of the new folders.") var paths: [String]
    @Flag(name: .shortAndLong, help: "Make the folders before it too; one that is there is no error.")
    var parents = false
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let vault = try await options.open().vault
        var items: [VaultItem] = []
        for path in paths {
            var id: NodeID
            if parents {
                id = NodeID.root
                for name in path.split(separator: "/") {
                    id = try await vault.folder(called: VaultNames.name(String(name)), in: id)
                }
            } else {
                let (above, last) = try VaultNames.split(path)
                id = try await vault.makeFolder(VaultNames.name(last), in: try await vault.folder(above))
            }
            if let item = await vault.item(id) { items.append(item) }
        }
        items.report("made", options.output)
    }
}

/// `countersign wallet vault mv`.
struct VaultMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv", abstract: "Rename items of your vault, or move them to another folder.",
        discussion: """
              countersign wallet vault mv Papers/scan.pdf Papers/passport.pdf
              countersign wallet vault mv 'Papers/*.jpg' Pictures
            """)

    @Argument(help: "Paths or patterns, and at the end a folder or a new name.") var paths: [String]
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard paths.count >= 2 else { throw ValidationError("Give what is to be moved, and where to.") }
    }

    func run() async throws {
        let vault = try await options.open().vault
        var items: [VaultItem] = []
        for path in paths.dropLast() { items += try await vault.find(path) }
        let goal = paths[paths.count - 1]
        var moved: [VaultItem] = []
        for item in items {
            guard item.kind != .locked else { throw VaultFault.locked(item.path.shown) }
            let place: (folder: NodeID, name: NodeName) =
                items.count == 1
                ? try await vault.destination(goal, named: NodeName(item.name))
                : (try await vault.folder(goal), try NodeName(item.name))
            try await vault.move(item.id, to: place.folder, as: place.name)
            if let now = await vault.item(item.id) { moved.append(now) }
        }
        moved.report("moved", options.output)
    }
}

/// `countersign wallet vault rm`.
struct VaultRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Move items of your vault to the trash, or destroy them.",
        discussion: """
            What is in the trash can be brought back for 30 days. What is destroyed is gone: its keys are deleted at once, \
            and your links to it end.

              countersign wallet vault rm 'Papers/*.tmp'
              countersign wallet vault rm -r Old
              countersign wallet vault rm --destroy secrets.txt
              countersign wallet vault rm --empty-trash
            """)

    @Argument(help: "Paths or patterns.") var paths: [String] = []
    @Flag(name: .shortAndLong, help: "Folders too, with all that is in them.") var recursive = false
    @Flag(help: "Destroy them at once.") var destroy = false
    @Flag(help: "Destroy what is in the trash.") var emptyTrash = false
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard paths.isEmpty == emptyTrash else {
            throw ValidationError("Give what is to be removed, or --empty-trash.")
        }
    }

    func run() async throws {
        let (client, vault, _) = try await options.open()
        var items: [VaultItem] = emptyTrash ? await vault.trash() : []
        for path in paths { items += try await vault.find(path) }
        if let folder = items.first(where: { $0.kind == .folder }), !recursive, !emptyTrash {
            throw CommandError("\(folder.path.shown) is a folder; remove it with --recursive")
        }
        let ids = items.map(\.id)
        let haveDoors = await vault.haveDoors(ids)
        guard emptyTrash || !haveDoors else {
            throw CommandError(
                "there is a folder in it that is shared or that a PIN opens, and its only key with it. Delete or leave a "
                    + "shared one with 'countersign wallet vault share', and one with a PIN on the page of the vault",
                isRefusal: true)
        }
        if destroy || emptyTrash {
            let what = items.count == 1 ? items[0].path.shown : "\(items.count) items"
            if !items.isEmpty {
                try Terminal.confirm("Destroy \(what)? Nobody can bring it back.", yes: confirmation.yes)
            }
            // First the links: what fails then leaves none to something that is gone.
            try await client.sharing(vault).endLinks(to: ids)
            try await vault.remove(ids)
            items.report("destroyed", options.output)
        } else {
            try await vault.trash(ids)
            items.report("in the trash", options.output)
        }
    }
}

/// `countersign wallet vault restore`.
struct VaultRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring items back from the trash.",
        discussion: """
              countersign wallet vault ls --trash
              countersign wallet vault restore passport.pdf
            """)

    @Argument(help: "Names as 'ls --trash' shows them, or ids.") var names: [String]
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let vault = try await options.open().vault
        let trash = await vault.trash()
        var items: [VaultItem] = []
        for name in names {
            let found = trash.filter { $0.path == Bytes(text: name) || "id:\($0.id.text)" == name }
            guard let item = found.first else { throw VaultFault.notFound(name) }
            guard found.count == 1 else { throw VaultFault.ambiguous(name, found.map(\.id.text)) }
            try await vault.restore(item.id)
            if let now = await vault.item(item.id) { items.append(now) }
        }
        items.report("is back", options.output)
    }
}

/// `countersign wallet vault note`.
struct VaultNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note", abstract: "Read or write a note.",
        discussion: """
              countersign wallet vault note Notes/door
              echo 'The code is 1234.' | countersign wallet vault note Notes/door --write -
            """)

    @Argument(help: "The note's path.") var path: String
    @Option(help: "Write the text of this file; '-' is standard input.", completion: .file()) var write: String?
    @Flag(help: "Replace the text of a note that is there.") var replace = false
    @OptionGroup var options: VaultOptions

    func run() async throws {
        let place = try await options.open().vault.place(of: self.path)
        let (vault, path) = (place.vault, place.path)
        guard let write else {
            let item = try await vault.one(path).below(place.above)
            guard item.kind == .note else { throw item.kind == .locked ? VaultFault.locked(path) : .notANote(path) }
            let text = try await vault.text(item.id)
            guard !options.output.json else {
                return Output.print(.members([("item", item.json), ("text", .string(text))]))
            }
            try StandardOutput().write(text[...])
            if text.last != 0x0A, Terminal.isInteractive { Output.line() }
            return
        }
        try place.checkMayWrite()
        let text =
            write == "-"
            ? try Descriptor.take(STDIN_FILENO, NodeMetadataLimits.text + 1, name: "standard input")
            : try Files.read(write)
        let (above, last) = try VaultNames.split(path)
        let id = try await vault.writeNote(
            text, VaultNames.name(last), in: try await vault.folder(above), replacing: replace)
        if let item = await vault.item(id) { [item.below(place.above)].report("written", options.output) }
    }
}

extension [VaultItem] {
    /// Says what was done with the items.
    func report(_ words: String, _ output: OutputOptions) {
        guard !output.json else { return Output.print(.members([("items", .array(map(\.json)))])) }
        for item in self { Output.line("\(item.path.shown)  \(words)") }
        if isEmpty { Output.line("There was nothing to do.") }
    }
}

extension OpenVault {
    /// A folder that is there, or a new one.
    func folder(called name: NodeName, in parent: NodeID) async throws -> NodeID {
        if let item = list(parent).first(where: { $0.name == name.bytes && $0.kind == .folder }) { return item.id }
        return try await makeFolder(name, in: parent)
    }
}
