import Interface
import Storage

/// Compartments: made, read page by page, removed.
struct VaultCompartments: Sendable {
    let environment: Environment
    let epochs: VaultEpochs

    func create(_ request: NewVaultCompartment, _ principal: Principal) async throws -> VaultCompartment {
        try VaultRules.compartment(request)
        let account = principal.account
        return try await environment.database.write { transaction in
            guard try VaultStore(transaction: transaction).find(account: account) != nil else {
                throw VaultError.notFound
            }
            let store = VaultCompartmentStore(transaction: transaction)
            guard try store.count(account: account) < Limits.vaultCompartments else {
                throw VaultError.tooManyCompartments
            }
            guard try !store.isTaken(request.id) else { throw VaultError.taken }
            try store.insert(request, account: account)
            return VaultCompartment(
                id: request.id, sequence: 0, head: request.head, bytes: 0, quota: Limits.vaultQuota, nodes: 0)
        }
    }

    func find(_ id: String, _ principal: Principal) async throws -> VaultCompartment {
        let now = environment.now()
        return try await environment.database.read {
            try VaultCompartmentStore(transaction: $0).require(id, .read, for: principal.account, now: now).shown
        }
    }

    /// Removes a compartment with everything in it, for ever.
    ///
    /// The log gets no entry: it would tell how many compartments there are.
    func remove(_ id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let contents = try await environment.database.write { transaction in
            let store = VaultCompartmentStore(transaction: transaction)
            _ = try store.require(id, .own, for: principal.account, now: now)
            let contents = try VaultContentStore(transaction: transaction).ids(compartment: id)
            try store.delete(id)
            return contents
        }
        await environment.deleteVaultContents(contents)
    }

    /// What changed behind a place, in the order of the changes.
    ///
    /// What changes while somebody reads comes again behind what they have read. At the end they have everything that the
    /// head of the last page covers.
    func list(_ id: String, after text: String?, limit: Int, _ principal: Principal) async throws -> VaultNodes {
        guard let place = Self.place(text), Limits.vaultPage.contains(limit) else {
            throw Problem(
                .badRequest, "after: a sequence, or 'next' of an answer; limit: 1 to \(Limits.vaultPage.upperBound).")
        }
        let now = environment.now()
        let (compartment, page) = try await environment.database.read { transaction in
            let compartment = try VaultCompartmentStore(transaction: transaction).require(
                id, .read, for: principal.account, now: now)
            return (compartment, try Self.page(behind: place, in: id, limit, transaction))
        }
        var numbers = Set(page.nodes.compactMap(\.epoch))
        for versions in page.versions.values { numbers.formUnion(versions.map(\.epoch)) }
        let known = try await epochs.find(numbers)
        return VaultNodes(
            items: page.nodes.map { $0.shown(page.versions[$0.id] ?? [], in: id, known) },
            next: page.next.map { "\($0.sequence).\($0.id)" }, sequence: compartment.sequence, head: compartment.head,
            bytes: compartment.bytes, quota: Limits.vaultQuota)
    }

    private struct Page: Sendable {
        var nodes: [VaultNodeStore.Stored] = []
        var versions: [String: [VaultVersionStore.Stored]] = [:]
        var next: VaultNodeStore.Place?
    }

    private static func page(
        behind place: VaultNodeStore.Place, in compartment: String, _ limit: Int, _ transaction: Transaction
    ) throws -> Page {
        let store = VaultNodeStore(transaction: transaction)
        guard
            let (end, hasMore) = try store.end(
                behind: place, in: compartment, limit: limit, bytes: Limits.vaultPageBytes)
        else { return Page() }
        let nodes = try store.list(behind: place, to: end, in: compartment)
        let versions = try VaultVersionStore(transaction: transaction).find(
            ofNodes: nodes.filter { $0.removed == nil }.map(\.id), in: compartment)
        return Page(nodes: nodes, versions: versions, next: hasMore ? end : nil)
    }

    /// `17` is behind all that the change 17 did, `17.ID` behind one item of it; nothing is before everything.
    private static func place(_ text: String?) -> VaultNodeStore.Place? {
        guard let text else { return VaultNodeStore.Place(sequence: -1, id: "") }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let sequence = Int64(first), sequence >= 0 else { return nil }
        // Behind every identifier.
        guard parts.count == 2 else { return VaultNodeStore.Place(sequence: sequence, id: "z") }
        let id = String(parts[1])
        return VaultRules.isIdentifier(id) ? VaultNodeStore.Place(sequence: sequence, id: id) : nil
    }
}

extension VaultNodeStore.Stored {
    /// As its owner's wallet sees it: under the wallet's own wrapping alone.
    fileprivate func shown(
        _ versions: [VaultVersionStore.Stored], in compartment: String, _ epochs: [Int64: VaultEpoch]
    ) -> VaultNode {
        guard removed == nil else {
            return VaultNode(
                id: id, sequence: sequence, revision: revision, place: "", key: "", metadata: "", versions: [],
                removed: removed)
        }
        let key = epoch.flatMap { epochs[$0]?.unwrap(wrapped, of: .node(id, compartment: compartment)) }
        let shown = versions.map { version in
            VaultNode.Version(
                id: version.id, content: version.content,
                key: epochs[version.epoch]?.unwrap(
                    version.wrapped, of: .version(version.id, compartment: compartment)) ?? "",
                size: version.size, created: version.created)
        }
        return VaultNode(
            id: id, sequence: sequence, revision: revision, place: place, key: key ?? "", metadata: metadata,
            versions: shown, trashed: trashed, lost: key == nil ? true : nil)
    }
}
