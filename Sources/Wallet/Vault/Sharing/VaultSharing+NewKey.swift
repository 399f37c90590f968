package import Interface
package import Vault

// Another key for a shared folder: one that somebody kept opens nothing more that the server has
// (docs/vault-format.md, "Shares"). `Web/vault/memberships.js` does the same.
extension VaultSharing {
    /// Who has got another key of a folder, and who has not.
    package struct NewKey: Sendable, Equatable {
        /// Those to whom it was sealed.
        package let given: [VaultMember]
        /// Those whom the server lists and who got nothing: the vault does not remember them, or they have no device now
        /// that they had when they were admitted.
        package let left: [VaultMember]
    }

    /// Gives a shared folder of the account another key: everything in it goes over into another compartment, the new key is
    /// sealed to those who stay, and the old compartment is removed.
    ///
    /// Nobody is believed to be a member because the server says so. The key goes to those whom the owner has admitted, in
    /// the role and to the devices that the owner's vault remembers. Contents are not sealed again, so somebody who has kept
    /// the keys of contents could open those contents if they have kept them, too.
    ///
    /// If it is cut off, the folder remembers both keys, and the same call goes on.
    ///
    /// - Parameter agree: asked whether people get the key whom the vault cannot remember, because the folder was shared
    ///   before it did. It is not asked about others.
    /// - Throws: `notShared`; `notShareable` for a folder of somebody else, or if something in it has a lock; `broken` if the
    ///   folder does not open, and then it stays as it is; `contended` if another device is giving it a key;
    ///   `keysNotLogged`.
    @discardableResult
    package func exchangeKey(
        _ id: NodeID, agree: @Sendable ([VaultPerson]) async throws -> Bool
    ) async throws -> NewKey {
        // The key that was left in an exchange before is in the folder alone: first everything comes out of there. Those who
        // had the next key by then may have been ended since, so that one is left, too.
        let before = try await ownShare(id).isBetweenKeys ? finishExchange(id, agree: agree).left : []
        try await beginExchange(id)
        let done = try await finishExchange(id, agree: agree)
        return NewKey(given: done.given, left: before + done.left)
    }

    /// Makes the next compartment, and has the folder stand for it: from here on it has both keys.
    func beginExchange(_ id: NodeID) async throws {
        _ = try await ownShare(id)
        guard let old = await home.door(id) else { throw VaultFault.notFound("id:\(id.text)") }
        // What does not open, or must not go over, cannot: the folder stays as it is then.
        let inside = try await home.inner(Compartment(old, suite: home.suite), isShared: true)
        for top in await inside.children(.root) { try await inside.checkMovable(top) }
        let next = try await makeCompartment()
        do {
            try await home.mark(id) { key, share in
                // Another device's exchange must not lose its key in this one.
                guard key == old, !share.isBetweenKeys else {
                    guard key == next.key else { throw VaultFault.contended }
                    return
                }
                key = next.key
                share.begin(leaving: old)
            }
        } catch VaultFault.contended {
            // No folder stands for it, and nobody else knows its key: nothing would ever remove it.
            _ = try? await server.removeVaultCompartment(next.id.text)
            throw VaultFault.contended
        }
    }

    /// Goes on with an exchange that was begun, to its end.
    ///
    /// - Throws: `broken` if the old compartment is gone with something that this device saw in it.
    func finishExchange(
        _ id: NodeID, agree: @Sendable ([VaultPerson]) async throws -> Bool
    ) async throws -> NewKey {
        let share = try await ownShare(id)
        guard let key = await home.door(id), let old = share.former else {
            throw VaultFault.notFound("id:\(id.text)")
        }
        let former = try Compartment(old, suite: home.suite)
        let target = try await home.inner(Compartment(key, suite: home.suite), isShared: true)
        guard let source = try await ifThere({ try await home.inner(former, isShared: true) }) else {
            // It was cut off after the old compartment was removed, which happens once nothing is in it. Another device
            // may have done that: what this one saw there has gone over under its ids. Else somebody has removed it, and
            // then its key is not forgotten.
            let there = await target.records
            guard try home.folder.seen(former).nodes.allSatisfy({ there[$0] != nil }) else { throw VaultFault.broken }
            try await forget(old, of: id, without: [])
            return NewKey(given: [], left: [])
        }
        try await source.handOver(await source.children(.root), to: target, through: server)
        let listed = try await server.vaultMembers(of: former.id.text)
        let (staying, left) = try await chosen(from: former.id.text, listed, share, agree)
        for one in staying { try await admit(one.person, as: one.role, to: id) }
        for member in listed {
            _ = try await ifThere { try await server.endVaultMember(member.account, of: former.id.text) }
        }
        // Nobody writes there any more: what came while the folder moved is taken, too.
        try await source.refresh()
        try await source.handOver(await source.children(.root), to: target, through: server)
        _ = try await ifThere { try await server.removeVaultCompartment(former.id.text) }
        try await forget(old, of: id, without: left.map(\.account))
        return NewKey(given: staying.map(\.member), left: left)
    }

    /// Has the vault forget the key that a folder had before, and those who did not get the new one.
    private func forget(_ old: VaultSecret, of id: NodeID, without accounts: [String]) async throws {
        try await home.mark(id) { _, share in
            guard share.former == old else { return }
            share.finish(without: accounts)
        }
    }

    /// Somebody who gets the next key.
    private struct Staying {
        let member: VaultMember
        let person: VaultPerson
        let role: VaultRole
    }

    /// Who of those whom the server lists gets the next key.
    private func chosen(
        from old: String, _ listed: [VaultMember], _ share: FolderShare,
        _ agree: @Sendable ([VaultPerson]) async throws -> Bool
    ) async throws -> (staying: [Staying], left: [VaultMember]) {
        var staying: [Staying] = []
        var left: [VaultMember] = []
        for member in listed {
            if let one = try await candidate(member, of: old, share) {
                staying.append(one)
            } else {
                left.append(member)
            }
        }
        guard share.admitted == nil, !staying.isEmpty, try await !agree(staying.map(\.person)) else {
            return (staying, left)
        }
        return ([], left + staying.map(\.member))
    }

    /// Somebody with the devices that may get the next key; `nil` if there is none.
    private func candidate(
        _ member: VaultMember, of old: String, _ share: FolderShare
    ) async throws -> Staying? {
        let admission = share.admission(of: member.account)
        // The vault's word counts. The server's does only where the vault kept nothing, and then the owner is asked.
        let known = share.admitted == nil ? member.role : admission?.role
        // What is sealed here is a folder's key, which no caretaker has.
        guard let role = known, role != .caretaker else { return nil }
        let answer = try await ifThere { try await server.vaultMember(member.account, of: old) }
        guard let said = answer, said.account == member.account else { return nil }
        do {
            let person = try await VaultPerson(said, vouch: vouch)
            guard let admission else { return Staying(member: member, person: person, role: role) }
            return person.only(admission.prints).map { Staying(member: member, person: $0, role: role) }
        } catch VaultFault.noKeys {
            // That keeps the key from nobody else.
            return nil
        }
    }
}
