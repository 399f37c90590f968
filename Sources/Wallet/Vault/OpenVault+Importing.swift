import CryptoProvider
import Encodings
import Vault

/// What an import asks of the vault that it goes into.
extension OpenVault {
    /// What is called as new nodes are, in the folders that they come into: each with the id of the new one.
    ///
    /// - Throws: `ambiguous` if there are two of a name.
    func namesakes(of nodes: [(node: OpenedNode, to: NodeID)]) throws -> [NodeID: OpenedNode] {
        var found: [NodeID: OpenedNode] = [:]
        for (folder, new) in Dictionary(grouping: nodes, by: \.to) {
            let wanted = Dictionary(new.map { ($0.node.metadata.name.bytes, $0.node.id) }) { first, _ in first }
            for old in children(folder).compactMap({ tree.node($0) }) {
                let name = old.metadata.name
                guard old.metadata.kind != .settings, records[old.id]?.trashed == nil, let id = wanted[name.bytes]
                else { continue }
                if let other = found[id] {
                    throw VaultFault.ambiguous(path(name, in: folder), [other.id.text, old.id.text])
                }
                found[id] = old
            }
        }
        return found
    }

    /// An item and all that is in it, without what is in the trash.
    func untrashed(_ id: NodeID) -> [NodeID] {
        below(id).filter { records[$0].map { $0.trashed == nil } ?? false }
    }

    /// How many of the nodes come into their folders by one change, with what they replace.
    ///
    /// - Returns: 0 if the first of them replaces more than that.
    func countTogether(_ nodes: ArraySlice<(node: OpenedNode, to: NodeID)>) throws -> Int {
        let old = try namesakes(of: Array(nodes))
        var (items, bytes) = (0, 0)
        for (count, new) in nodes.enumerated() {
            let replaced = old[new.node.id].map { untrashed($0.id) } ?? []
            items += replaced.count + 1
            bytes += new.node.record.metadata.count
            bytes += replaced.reduce(0) { $0 + (records[$1]?.record.metadata.count ?? 0) }
            guard items <= Self.together, bytes <= Self.mostBytes else { return count }
        }
        return nodes.count
    }

    /// A folder that is not stored yet.
    func unstored(_ name: NodeName, in parent: NodeID) throws -> OpenedNode {
        let metadata = NodeMetadata(.folder, name: name, created: milliseconds)
        return try compartment.make(metadata, in: key(ofFolder: parent), suite: suite)
    }

    /// A folder in one that may not be stored yet.
    func unstored(_ name: NodeName, in parent: OpenedNode, modified: Int64) throws -> OpenedNode {
        let time = modified > 0 ? modified * 1_000 : milliseconds
        return try compartment.make(
            NodeMetadata(.folder, name: name, created: milliseconds, modified: time), in: parent.key, suite: suite)
    }

    /// A folder that is not stored yet, sealed for the present key of the one that it goes into.
    func sealedAgain(_ node: OpenedNode, in folder: NodeID) throws -> OpenedNode {
        guard records[node.id] == nil else { throw VaultFault.broken }
        return try compartment.unborn(node, in: key(ofFolder: folder), suite: suite)
    }

    /// - Throws: `exists` if something in the folder is called so.
    func refuse(_ name: NodeName, in folder: NodeID) throws { try checkFree(name, in: folder) }

    /// A folder by its name in another one.
    func folderNamed(_ name: NodeName, in folder: NodeID) -> NodeID? {
        list(folder).first { $0.kind == .folder && $0.name == name.bytes }?.id
    }
}
