import ArgumentParser
import Encodings
import Wallet

/// `countersign wallet vault ls`.
struct VaultListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "What is in your vault.",
        discussion: """
            A folder that is named by itself is shown with what is in it. What is in a shared folder is shown only if the \
            path leads there.

              countersign wallet vault ls
              countersign wallet vault ls 'Papers/2026*' Notes --json
              countersign wallet vault ls -r --tag travel
              countersign wallet vault ls --trash
            """)

    @Argument(help: "Paths or patterns. Default: the top of the vault.") var paths: [String] = []
    @Flag(name: .shortAndLong, help: "Show what is in folders, too.") var recursive = false
    @Flag(help: "Show what is in the trash.") var trash = false
    @Option(help: "Show only items with this tag.") var tag: String?
    @OptionGroup var options: VaultOptions

    func validate() throws {
        guard !trash || (paths.isEmpty && !recursive) else {
            throw ValidationError("The trash is shown whole: give neither paths nor --recursive with --trash.")
        }
    }

    func run() async throws {
        let vault = try await options.open().vault
        var items = trash ? await vault.trash() : try await found(in: vault)
        if let tag { items = items.filter { $0.tags.contains(Bytes(text: tag)) } }
        let words =
            trash ? "Nothing is in the trash." : "Nothing is here. Add a file with 'countersign wallet vault put FILE'."
        Output.print(items: items, options.output, none: words)
    }

    private func found(in vault: OpenVault) async throws -> [VaultItem] {
        guard !paths.isEmpty else { return recursive ? await vault.everything() : await vault.list() }
        var items: [VaultItem] = []
        for path in paths {
            let place = try await vault.place(of: path)
            if place.door != nil { await VaultOptions.tell(ofUnopenedIn: place.vault) }
            items += try await found(place.path, in: place.vault).map { $0.below(place.above) }
        }
        return items
    }

    private func found(_ path: String, in vault: OpenVault) async throws -> [VaultItem] {
        let named = try await vault.find(path)
        // The top of the vault.
        var items = named.isEmpty ? (recursive ? await vault.everything() : await vault.list()) : []
        for item in named {
            guard item.kind == .folder else {
                items.append(item)
                continue
            }
            if recursive {
                items += [item] + (await vault.everything(in: item.id))
            } else if named.count == 1 {
                items += await vault.list(item.id)
            } else {
                items.append(item)
            }
        }
        return items
    }
}
