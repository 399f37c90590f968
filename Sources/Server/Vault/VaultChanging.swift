import Interface
import Storage

/// Changes of a compartment: compared with what the wallet knew, and then done as a whole or not at all.
struct VaultChanging: Sendable {
    let environment: Environment
    let epochs: VaultEpochs

    func change(_ id: String, _ change: VaultChange, _ principal: Principal) async throws -> VaultChanged {
        let sizes = try VaultRules.change(change)
        let epoch = try await epochs.current()
        let now = environment.now()
        let (changed, gone) = try await environment.database.write { transaction in
            let compartment = try VaultCompartmentStore(transaction: transaction).require(
                id, .write, for: principal.account, now: now)
            guard compartment.sequence == change.sequence else {
                throw VaultError.otherSequence(compartment.sequence)
            }
            var run = try VaultChangeRun(
                transaction: transaction, compartment: compartment, account: principal.account, change: change,
                sizes: sizes, epoch: epoch, now: now)
            try run.run()
            return (run.changed, run.gone)
        }
        await environment.deleteVaultContents(gone)
        return changed
    }

    /// Takes items from one of the account's compartments to another, with their contents.
    ///
    /// So a folder is shared, or gets another key, and nothing is sealed again.
    func handOver(_ request: VaultHandover, _ principal: Principal) async throws -> VaultHandedOver {
        let (left, arrived) = (try VaultRules.change(request.departure), try VaultRules.change(request.arrival))
        guard request.from != request.to else { throw VaultError.invalidChange("from, to: two compartments.") }
        let epoch = try await epochs.current()
        let now = environment.now()
        let (answer, gone) = try await environment.database.write { transaction in
            let store = VaultCompartmentStore(transaction: transaction)
            func run(
                _ change: VaultChange, in id: String, _ sizes: [String: Int64],
                lettingGo: VaultChangeRun.LettingGo? = nil, before: Int64? = nil
            ) throws -> (VaultChanged, [String]) {
                let compartment = try store.require(id, .own, for: principal.account, now: now)
                guard compartment.sequence == change.sequence else {
                    throw VaultError.otherSequence(compartment.sequence)
                }
                var run = try VaultChangeRun(
                    transaction: transaction, compartment: compartment, account: principal.account, change: change,
                    sizes: sizes, epoch: epoch, now: now, lettingGo: lettingGo, before: before)
                try run.run()
                return (run.changed, run.gone)
            }
            // Nothing is let go into a compartment that is not the account's.
            let before = try store.require(request.to, .own, for: principal.account, now: now).bytes
            let contents = Set(request.arrival.put.flatMap { $0.versions.map(\.content) })
            let (from, first) = try run(
                request.departure, in: request.from, left, lettingGo: .init(contents: contents, to: request.to))
            let (to, second) = try run(request.arrival, in: request.to, arrived, before: before)
            return (VaultHandedOver(from: from, to: to), first + second)
        }
        await environment.deleteVaultContents(gone)
        return answer
    }
}

/// One change under way, in its transaction.
private struct VaultChangeRun {
    /// Contents that are not deleted with their items, and the compartment that takes them over.
    struct LettingGo {
        let contents: Set<String>
        let to: String
    }

    let transaction: Transaction
    let compartment: VaultCompartmentStore.Stored
    /// Who makes the change: the compartment's owner, or a member.
    let account: String
    let change: VaultChange
    /// Bytes of metadata, by item.
    let sizes: [String: Int64]
    let epoch: VaultEpoch
    let now: Int64
    let lettingGo: LettingGo?
    /// Bytes that the compartment had before anything was let go into it.
    let before: Int64
    private let nodes: VaultNodeStore
    private let versions: VaultVersionStore
    private let contents: VaultContentStore
    private let stored: [String: VaultNodeStore.Known]
    private var storedVersions: [String: [VaultVersionStore.Stored]]
    /// Contents that no row names any more.
    private(set) var gone: [String] = []
    private var bytes: Int64 = 0
    /// Items that came, and items that went.
    private var added: Int64 = 0
    private var removed: Int64 = 0

    private var sequence: Int64 { compartment.sequence + 1 }

    init(
        transaction: Transaction, compartment: VaultCompartmentStore.Stored, account: String, change: VaultChange,
        sizes: [String: Int64], epoch: VaultEpoch, now: Int64, lettingGo: LettingGo? = nil, before: Int64? = nil
    ) throws {
        (self.transaction, self.compartment, self.account, self.change) = (transaction, compartment, account, change)
        (self.sizes, self.epoch, self.now, self.lettingGo) = (sizes, epoch, now, lettingGo)
        self.before = before ?? compartment.bytes
        nodes = VaultNodeStore(transaction: transaction)
        versions = VaultVersionStore(transaction: transaction)
        contents = VaultContentStore(transaction: transaction)
        let ids = change.put.map(\.id) + change.trash + change.restore + change.remove
        stored = try nodes.find(ids, in: compartment.id)
        storedVersions = try versions.find(ofNodes: change.put.map(\.id) + change.remove, in: compartment.id)
    }

    var changed: VaultChanged {
        VaultChanged(sequence: sequence, bytes: compartment.bytes + bytes, quota: Limits.vaultQuota)
    }

    mutating func run() throws {
        try checkMoved()
        for id in change.remove { try remove(id) }
        for id in change.trash { try move(id, isTrashed: false, to: now) }
        for id in change.restore { try move(id, isTrashed: true, to: nil) }
        for put in change.put { try self.put(put) }
        let count = added - removed
        guard compartment.nodes + count <= Limits.vaultNodes || count <= 0 else { throw VaultError.tooManyNodes }
        // What was removed counts on: its id stays.
        guard compartment.nodes + compartment.removed + added <= Limits.vaultNodesEver || added == 0 else {
            throw VaultError.tooManyNodes
        }
        // Contents that were let go into it are among its bytes already: they need room as anything else.
        let after = compartment.bytes + bytes
        guard after <= Limits.vaultQuota || after <= before else { throw VaultError.quota }
        let store = VaultCompartmentStore(transaction: transaction)
        try store.change(compartment.id, sequence: sequence, head: change.head)
        try store.add(compartment.id, bytes: bytes, nodes: count, removed: removed)
    }

    /// While their rows are written, everybody else's changes wait.
    private func checkMoved() throws {
        let sizes = (change.trash + change.restore + change.remove).compactMap { stored[$0]?.size }
        guard sizes.count < 2 || sizes.reduce(0, +) <= Limits.vaultMoved else {
            throw VaultError.invalidChange(
                "trash, restore, remove: items with at most \(Limits.vaultMoved) bytes of metadata together.")
        }
    }

    private func there(_ id: String) throws -> VaultNodeStore.Known {
        guard let node = stored[id], node.removed == nil else { throw VaultError.wrongNode }
        return node
    }

    private func move(_ id: String, isTrashed: Bool, to time: Int64?) throws {
        guard try (there(id).trashed != nil) == isTrashed else { throw VaultError.wrongNode }
        try nodes.setTrashed(id, time, sequence: sequence, in: compartment.id)
    }

    private mutating func remove(_ id: String) throws {
        let node = try there(id)
        for version in storedVersions[id] ?? [] { try remove(version) }
        try nodes.remove(id, at: now, sequence: sequence, in: compartment.id)
        bytes -= node.size
        removed += 1
    }

    private mutating func remove(_ version: VaultVersionStore.Stored) throws {
        guard try !isLeftToOwner(version.content) else { throw VaultError.wrongContent }
        try versions.delete(version.id, in: compartment.id)
        bytes -= version.size
        if let lettingGo, lettingGo.contents.contains(version.content) {
            // As an upload of the other compartment, until a version there has it.
            try contents.move(version.content, to: lettingGo.to, until: now + Limits.vaultUploadTime)
            try VaultCompartmentStore(transaction: transaction).add(lettingGo.to, bytes: version.size)
        } else {
            try contents.delete(version.content)
            gone.append(version.content)
        }
    }

    private mutating func put(_ put: VaultChange.Put) throws {
        let old = stored[put.id]
        guard old?.removed == nil else { throw VaultError.wrongNode }
        let isNext = put.revision == (old?.revision ?? 0) + 1
        guard try isNext || isWrappedAgain(put) else { throw VaultError.otherRevision }
        let node = VaultNodeStore.Stored(
            id: put.id, sequence: sequence, revision: put.revision, place: put.place,
            wrapped: try epoch.wrap(put.key, of: .node(put.id, compartment: compartment.id)), epoch: epoch.number,
            metadata: put.metadata, size: sizes[put.id] ?? 0, trashed: nil, removed: nil)
        if let old {
            try nodes.update(node, in: compartment.id)
            bytes += node.size - old.size
        } else {
            try nodes.insert(node, in: compartment.id, account: compartment.account)
            bytes += node.size
            added += 1
        }
        try setVersions(put)
    }

    /// Whether an item only comes with its key wrapped again, because its folder has another key.
    ///
    /// The wallet cannot give a locked one its next revision: the metadata is bound to that, and closed to it.
    private func isWrappedAgain(_ put: VaultChange.Put) throws -> Bool {
        guard let old = stored[put.id], put.revision == old.revision else { return false }
        let versions = (storedVersions[put.id] ?? []).sorted { $0.position < $1.position }
        return try put.place == old.place && put.versions.map(\.id) == versions.map(\.id)
            && nodes.has(put.metadata, put.id, in: compartment.id)
    }

    /// Keeps the versions that are named, adds those that are new, and removes the others.
    private mutating func setVersions(_ put: VaultChange.Put) throws {
        let old = storedVersions[put.id] ?? []
        let kept = Set(put.versions.map(\.id))
        for version in old where !kept.contains(version.id) { try remove(version) }
        var position: Int64 = 0
        for version in put.versions {
            var next: VaultVersionStore.Stored
            let known = old.first { $0.id == version.id }
            if let known {
                guard known.content == version.content, known.size == version.size else {
                    throw VaultError.wrongContent
                }
                next = known
            } else {
                // One that the server has removed for its age: the wallet did not know it yet.
                if position > 0, try contents.find(version.content) == nil { continue }
                try attach(version)
                next = VaultVersionStore.Stored(
                    id: version.id, node: put.id, position: position, content: version.content, wrapped: "", epoch: 0,
                    size: version.size, created: now, superseded: nil)
            }
            next.position = position
            next.superseded = position == 0 ? nil : next.superseded ?? now
            next.epoch = epoch.number
            next.wrapped = try epoch.wrap(version.key, of: .version(version.id, compartment: compartment.id))
            if known == nil {
                try versions.insert(next, in: compartment.id, account: compartment.account)
            } else {
                try versions.update(next, in: compartment.id)
            }
            position += 1
        }
    }

    /// Whether the account is not the owner, and a content is in the owner's inbox.
    ///
    /// A writer could attach it, and then remove the item. An owner attaches it, and then takes it out of the inbox: cut off
    /// in between, the owner still finds it there, and must not find it empty because a writer removed the item or version.
    private func isLeftToOwner(_ content: String) throws -> Bool {
        try account != compartment.account && VaultDropStore(transaction: transaction).has(content: content)
    }

    /// Takes a whole upload of this compartment, which no version has.
    private func attach(_ version: VaultChange.Put.Version) throws {
        guard let content = try contents.find(version.content), content.compartment == compartment.id,
            content.expires != nil, content.size == version.size,
            try contents.received(content.id) == content.size,
            try !versions.isTaken(version.id, in: compartment.id),
            try !isLeftToOwner(content.id)
        else { throw VaultError.wrongContent }
        try contents.setExpiry(content.id, nil)
    }
}
