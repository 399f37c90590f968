import Encodings
import Interface
import Storage

/// A vault and the ways to open it.
struct VaultService: Sendable {
    let environment: Environment
    private var pins: VaultGuard { VaultGuard(environment: environment) }

    func create(_ request: NewVault, _ principal: Principal) async throws -> Acknowledgement {
        let account = principal.account
        try VaultRules.bytes(request.salt, Limits.vaultSalt, "salt")
        for slot in request.slots { try VaultRules.slot(slot) }
        guard Set(request.slots.map(\.id)).count == request.slots.count else { throw VaultError.invalidSlot }
        guard request.slots.count <= Limits.vaultSlots else { throw VaultError.tooManySlots }
        try VaultRules.pins(request.pins, all: true)
        try VaultRules.compartment(request.compartment)
        let now = environment.now()
        @Sendable func check(_ transaction: Transaction) throws {
            guard try VaultStore(transaction: transaction).find(account: account) == nil else {
                throw VaultError.exists
            }
            guard try !VaultCompartmentStore(transaction: transaction).isTaken(request.compartment.id) else {
                throw VaultError.taken
            }
        }
        try await environment.database.read { try check($0) }
        // The guard comes first: a vault never lacks the PINs that its wallet set. Without a vault they open nothing.
        try await pins.write(request.pins, request.enrolment, at: nil, account)
        let index = try await environment.database.write { transaction in
            try check(transaction)
            let store = VaultStore(transaction: transaction)
            let compartments = VaultCompartmentStore(transaction: transaction)
            try store.insert(account: account, VaultStore.Stored(salt: request.salt, created: now))
            for slot in request.slots { try set(slot, account, in: transaction, now: now) }
            try compartments.insert(request.compartment, account: account)
            return try environment.log.record(
                TrustEvent(.vaultCreated, account: account, []), in: transaction, now: now)
        }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    func find(_ principal: Principal) async throws -> VaultState {
        let account = principal.account
        let (vault, slots) = try await environment.database.read { transaction in
            let store = VaultStore(transaction: transaction)
            return (try store.find(account: account), try store.slots(account: account))
        }
        guard let vault else { throw VaultError.notFound }
        let (pins, state) = try await pins.state(of: account)
        return VaultState(
            created: vault.created, salt: vault.salt, slots: slots, pins: pins, guard: state, limits: .all)
    }

    /// Stores a slot, new or in place of the one that has its id.
    func set(_ id: String, _ request: NewVaultSlot, _ principal: Principal) async throws -> Acknowledgement {
        let account = principal.account
        let slot = VaultSlot(
            id: id, kind: request.kind, sealed: request.sealed, contact: request.contact, wait: request.wait)
        try VaultRules.slot(slot)
        return try await change(account) { transaction, now in
            let store = VaultStore(transaction: transaction)
            guard try store.find(account: account) != nil else { throw VaultError.notFound }
            let isNew = try store.slot(id, account: account) == nil
            guard try !isNew || store.countSlots(account: account) < Limits.vaultSlots else {
                throw VaultError.tooManySlots
            }
            try set(slot, account, in: transaction, now: now)
            return TrustEvent(
                .vaultSlotChanged, account: account, [("kind", .text(slot.kind.rawValue)), ("slot", .text(id))])
        }
    }

    private func set(_ slot: VaultSlot, _ account: String, in transaction: Transaction, now: Int64) throws {
        if let contact = slot.contact {
            guard contact != account, try AccountStore(transaction: transaction).find(id: contact) != nil else {
                throw VaultError.invalidContact
            }
        }
        try VaultStore(transaction: transaction).set(
            StoredVaultSlot(
                id: slot.id, kind: slot.kind, sealed: slot.sealed, created: now, contact: slot.contact, wait: slot.wait,
                asked: nil), account: account)
    }

    func remove(_ id: String, _ principal: Principal) async throws -> Acknowledgement {
        let account = principal.account
        return try await change(account) { transaction, _ in
            let store = VaultStore(transaction: transaction)
            guard let slot = try store.slot(id, account: account) else { throw VaultError.notFound }
            try store.delete(slot: id, account: account)
            return TrustEvent(
                .vaultSlotRemoved, account: account, [("kind", .text(slot.kind.rawValue)), ("slot", .text(id))])
        }
    }

    /// Gives some PIN slots other contents, under fresh guard keys, if no other device has done so since the wallet looked.
    ///
    /// The entry says nothing about which slots, or how many.
    func set(_ request: VaultPINs, _ principal: Principal) async throws -> Acknowledgement {
        let account = principal.account
        try VaultRules.pins(request.pins, all: false)
        try await pins.check(request.enrolment, at: request.revision, account)
        return try await change(account) { transaction, _ in
            guard try VaultStore(transaction: transaction).find(account: account) != nil else {
                throw VaultError.notFound
            }
            return TrustEvent(.vaultSlotChanged, account: account, [("kind", .text("pin"))])
        } then: {
            try await pins.write(request.pins, request.enrolment, at: request.revision, account)
        }
    }

    /// Does something to the ways in: with its entry in the log, and a notice to the owner.
    ///
    /// - Parameter then: done once the entry is durable.
    private func change(
        _ account: String, _ body: @escaping @Sendable (Transaction, Int64) throws -> TrustEvent,
        then: @Sendable () async throws -> Void = {}
    ) async throws -> Acknowledgement {
        let now = environment.now()
        let index = try await environment.database.write { transaction in
            let event = try body(transaction, now)
            try environment.notify(
                .access, account, saying: NotificationDetail(.vaultChanged), in: transaction, now: now)
            return try environment.log.record(event, in: transaction, now: now)
        }
        try await then()
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }

    /// Removes a vault with everything in it and all links to it, for ever.
    func remove(_ principal: Principal) async throws -> Acknowledgement {
        let account = principal.account
        let now = environment.now()
        let (index, contents, shown) = try await environment.database.write { transaction in
            let store = VaultStore(transaction: transaction)
            guard try store.find(account: account) != nil else { throw VaultError.notFound }
            let compartments = VaultCompartmentStore(transaction: transaction)
            var contents: [String] = []
            for id in try compartments.ids(account: account) {
                contents += try VaultContentStore(transaction: transaction).ids(compartment: id)
                try compartments.delete(id)
            }
            let shown = try VaultLinks(environment: environment).forget(account: account, in: transaction)
            try store.delete(account: account)
            try environment.notify(
                .access, account, saying: NotificationDetail(.vaultRemoved), in: transaction, now: now)
            return (
                try environment.log.record(TrustEvent(.vaultRemoved, account: account, []), in: transaction, now: now),
                contents, shown
            )
        }
        try await pins.destroy(account)
        await environment.deleteVaultContents(contents)
        for blob in shown { _ = try? await environment.blobs.delete(blob) }
        return Acknowledgement(receipt: try await environment.log.receipt(index))
    }
}

extension VaultLimits {
    /// What this server allows.
    static let all = VaultLimits(
        compartments: Limits.vaultCompartments, slots: Limits.vaultSlots, quota: Limits.vaultQuota,
        nodes: Limits.vaultNodes, change: Limits.vaultChange, metadata: Limits.vaultMetadata.upperBound,
        sealed: Limits.vaultSealed.upperBound, part: Int(Limits.vaultPart), versions: Limits.vaultVersions,
        versionDays: Int(Limits.vaultVersionTime / 86_400), trashDays: Int(Limits.vaultTrashTime / 86_400),
        uploadHours: Int(Limits.vaultUploadTime / 3_600),
        shredDays: Int((Limits.vaultEpoch + Limits.vaultEpochMemory) / 86_400))
}

extension Environment {
    /// Removes the blobs of contents that no row names any more.
    ///
    /// It ends at the first that cannot be removed: where the store does not answer, each costs half a minute, and somebody
    /// waits. Those that are not reached are found by ``OrphanService``.
    func deleteVaultContents(_ ids: [String]) async {
        for id in ids {
            do { try await blobs.deleteAll(under: VaultContentStore.Stored.folder(id)) } catch { return }
        }
    }
}
