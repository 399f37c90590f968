import Encodings
package import Interface
package import Vault

/// Sharing of one vault with other members of the organisation.
///
/// `Web/vault/recipients.js` and the modules beside it do the same.
package struct VaultSharing: Sendable {
    /// The account's own vault.
    let home: OpenVault
    let server: any VaultSharingServer
    /// This wallet.
    package let sharer: VaultSharer
    /// Refuses a device whose keys the log does not have, with `badReceipt`.
    let vouch: @Sendable (VaultDevice) async throws -> Void
    /// Seconds since 1970.
    let now: @Sendable () -> Int64

    /// Finds somebody who has a vault.
    ///
    /// - Parameter username: exactly theirs; an `@` before it does not count.
    /// - Throws: `nobody`, `noKeys`, `keysNotLogged`.
    package func find(_ username: String) async throws -> VaultPerson {
        try await VaultPerson(try await lookUp(username), vouch: vouch)
    }

    /// Somebody who has a vault, as the server says.
    ///
    /// - Throws: `nobody`.
    func lookUp(_ username: String) async throws -> VaultRecipient {
        let typed = Bytes(text: username).trimmingSpace().text
        do {
            return try await server.vaultRecipient(typed.hasPrefix("@") ? String(typed.dropFirst()) : typed)
        } catch let error as ProblemError where error.problem.status == 404 {
            throw VaultFault.nobody(username)
        }
    }

    // MARK: Members

    /// Somebody who may use a folder of the account.
    package struct Member: Sendable, Equatable {
        /// What the server says of them.
        package let known: VaultMember
        /// Whether the vault remembers that the owner has admitted them; `nil` if it did not keep that then.
        package let isAdmitted: Bool?
    }

    /// Who may use a shared folder of the account, as the server has it.
    ///
    /// The folder need not open for it: others could have broken it.
    ///
    /// - Throws: `notShared`; `notShareable` for a folder of somebody else.
    package func members(of id: NodeID) async throws -> [Member] {
        let share = try await ownShare(id)
        var members: [Member] = []
        for name in try await compartments(of: id) {
            for member in try await ifThere({ try await server.vaultMembers(of: name) }) ?? []
            where !members.contains(where: { $0.known.account == member.account }) {
                members.append(
                    Member(known: member, isAdmitted: share.admitted.map { _ in share.hasAdmitted(member.account) }))
            }
        }
        return members
    }

    /// Lets somebody use a folder of the vault; it becomes a shared one if it is none yet.
    ///
    /// The vault remembers whom, and with which keys: nobody else gets the folder's next key.
    ///
    /// - Returns: the id of the folder, which is another one if it was not shared before.
    /// - Throws: `notShareable`.
    @discardableResult
    package func share(_ id: NodeID, with person: VaultPerson, as role: VaultRole) async throws -> NodeID {
        let folder = try await home.share(id) == nil ? convert(id) : id
        _ = try await ownShare(folder)
        try await admit(person, as: role, to: folder)
        return folder
    }

    /// Seals the present key of a shared folder to somebody's devices, and has the vault remember them.
    func admit(_ person: VaultPerson, as role: VaultRole, to folder: NodeID) async throws {
        guard let key = await home.door(folder), let name = await home.nodeName(folder) else {
            throw VaultFault.notFound("id:\(folder.text)")
        }
        let compartment = try Compartment(key, suite: home.suite)
        let sealed = try VaultGrant.make(compartment, named: name, to: person, as: role, by: sharer, now: now())
        try await server.setVaultMember(
            person.account, of: compartment.id.text, NewVaultMember(role: role, sealed: sealed))
        try await home.mark(folder) { _, share in share.admit(person, as: role) }
    }

    /// Ends somebody's membership, at once.
    ///
    /// The folder need not open for it: others could have broken it.
    ///
    /// - Parameter name: their username, the id of their account, or the name that the list of members shows.
    /// - Returns: whose it was.
    /// - Throws: `noMember`, `notShared`.
    @discardableResult
    package func end(_ id: NodeID, _ name: String) async throws -> VaultMember {
        let member = try await member(name, among: try await members(of: id).map(\.known))
        for compartment in try await compartments(of: id) {
            _ = try await ifThere { try await server.endVaultMember(member.account, of: compartment) }
        }
        if try await ownShare(id).hasAdmitted(member.account) {
            try await home.mark(id) { _, share in share.forget(member.account) }
        }
        return member
    }

    /// The one of the members who is meant.
    package func member(_ name: String, among members: [VaultMember]) async throws -> VaultMember {
        if let found = members.first(where: { $0.account == name }) { return found }
        let named = members.filter { $0.name == name }
        if named.count == 1 { return named[0] }
        // Only the server knows usernames. No key of theirs is needed to end something.
        let account: String?
        do { account = try await lookUp(name).account } catch VaultFault.nobody { account = nil }
        guard let found = members.first(where: { $0.account == account }) else { throw VaultFault.noMember(name) }
        return found
    }

    /// What a shared folder of the account says of its members.
    ///
    /// - Throws: `notShared`; `notShareable` for a folder of somebody else.
    func ownShare(_ id: NodeID) async throws -> FolderShare {
        guard let share = await home.share(id) else {
            throw VaultFault.notShared(await home.item(id)?.path.text ?? id.text)
        }
        if let name = share.ownerName, share.owner != nil {
            throw VaultFault.notShareable("\(name) shares it with you. Only they can share it with others")
        }
        return share
    }

    /// The ids of the compartments behind a folder: the present one, and one that an exchange of keys has not left yet.
    ///
    /// They follow from the keys that the folder keeps: what others have written in it cannot hide them.
    func compartments(of id: NodeID) async throws -> [String] {
        let keys = [await home.door(id), await home.share(id)?.former].compactMap(\.self)
        return try keys.map { try Compartment($0, suite: home.suite).id.text }
    }

    /// Does something with what may be gone by now; `nil` if it is.
    func ifThere<Result: Sendable>(_ act: () async throws -> Result) async throws -> Result? {
        do {
            return try await act()
        } catch let error as ProblemError where error.problem.status == 404 {
            return nil
        }
    }

    // MARK: A folder becomes a shared one

    /// Makes a folder of the vault one that can be shared: everything in it goes into a compartment of its own.
    ///
    /// - Returns: the folder that is there instead.
    private func convert(_ id: NodeID) async throws -> NodeID {
        guard let item = await home.item(id), item.kind == .folder, let name = await home.nodeName(id) else {
            throw VaultFault.notShareable(
                "only folders are shared. Move it into one with 'countersign wallet vault mv', or make a link with --link"
            )
        }
        try await home.checkMovable(id)
        let compartment = try await makeCompartment()
        let inner = try await home.inner(compartment, isShared: true)
        let made = try await home.makePointer(
            name, in: item.parent, to: compartment, FolderShare(), tags: item.tags, mayRepeat: true)
        let inside = await home.children(id)
        if !inside.isEmpty { try await home.handOver(inside, to: inner, through: server) }
        try await home.remove([id])
        return made
    }

    /// Makes an empty compartment at the server, to which only its key leads.
    func makeCompartment() async throws -> Compartment {
        let compartment = try Compartment.random(home.suite)
        try await server.makeVaultCompartment(
            NewVaultCompartment(
                id: compartment.id.text, head: try VaultHead().sealed(of: compartment, suite: home.suite).base64URL))
        return compartment
    }
}

extension OpenVault {
    /// The name of a node that is open.
    func nodeName(_ id: NodeID) -> NodeName? { tree.node(id)?.metadata.name }
}
