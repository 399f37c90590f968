import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// `countersign wallet vault get`.
struct VaultGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Get files and notes out of your vault.",
        discussion: """
            A file gets its name only when it is whole. What goes to standard output is authentic as it comes, but whole \
            only if the exit code is 0.

              countersign wallet vault get Papers/passport.pdf
              countersign wallet vault get 'Papers/*.pdf' -o ~/Desktop
              countersign wallet vault get Backups/shop.sql -o - | mysql shop
              countersign wallet vault get Papers/passport.pdf --version 1 -o before.pdf
            """)

    @Argument(help: "Paths or patterns of the vault.") var paths: [String]
    @Option(
        name: [.customShort("o"), .long],
        help: "A file or folder of this machine; '-' is standard output. Default: the folder that you are in.",
        completion: .file())
    var out: String?
    @Option(help: "An earlier state: 1 is the one before the newest.") var version = 0
    @Flag(name: .shortAndLong, help: "Get folders, with all that is in them.") var recursive = false
    @Flag(help: "Write over files that are there.") var force = false
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard version >= 0, version == 0 || (paths.count == 1 && !recursive) else {
            throw ValidationError("An earlier state is one of one file: give one path with --version.")
        }
    }

    func run() async throws {
        let vault = try await options.open().vault
        var found: [Found] = []
        for path in paths { found += try await find(path, in: vault) }
        if let folder = found.first(where: { $0.item.kind == .folder })?.item, !recursive {
            throw CommandError("\(folder.path.shown) is a folder; get it with --recursive")
        }
        guard !found.isEmpty else { throw CommandError("name what you want to get") }
        var files: [JSON] = []
        for one in found { files += try await get(one, to: try target(one.item, isOnly: found.count == 1)) }
        guard options.output.json, out != "-" else { return }
        Output.print(.members([("items", .array(files))]))
    }

    /// Something that was named, and what it is in.
    private struct Found {
        let item: VaultItem
        let vault: OpenVault
        /// What lists a folder's contents: the top, where the folder stands for the compartment.
        let folder: NodeID
    }

    private func find(_ path: String, in vault: OpenVault) async throws -> [Found] {
        let place = try await vault.place(of: path)
        if place.door != nil { await VaultOptions.tell(ofUnopenedIn: place.vault) }
        let named = try await place.find()
        if named.isEmpty, let door = place.door { return [Found(item: door, vault: place.vault, folder: .root)] }
        return named.map { Found(item: $0, vault: place.vault, folder: $0.id) }
    }

    /// Where an item goes.
    private func target(_ item: VaultItem, isOnly: Bool) throws -> String {
        let own = String(decoding: item.name, as: UTF8.self)
        guard let out else { return own }
        if out == "-" {
            guard isOnly, item.kind != .folder else {
                throw CommandError("standard output takes one file; name one, or give a folder with --out")
            }
            return out
        }
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(atPath: out, isDirectory: &isFolder)
        if isThere && isFolder.boolValue { return "\(out)/\(own)" }
        guard isOnly else { throw CommandError("there is no folder \(out)") }
        return out
    }

    private func get(_ found: Found, to path: String) async throws -> [JSON] {
        let (item, vault) = (found.item, found.vault)
        switch item.kind {
        case .locked: throw VaultFault.locked(item.path.shown)
        case .folder:
            try LocalFolders.make(path)
            var files: [JSON] = []
            for child in await vault.list(found.folder) {
                files += try await get(
                    Found(item: child, vault: vault, folder: child.id),
                    to: "\(path)/\(String(decoding: child.name, as: UTF8.self))")
            }
            return files
        case .file, .note:
            guard path != "-" else {
                try await read(item, from: vault, into: StandardOutput())
                return []
            }
            guard force || !FileManager.default.fileExists(atPath: path) else {
                throw CommandError(
                    "\(Bytes(text: path).shown) exists already. Give another --out, or write over it with --force",
                    isRefusal: true)
            }
            let file = try FileTarget(path, isCopy: true)
            try await read(item, from: vault, into: file)
            try file.finish(replacing: force, modified: item.modified)
            if !options.output.json { Output.line("\(item.path.shown)  stored as \(Bytes(text: path).shown)") }
            return [.members([("file", .text(path)), ("item", item.json)])]
        }
    }

    private func read(_ item: VaultItem, from vault: OpenVault, into target: any VaultTarget) async throws {
        guard item.kind == .file else {
            guard version == 0 else { throw VaultFault.notAFile(item.path.shown) }
            return try target.write(try await vault.text(item.id)[...])
        }
        let bar = VaultProgressBar(item.name.shown, options.output, isPrinted: target is StandardOutput)
        defer { bar.finish() }
        try await vault.read(item.id, version: version, into: target, bar.progress)
    }
}

/// Folders of this machine.
enum LocalFolders {
    /// Makes a folder for its owner alone, unless it is there; nothing that leads elsewhere is followed.
    static func make(_ path: String) throws {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST, FileAbout(path)?.kind == .folder else {
            throw CommandError("\(Bytes(text: path).shown) cannot be made as a folder")
        }
    }
}
