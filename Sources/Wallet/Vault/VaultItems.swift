package import Encodings
import Foundation
package import Vault

/// What a person sees of a node.
package struct VaultItem: Sendable, Equatable {
    /// What it is.
    package enum Kind: String, Codable, Sendable {
        case folder, file, note
        /// A lock of its own is before it: nothing else is known.
        case locked
    }

    package let id: NodeID
    package let kind: Kind
    /// The name; of a locked one, what its folder tells: nothing.
    package let name: Bytes
    /// The names from the top down, with slashes between them.
    package private(set) var path: Bytes
    package let parent: NodeID
    package let size: UInt64?
    package let mediaType: Bytes?
    package let tags: [Bytes]
    /// Milliseconds since 1970.
    package let created: Int64
    package let modified: Int64
    package let expires: Int64?
    package let hasLock: Bool
    /// Since when it is in the trash, in seconds since 1970.
    package let trashed: Int64?
    /// How many states of a file there are.
    package let versions: Int
    /// Whether it is a folder that stands for a compartment that is shared.
    package let isShared: Bool

    /// The same with names before its path: those of the folders through which its compartment was reached.
    package func below(_ above: Bytes) -> VaultItem {
        guard !above.isEmpty else { return self }
        var item = self
        item.path = above + [0x2F] + path
        return item
    }
}

extension OpenVault {
    /// What is in a folder, in the order of the names; not what is in the trash.
    package func list(_ folder: NodeID = .root) -> [VaultItem] {
        let path = folder == .root ? [] : (item(folder)?.path ?? [])
        return children(folder).compactMap { id -> VaultItem? in
            guard records[id]?.trashed == nil else { return nil }
            return item(id, below: path)
        }
        .sorted { $0.name == $1.name ? $0.id < $1.id : $0.name.precedes($1.name) }
    }

    /// A folder and all that is in it, folders before what they hold.
    package func everything(in folder: NodeID = .root) -> [VaultItem] {
        var found: [VaultItem] = []
        var waiting = list(folder)
        waiting.reverse()
        while let next = waiting.popLast() {
            found.append(next)
            if next.kind == .folder { waiting += list(next.id).reversed() }
        }
        return found
    }

    /// What is in the trash, the newest first; not what is in a folder that is there.
    package func trash() -> [VaultItem] {
        records.values.filter { kept in
            guard kept.trashed != nil else { return false }
            let parent = tree.node(kept.record.id)?.parent
            return parent.map { $0 == .root || records[$0]?.trashed == nil } ?? false
        }
        .compactMap { item($0.record.id) }.sorted { ($0.trashed ?? 0, $1.id) > ($1.trashed ?? 0, $0.id) }
    }

    /// One item.
    package func item(_ id: NodeID) -> VaultItem? {
        let parent = tree.node(id)?.parent ?? tree.locked.first { $0.record.id == id }?.parent
        guard let parent else { return nil }
        let above = (try? tree.path(of: parent)) ?? []
        let names = above.reversed().compactMap { tree.node($0)?.metadata.name.bytes }
        return item(id, below: Array(names.joined(separator: [0x2F])))
    }

    /// How many items do not open although their folder does: they were damaged, or written against the format.
    ///
    /// What is in a locked folder is not among them, nor what an import that was cut has left.
    package var unopened: Int {
        tree.unreachable.filter { record in
            guard let kept = records[record.id], kept.trashed == nil else { return false }
            guard let parent = try? compartment.parent(of: record, suite: suite) else { return true }
            return (try? tree.folder(parent)) != nil
        }.count
    }

    /// The text of a note.
    package func text(_ id: NodeID) throws -> Bytes {
        guard let node = tree.node(id), node.metadata.kind == .note else { throw VaultFault.notANote(id.text) }
        return node.metadata.text ?? []
    }

    /// Which settings there are; of the main compartment only.
    var settings: OpenedNode? {
        tree.nodes.first { $0.metadata.kind == .settings && records[$0.id]?.trashed == nil }
    }

    private func item(_ id: NodeID, below path: Bytes) -> VaultItem? {
        func joined(_ name: Bytes) -> Bytes { path.isEmpty ? name : path + [0x2F] + name }
        if let node = tree.node(id) {
            let kind: VaultItem.Kind
            switch node.metadata.kind {
            case .folder: kind = .folder
            case .file: kind = .file
            case .note: kind = .note
            case .settings: return nil
            }
            let known = node.metadata
            let size = kind == .note ? UInt64(known.text?.count ?? 0) : known.size
            return VaultItem(
                id: id, kind: kind, name: known.name.bytes, path: joined(known.name.bytes), parent: node.parent,
                size: size, mediaType: known.mediaType, tags: known.tags, created: known.created,
                modified: known.modified, expires: known.expires, hasLock: !node.locks.isEmpty,
                trashed: records[id]?.trashed, versions: node.record.versions.count, isShared: share(id) != nil)
        }
        guard let node = tree.locked.first(where: { $0.record.id == id }) else { return nil }
        let name = Bytes(text: "id:\(id.text)")
        return VaultItem(
            id: id, kind: .locked, name: name, path: joined(name), parent: node.parent, size: nil, mediaType: nil,
            tags: [], created: 0, modified: 0, expires: nil, hasLock: true, trashed: records[id]?.trashed,
            versions: node.record.versions.count, isShared: false)
    }
}

extension OpenVault {
    /// The items that a path or pattern names, in the order of their names.
    ///
    /// `*`, `?` and `[…]` stand for characters of one name, and not for a dot at its beginning; a backslash before them
    /// takes that away. `id:` and 32 digits name an item wherever it is.
    package func find(_ pattern: String) throws -> [VaultItem] {
        if let id = Self.identifier(pattern) {
            guard let item = item(id), item.trashed == nil else { throw VaultFault.notFound(pattern) }
            return [item]
        }
        var folders: [NodeID] = [.root]
        var found: [VaultItem] = []
        let names = VaultPattern.names(of: pattern)
        for (place, name) in names.enumerated() {
            found = folders.flatMap { list($0) }.filter { name.matches($0.name) }
            if place < names.count - 1 { folders = found.filter { $0.kind == .folder }.map(\.id) }
        }
        guard !found.isEmpty || names.isEmpty else { throw VaultFault.notFound(pattern) }
        return found
    }

    /// The one item that a path names.
    ///
    /// - Throws: `ambiguous` if there are several.
    package func one(_ path: String) throws -> VaultItem {
        let found = try find(path)
        guard let first = found.first else { throw VaultFault.notAFile("/") }
        guard found.count == 1 else { throw VaultFault.ambiguous(path, found.map(\.id.text)) }
        return first
    }

    /// The folder that a path names; the top for `/` and nothing.
    package func folder(_ path: String) throws -> NodeID {
        guard !VaultPattern.names(of: path).isEmpty else { return .root }
        let item = try one(path)
        guard item.kind == .folder else { throw VaultFault.notAFolder(path) }
        return item.id
    }

    private static func identifier(_ text: String) -> NodeID? {
        guard text.hasPrefix("id:") else { return nil }
        return NodeID(text: String(text.dropFirst(3)))
    }
}
