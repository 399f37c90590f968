import Interface
import Storage

/// The inbox of a compartment: caretakers put things in, and only the owner takes them out.
struct VaultInbox: Sendable {
    let environment: Environment
    let epochs: VaultEpochs

    func put(_ id: String, _ request: NewVaultDrop, _ principal: Principal) async throws -> VaultDrop {
        guard VaultRules.isItem(request.id) else { throw VaultError.invalidText("id") }
        let bytes = Int64(try VaultRules.bytes(request.sealed, Limits.vaultMetadata, "sealed"))
        let now = environment.now()
        let epoch = try await epochs.current()
        let wrapped = try epoch.wrap(request.sealed, of: .drop(request.id, compartment: id))
        return try await environment.database.write { transaction in
            let compartments = VaultCompartmentStore(transaction: transaction)
            let compartment = try compartments.require(id, .drop, for: principal.account, now: now)
            let store = VaultDropStore(transaction: transaction)
            guard try store.count(compartment: id) < Limits.vaultDrops,
                try store.bytes(compartment: id) + bytes <= Limits.vaultInbox
            else { throw VaultError.tooManyDrops }
            guard try store.find(request.id, in: id) == nil else { throw VaultError.taken }
            guard compartment.bytes + bytes <= Limits.vaultQuota else { throw VaultError.quota }
            let expires = now + Limits.vaultDropTime
            var size: Int64?
            if let name = request.content {
                let contents = VaultContentStore(transaction: transaction)
                guard let content = try contents.find(name), content.compartment == id, content.expires != nil,
                    try contents.received(name) == content.size, try !store.has(content: name)
                else { throw VaultError.wrongContent }
                // With what names it.
                try contents.setExpiry(name, expires)
                size = content.size
            }
            let drop = VaultDropStore.Stored(
                id: request.id, compartment: id, account: compartment.account, sender: principal.account,
                wrapped: wrapped, epoch: epoch.number, size: bytes, content: request.content, created: now,
                expires: expires)
            try store.insert(drop)
            try compartments.add(id, bytes: bytes)
            let sender = try AccountStore(transaction: transaction).find(id: principal.account)
            return drop.shown(request.sealed, size: size, sender: sender?.name)
        }
    }

    /// What is in it, the oldest first: for the owner.
    func list(_ id: String, _ principal: Principal) async throws -> [VaultDrop] {
        let now = environment.now()
        let (drops, sizes, people) = try await environment.database.read { transaction in
            _ = try VaultCompartmentStore(transaction: transaction).require(id, .own, for: principal.account, now: now)
            let drops = try VaultDropStore(transaction: transaction).list(compartment: id)
            var sizes: [String: Int64] = [:]
            for content in drops.compactMap(\.content) {
                sizes[content] = try VaultContentStore(transaction: transaction).find(content)?.size
            }
            let people = try AccountStore(transaction: transaction).find(ids: drops.compactMap(\.sender))
            return (drops, sizes, people)
        }
        let known = try await epochs.find(Set(drops.map(\.epoch)))
        return drops.map { drop in
            drop.shown(
                known[drop.epoch]?.unwrap(drop.wrapped, of: .drop(drop.id, compartment: id)) ?? "",
                size: drop.content.flatMap { sizes[$0] }, sender: drop.sender.flatMap { people[$0]?.name })
        }
    }

    /// Takes something out: its content stays if a version has it by now, and goes otherwise.
    func remove(_ drop: String, in id: String, _ principal: Principal) async throws {
        let now = environment.now()
        let gone = try await environment.database.write { transaction -> String? in
            _ = try VaultCompartmentStore(transaction: transaction).require(id, .own, for: principal.account, now: now)
            guard let stored = try VaultDropStore(transaction: transaction).find(drop, in: id) else {
                throw VaultError.notFound
            }
            return try Self.remove(stored, in: transaction)
        }
        await environment.deleteVaultContents([gone].compactMap(\.self))
    }

    /// - Returns: the content that no row names any more.
    static func remove(_ drop: VaultDropStore.Stored, in transaction: Transaction) throws -> String? {
        try VaultDropStore(transaction: transaction).delete(drop.id, in: drop.compartment)
        let compartments = VaultCompartmentStore(transaction: transaction)
        try compartments.add(drop.compartment, bytes: -drop.size)
        let contents = VaultContentStore(transaction: transaction)
        guard let name = drop.content, let content = try contents.find(name), content.expires != nil else { return nil }
        try contents.delete(name)
        try compartments.add(drop.compartment, bytes: -content.size)
        return name
    }

    /// Removes things that nobody has taken in time.
    ///
    /// - Returns: how many.
    func endDrops() async throws -> Int {
        let now = environment.now()
        let (count, gone) = try await environment.database.write { transaction in
            let over = try VaultDropStore(transaction: transaction).expired(now: now, limit: VaultSweep.together)
            return (over.count, try over.compactMap { try Self.remove($0, in: transaction) })
        }
        await environment.deleteVaultContents(gone)
        return count
    }
}

extension VaultDropStore.Stored {
    fileprivate func shown(_ sealed: String, size: Int64?, sender name: String?) -> VaultDrop {
        VaultDrop(
            id: id, sender: sender, senderName: name ?? "", sealed: sealed, content: content, size: size,
            created: created, expires: expires)
    }
}
