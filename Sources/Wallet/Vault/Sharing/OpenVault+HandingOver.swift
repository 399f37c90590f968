import Encodings
import Interface
import Vault

// From one compartment of the account to another: nothing is removed in one before it is whole in the other.
extension OpenVault {
    /// Refuses what must not go to another compartment.
    ///
    /// - Throws: `notShareable`.
    func checkMovable(_ id: NodeID) throws {
        for one in below(id) {
            guard let node = tree.node(one), node.locks.isEmpty else {
                throw VaultFault.notShareable(
                    "something in it has a lock of its own. Take that off first, with "
                        + "'countersign wallet vault lock --off'")
            }
            guard door(one) == nil else {
                throw VaultFault.notShareable(
                    share(one) == nil
                        ? "a folder that a PIN opens cannot be shared, nor moved into another one"
                        : "there is a shared folder in it. Move that out first")
            }
        }
    }

    /// Takes items with everything in them to the top of another compartment; their contents stay at the server.
    ///
    /// Up to so many at once, it is all of it or nothing; of more, each is always in one of the two.
    func handOver(_ ids: [NodeID], to other: OpenVault, through server: any VaultSharingServer) async throws {
        let all = ids.flatMap { below($0) }
        let tops = Set(ids)
        let trashed = all.filter { records[$0]?.trashed != nil }
        if groups(of: all).count <= 1 {
            try await step(all, tops, to: other, through: server)
        } else {
            let folders = all.filter { tree.node($0)?.metadata.kind == .folder }
            let isFolder = Set(folders)
            // The folders are in both places until everything in them has gone over.
            for group in groups(of: folders) {
                try await other.take(try group.map { try opened($0) }, from: compartment, tops)
            }
            for group in groups(of: all.filter { !isFolder.contains($0) }) {
                try await step(group, tops, to: other, through: server)
            }
            for group in groups(of: folders.reversed()) {
                try await change { vault in
                    var edit = VaultEdit()
                    edit.remove = group.filter { vault.records[$0] != nil }
                    return edit
                }
            }
        }
        for group in await other.groups(of: trashed) {
            try await other.change { vault in
                var edit = VaultEdit()
                edit.trash = group.filter { vault.records[$0].map { $0.trashed == nil } ?? false }
                return edit
            }
        }
    }

    /// Both changes in one request.
    private func step(
        _ ids: [NodeID], _ tops: Set<NodeID>, to other: OpenVault, through server: any VaultSharingServer
    ) async throws {
        guard !ids.isEmpty else { return }
        for attempt in 1...Self.tries {
            var (arrival, departure) = (VaultEdit(), VaultEdit())
            arrival.put = try await other.adopted(try ids.map { try opened($0) }, from: compartment, tops)
            departure.remove = ids
            let coming = try await other.prepared(arrival)
            let leaving = try prepared(departure)
            do {
                let answer = try await server.handOverVault(
                    VaultHandover(
                        from: compartment.id.text, departure: leaving.change, to: other.compartment.id.text,
                        arrival: coming.change))
                try await other.apply(arrival, coming.head, answer.to)
                return try apply(departure, leaving.head, answer.from)
            } catch let error as ProblemError where error.problem.error == "sequence" && attempt < Self.tries {
                try await refresh()
                try await other.refresh()
            } catch  where Self.isUncertain(error) {
                guard try await other.isDone(arrival), try await isDone(departure) else { throw error }
                return
            }
        }
    }

    /// Stores nodes of another compartment here, and leaves them there.
    private func take(_ nodes: [OpenedNode], from source: Compartment, _ tops: Set<NodeID>) async throws {
        try await change { vault in
            var edit = VaultEdit()
            edit.put = try vault.adopted(nodes, from: source, tops)
            return edit
        }
    }

    /// Nodes of another compartment as they will be here: with new keys, and the keys of their contents wrapped again.
    ///
    /// Each is opened as it will be, and compared: the request that puts it here removes it there.
    ///
    /// - Parameters:
    ///   - nodes: folders before what is in them.
    ///   - tops: those that come to the top.
    private func adopted(_ nodes: [OpenedNode], from source: Compartment, _ tops: Set<NodeID>) throws -> [OpenedNode] {
        var keys: [NodeID: NodeKey] = [:]
        var made: [OpenedNode] = []
        for node in nodes where node.metadata.kind != .settings {
            if let there = tree.node(node.id) {
                // It was cut off before.
                if node.metadata.kind != .folder { try compare(there, node, source) }
                continue
            }
            let place = tops.contains(node.id) ? NodeID.root : node.parent
            let parent = if let key = keys[place] { key } else { try tree.folder(place) }
            let record = try compartment.adopt(
                node, from: source, in: parent, as: node.metadata.cleaned, suite: suite
            ).record
            let opened = try compartment.open(record, in: parent, suite: suite)
            try compare(opened, node, source)
            keys[node.id] = opened.key
            made.append(opened)
        }
        return made
    }

    /// Refuses a node that is not the same as in the compartment that it comes from.
    private func compare(_ here: OpenedNode, _ there: OpenedNode, _ source: Compartment) throws {
        let (ours, theirs) = (here.record.versions, there.record.versions)
        guard here.metadata == there.metadata.cleaned, ours.count == theirs.count else { throw VaultFault.broken }
        for (our, their) in zip(ours, theirs) {
            guard our.content == their.content,
                try compartment.open(our, of: here.key, suite: suite) == source.open(their, of: there.key, suite: suite)
            else { throw VaultFault.broken }
        }
    }
}

extension NodeMetadata {
    /// What of it goes to another compartment.
    ///
    /// Others may have written it: no key goes along, and nothing that this account's programs act upon.
    fileprivate var cleaned: NodeMetadata {
        var metadata = self
        (metadata.compartment, metadata.settings) = (nil, nil)
        metadata.others = others.filter { $0.name.equals("file_name") || $0.name.equals("issued") }
        return metadata
    }
}
