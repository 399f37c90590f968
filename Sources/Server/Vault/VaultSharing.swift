import Encodings
import Interface
import Storage

/// Compartments that others may use, and who they are.
struct VaultSharing: Sendable {
    let environment: Environment

    /// Finds somebody who has a vault, by their exact username.
    func recipient(_ request: VaultRecipientName, _ principal: Principal) async throws -> VaultRecipient {
        let person = try await environment.database.read { transaction in
            guard
                let account = try AccountStore(transaction: transaction).find(username: request.username),
                account.id != principal.account,
                try VaultStore(transaction: transaction).find(account: account.id) != nil
            else { throw VaultError.notFound }
            return account
        }
        return try await keys(of: person)
    }

    /// Who has shared a compartment with the account: their keys tell who has signed what was sealed.
    func owner(of id: String, _ principal: Principal) async throws -> VaultRecipient {
        let person = try await environment.database.read { transaction in
            guard let member = try VaultMemberStore(transaction: transaction).find(principal.account, in: id),
                let account = try AccountStore(transaction: transaction).find(id: member.owner)
            else { throw VaultError.notFound }
            return account
        }
        return try await keys(of: person)
    }

    /// A member of the account's compartment, to whom its next key is to be sealed.
    func member(_ account: String, of id: String, _ principal: Principal) async throws -> VaultRecipient {
        let now = environment.now()
        let person = try await environment.database.read { transaction in
            _ = try VaultCompartmentStore(transaction: transaction).require(id, .own, for: principal.account, now: now)
            guard try VaultMemberStore(transaction: transaction).find(account, in: id) != nil,
                let person = try AccountStore(transaction: transaction).find(id: account)
            else { throw VaultError.notFound }
            return person
        }
        return try await keys(of: person)
    }

    /// The keys of a person's devices, each with the receipt of its entry in the log.
    private func keys(of person: Account) async throws -> VaultRecipient {
        let (devices, entries) = try await environment.database.read { transaction in
            let devices = try DeviceStore(transaction: transaction).list(account: person.id)
                .filter { $0.revoked == nil }
            let entries = try environment.log.records(
                of: .deviceEnrolled, account: person.id, limit: Limits.listing, in: transaction)
            return (Array(devices.suffix(Limits.vaultDevices).reversed()), entries)
        }
        // What the log does not have is not handed out: nobody could check it.
        let logged = devices.compactMap { device in
            entries.first { $0.record.contains("\"signing_key\":\"\(device.signingKey)\"") }
                .map { (device, $0.position) }
        }
        let receipts = try await environment.log.receipts(logged.map(\.1))
        return VaultRecipient(
            account: person.id, name: person.name,
            devices: logged.compactMap { device, position in
                receipts[position].map {
                    VaultDevice(
                        id: device.id, signingKey: device.signingKey, encryptionKey: device.encryptionKey,
                        created: device.created, receipt: $0)
                }
            })
    }

    /// Lets an account use a compartment, or changes what it may.
    func set(
        _ account: String, in id: String, _ request: NewVaultMember, _ principal: Principal
    ) async throws -> VaultMember {
        try VaultRules.bytes(request.sealed, Limits.vaultMemberSealed, "sealed")
        let now = environment.now()
        return try await environment.database.write { transaction in
            let compartment = try VaultCompartmentStore(transaction: transaction).require(
                id, .own, for: principal.account, now: now)
            guard account != principal.account,
                let found = try AccountStore(transaction: transaction).find(id: account),
                try VaultStore(transaction: transaction).find(account: account) != nil
            else { throw VaultError.notFound }
            let store = VaultMemberStore(transaction: transaction)
            let members = try store.list(compartment: id)
            guard members.count < Limits.vaultMembers || members.contains(where: { $0.account == account }) else {
                throw VaultError.tooManyMembers
            }
            try store.set(
                VaultMemberStore.Stored(
                    compartment: id, account: account, owner: compartment.account, role: request.role,
                    sealed: request.sealed, created: now))
            return VaultMember(account: account, name: found.name, role: request.role, created: now)
        }
    }

    /// Ends a membership: the owner does, or the member.
    func remove(_ account: String, in id: String, _ principal: Principal) async throws {
        let now = environment.now()
        try await environment.database.write { transaction in
            let store = VaultMemberStore(transaction: transaction)
            guard try store.find(account, in: id) != nil else { throw VaultError.notFound }
            if account != principal.account {
                _ = try VaultCompartmentStore(transaction: transaction).require(
                    id, .own, for: principal.account, now: now)
            }
            try store.delete(account, in: id)
        }
    }

    /// Who may use a compartment of the account's.
    func members(of id: String, _ principal: Principal) async throws -> [VaultMember] {
        let now = environment.now()
        return try await environment.database.read { transaction in
            _ = try VaultCompartmentStore(transaction: transaction).require(id, .own, for: principal.account, now: now)
            let members = try VaultMemberStore(transaction: transaction).list(compartment: id)
            let people = try AccountStore(transaction: transaction).find(ids: members.map(\.account))
            return members.map {
                VaultMember(
                    account: $0.account, name: people[$0.account]?.name ?? "", role: $0.role, created: $0.created)
            }
        }
    }

    /// The compartments of others that one may use.
    func shared(_ principal: Principal, _ request: ListRequest) async throws -> Listing<SharedVaultCompartment> {
        try await environment.database.read { transaction in
            let (shared, next) = try VaultMemberStore(transaction: transaction).page(
                account: principal.account, request)
            let people = try AccountStore(transaction: transaction).find(ids: shared.map(\.owner))
            let rows = shared.map {
                SharedVaultCompartment(
                    compartment: $0.compartment, owner: $0.owner, ownerName: people[$0.owner]?.name ?? "",
                    role: $0.role, sealed: $0.sealed, created: $0.created)
            }
            return Listing(rows, next: next?.text)
        }
    }
}

/// Links that show something of a vault to anybody who has link and code: links to documents with other contents.
struct VaultLinks: Sendable {
    let environment: Environment
    private var shares: ShareService { ShareService(environment: environment) }

    func create(_ request: NewVaultLink, _ principal: Principal) async throws -> Share {
        guard !request.keyCheck.isEmpty else { throw VaultError.invalidText("key_check") }
        guard Limits.vaultLinkTime.contains(request.lifetime) else { throw VaultError.invalidLifetime }
        let now = environment.now()
        let sealed = ShareService.Sealed(
            sealed: request.sealed, lifetime: request.lifetime, maximumViews: request.maximumViews,
            keyCheck: request.keyCheck)
        return try await shares.make(sealed, principal) { transaction in
            guard try VaultStore(transaction: transaction).find(account: principal.account) != nil else {
                throw VaultError.notFound
            }
            let open = try VaultLinkStore(transaction: transaction).countOpen(account: principal.account, now: now)
            guard open < Limits.vaultLinks else { throw VaultError.tooManyLinks }
        } claim: { id, transaction in
            try VaultLinkStore(transaction: transaction).insert(
                share: id, account: principal.account, created: environment.now())
        }
    }

    /// One page of the account's, the newest first.
    func list(_ principal: Principal, _ request: ListRequest) async throws -> Listing<Share> {
        try await environment.database.read { transaction in
            let (ids, next) = try VaultLinkStore(transaction: transaction).page(account: principal.account, request)
            let found = try shares.find(ids, in: transaction).map { ($0.share.id, $0.share) }
            let shares = Dictionary(found) { first, _ in first }
            return Listing(ids.compactMap { shares[$0] }, next: next?.text)
        }
    }

    /// Deletes all links of an account: its vault goes.
    ///
    /// - Returns: their blobs, to be deleted after the commit.
    func forget(account: String, in transaction: Transaction) throws -> [String] {
        try shares.delete(try VaultLinkStore(transaction: transaction).all(account: account), in: transaction)
    }

    func stop(_ id: String, _ principal: Principal) async throws {
        let isOwn = try await environment.database.read {
            try VaultLinkStore(transaction: $0).has(id, account: principal.account)
        }
        guard isOwn else { throw VaultError.notFound }
        try await shares.stop(id, principal)
    }
}
