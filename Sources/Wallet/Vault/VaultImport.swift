package import Encodings
package import Vault

/// Files and folders on their way into a vault: nothing of them is seen before all is there.
///
/// They are stored in a folder that no record leads to. At the end, one change brings it into its place.
package actor VaultImport {
    private let vault: OpenVault
    private let folder: NodeID
    /// The new folder that all goes into; `nil` to put it beside what is in `folder`.
    private let name: NodeName?
    private let replacing: Bool
    private let staging: OpenedNode
    /// The folders of the import, by their paths.
    private var folders: [[Bytes]: OpenedNode] = [:]
    private var paths: Set<[Bytes]> = []
    /// What was stored, and where it is to be in the end: a folder of the vault for what is moved.
    private var stored: [NodeID] = []
    private var moved: [(node: OpenedNode, to: NodeID)] = []
    private var replaced: [NodeID] = []
    private var waiting: [OpenedNode] = []
    private var current: PushedUpload?
    private var files = 0

    /// How many uploads wait for a change: the server takes 100.
    private static let group = 40
    /// Files and folders of one import.
    private static let most = 50_000

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - folder: of the vault.
    ///   - name: of a new folder in it; without it, everything goes beside what is there.
    ///   - replacing: whether what is called so already goes to the trash; otherwise it is refused.
    package init(into vault: OpenVault, _ folder: NodeID, new name: NodeName?, replacing: Bool) async throws {
        self.vault = vault
        self.folder = folder
        self.name = name
        self.replacing = replacing
        staging = try await vault.unstored(name ?? .cleaned(Bytes(text: "import")), in: folder)
        if let name { try await vault.refuse(name, in: folder) }
    }

    // MARK: What comes in

    /// A folder.
    package func makeFolder(_ names: [Bytes], modified: Int64) async throws {
        guard folders[names] == nil else { return }
        _ = try await place(of: names, isFolder: true, modified: modified)
    }

    /// Begins a file.
    package func beginFile(_ names: [Bytes], size: UInt64, modified: Int64) async throws {
        guard current == nil else { throw VaultFault.badArchive("two files overlap") }
        guard paths.insert(names).inserted, folders[names] == nil else {
            throw VaultFault.badArchive("two entries have the path \(Self.shown(names))")
        }
        files += 1
        guard files <= Self.most else { throw VaultFault.badArchive("it has more than \(Self.most) files") }
        let (parent, target) = try await parent(of: names)
        current = try await PushedUpload(
            vault, size: size, modified: modified, parent: parent, target: target,
            name: Self.name(names[names.count - 1]))
    }

    /// More of the content of the file that was begun last.
    package func write(_ bytes: ArraySlice<UInt8>) async throws {
        guard var upload = current else { throw VaultFault.badArchive("content without a file") }
        current = nil
        try await upload.write(bytes)
        current = upload
    }

    /// Ends the file that was begun last.
    package func endFile() async throws {
        guard var upload = current else { return }
        current = nil
        let node = try await upload.finish()
        if let target = upload.target { moved.append((node, target)) }
        waiting.append(node)
        if waiting.count >= Self.group { try await store() }
    }

    // MARK: The end

    /// Brings everything into its place.
    ///
    /// - Returns: how many files came.
    package func finish() async throws -> Int {
        guard current == nil else { throw VaultFault.badArchive("it ends within a file") }
        try await store()
        if name != nil {
            let (staging, folder) = (staging, folder)
            try await vault.change { vault in
                try vault.checkFree(staging.metadata.name, in: folder)
                return VaultEdit(put: try vault.sealedAgain(staging, in: folder))
            }
        } else {
            try await bringIn()
        }
        stored = []
        return files
    }

    /// Removes all that was stored: what cannot be whole is not kept.
    package func cancel() async {
        let gone = stored
        stored = []
        for group in await vault.groups(of: gone) {
            try? await vault.change { vault in
                var edit = VaultEdit()
                edit.remove = group.filter { vault.records[$0] != nil }
                return edit
            }
        }
    }

    private func bringIn() async throws {
        var rest = moved[...]
        while !rest.isEmpty {
            let count = try await vault.countTogether(rest.prefix(OpenVault.together))
            let some = Array(rest.prefix(max(1, count)))
            let replacing = replacing
            if count == 0, replacing, let old = try await vault.namesakes(of: some).values.first {
                // One change does not hold all that is in it.
                try await vault.trash(vault.children(old.id))
            }
            try await vault.change { vault in
                var edit = VaultEdit()
                let old = try vault.namesakes(of: some)
                for (node, target) in some {
                    if let old = old[node.id] {
                        guard replacing else {
                            throw VaultFault.exists(vault.path(node.metadata.name, in: target))
                        }
                        edit.trash += vault.untrashed(old.id)
                    }
                    let key = try vault.key(ofFolder: target)
                    edit.put.append(try vault.compartment.move(node, to: key, suite: vault.suite))
                }
                return edit
            }
            rest = rest.dropFirst(some.count)
        }
    }

    private func store() async throws {
        guard !waiting.isEmpty else { return }
        let nodes = waiting
        waiting = []
        try await vault.change { _ in
            var edit = VaultEdit()
            edit.put = nodes
            return edit
        }
        stored += nodes.map(\.id)
    }

    // MARK: Places

    /// The folder that a path's last name is in, and where that name is to be moved in the end.
    private func parent(of names: [Bytes]) async throws -> (OpenedNode, NodeID?) {
        let above = Array(names.dropLast())
        guard !above.isEmpty else { return (staging, try await free(names, in: folder)) }
        if let known = try await existing(above) { return (staging, try await free(names, in: known)) }
        return (try await place(of: above, isFolder: true, modified: 0), nil)
    }

    /// A folder of the vault that is there by this path already, and into which things go.
    private func existing(_ names: [Bytes]) async throws -> NodeID? {
        guard name == nil else { return nil }
        var id = folder
        for name in names {
            guard let next = await vault.folderNamed(Self.name(name), in: id) else { return nil }
            id = next
        }
        return id
    }

    /// - Returns: the folder; nothing if all goes into a new one.
    /// - Throws: `exists`.
    private func free(_ names: [Bytes], in folder: NodeID) async throws -> NodeID? {
        guard name == nil else { return nil }
        if !replacing { try await vault.refuse(Self.name(names[names.count - 1]), in: folder) }
        return folder
    }

    private func place(of names: [Bytes], isFolder: Bool, modified: Int64) async throws -> OpenedNode {
        if let known = folders[names] { return known }
        guard !paths.contains(names) else {
            throw VaultFault.badArchive("a file and a folder have the path \(Self.shown(names))")
        }
        // What is there already stays; it takes what comes.
        if try await existing(names) != nil { return staging }
        let (parent, target) = try await parent(of: names)
        let node = try await vault.unstored(Self.name(names[names.count - 1]), in: parent, modified: modified)
        folders[names] = node
        guard folders.count <= Self.most else { throw VaultFault.badArchive("it has more than \(Self.most) folders") }
        if let target { moved.append((node, target)) }
        waiting.append(node)
        if waiting.count >= Self.group { try await store() }
        return node
    }

    private static func name(_ bytes: Bytes) -> NodeName { .cleaned(bytes) }

    static func shown(_ names: [Bytes]) -> String {
        names.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
}
