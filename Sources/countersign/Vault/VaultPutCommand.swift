import ArgumentParser
import Encodings
import Foundation
import Vault
import Wallet

/// `countersign wallet vault put`.
struct VaultPutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Put files into your vault.",
        discussion: """
            Files are encrypted here, name and all. The server cannot read them. If a transfer is cut, give the same \
            command again: it goes on where it was.

              countersign wallet vault put passport.pdf visa.pdf --to Papers
              countersign wallet vault put -r photos --to Pictures
              mysqldump shop | countersign wallet vault put - --to Backups/shop.sql
            """)

    @Argument(help: "Files of this machine; '-' is standard input.", completion: .file()) var files: [String]
    @Option(help: "A folder of the vault, or with one file also its new name there. Default: the top.")
    var to: String?
    @Flag(name: .shortAndLong, help: "Put folders, with all that is in them.") var recursive = false
    @Flag(help: "Where a file is called so already, keep it as an earlier state of the new one.") var replace = false
    @Option(help: "A tag for the files; may be given several times.") var tag: [String] = []
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard !files.contains("-") || (files.count == 1 && to != nil) else {
            throw ValidationError("Standard input needs a name: give only '-', and --to PATH.")
        }
    }

    func run() async throws {
        let place = try await options.open().vault.place(of: to ?? "")
        try place.checkMayWrite()
        let vault = place.vault
        var items: [VaultItem] = []
        for file in files {
            for id in try await put(file, into: vault, at: place.path) {
                if let item = await vault.item(id) { items.append(item.below(place.above)) }
            }
        }
        guard !options.output.json else { return Output.print(.members([("items", .array(items.map(\.json)))])) }
        for item in items where item.kind != .folder {
            Output.line("\(item.path.shown)  \(VaultSizes.words(item.size ?? 0)), encrypted here")
        }
    }

    private func put(_ file: String, into vault: OpenVault, at to: String) async throws -> [NodeID] {
        if file == "-" {
            let (folder, name) = try await vault.destination(to, named: .cleaned(Bytes(text: "standard input")))
            let bar = VaultProgressBar(name.bytes.shown, options.output)
            defer { bar.finish() }
            return [
                try await vault.put(
                    from: STDIN_FILENO, description(name), in: folder, replacing: replace, bar.progress)
            ]
        }
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
            throw CommandError("there is no file \(file)")
        }
        let own = VaultNames.name(ofFile: URL(fileURLWithPath: file).lastPathComponent)
        guard isFolder.boolValue else {
            let (folder, name) =
                files.count == 1
                ? try await vault.destination(to, named: own) : (try await vault.folder(to), own)
            return [try await put(file: file, name, in: folder, of: vault)]
        }
        guard recursive else { throw CommandError("\(file) is a folder; put it with --recursive") }
        return try await put(folder: file, own, in: try await vault.folder(to), of: vault)
    }

    private func put(
        folder: String, _ name: NodeName, in parent: NodeID, of vault: OpenVault
    ) async throws -> [NodeID] {
        let id = try await vault.folder(called: name, in: parent)
        var made = [id]
        for entry in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let path = "\(folder)/\(entry)"
            let own = VaultNames.name(ofFile: entry)
            let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            switch type {
            case .typeDirectory: made += try await put(folder: path, own, in: id, of: vault)
            case .typeRegular: made.append(try await put(file: path, own, in: id, of: vault))
            default: Terminal.note("left out: \(Bytes(text: path).shown) is neither a file nor a folder")
            }
        }
        return made
    }

    private func put(
        file: String, _ name: NodeName, in folder: NodeID, of vault: OpenVault
    ) async throws -> NodeID {
        let source = try FileSource(file)
        let bar = VaultProgressBar(name.bytes.shown, options.output)
        defer { bar.finish() }
        return try await vault.put(source, description(name), in: folder, replacing: replace, bar.progress)
    }

    private func description(_ name: NodeName) -> FileDescription {
        var description = FileDescription(name: name, mediaType: VaultMediaTypes.type(of: name))
        description.tags = Set(tag.map { Bytes(text: $0.precomposedStringWithCanonicalMapping) })
            .sorted { $0.precedes($1) }
        return description
    }
}
