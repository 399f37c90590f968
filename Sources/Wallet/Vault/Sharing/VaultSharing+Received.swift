import Encodings
package import Interface
package import Vault

/// A folder of somebody else, opened and not in the vault yet.
package struct ReceivedFolder: Sendable {
    /// Whose it is.
    package let owner: VaultPerson
    /// As its owner calls it.
    package let name: NodeName
    let shared: SharedVaultCompartment
    let compartment: Compartment
}

/// A device of somebody else that the vault does not know yet.
package struct UnknownDevice: Sendable {
    /// Whose it is, as the server says.
    package let name: String
    /// Its fingerprint.
    package let print: String
    /// Whether the vault knows another device of somebody with this name.
    package let isOther: Bool
}

// What others share with the account.
extension VaultSharing {
    /// Something that somebody shares with the account.
    package struct Received: Sendable {
        /// As the server lists it.
        package let shared: SharedVaultCompartment
        /// The folder of the vault that stands for it, once it was taken.
        package let folder: NodeID?
    }

    /// What others share with the account, in the server's order.
    package func received() async throws -> [Received] {
        let known = await home.foldersOfOthers()
        return try await server.sharedVaults().map { shared in
            Received(shared: shared, folder: known.first { $0.share.compartment == shared.compartment }?.id)
        }
    }

    /// Opens what somebody shares, after it was compared whose it is.
    ///
    /// - Parameter isThem: asked once for each device, before anything that it has signed is opened; it throws if the
    ///   person says no.
    /// - Throws: `keysNotLogged`, `badGrant`, `otherDevices`, `notShareable` for an inbox.
    package func open(
        _ shared: SharedVaultCompartment, isThem: @Sendable (UnknownDevice) async throws -> Void
    ) async throws -> ReceivedFolder {
        guard shared.role != .caretaker else {
            throw VaultFault.notShareable(
                "this is an inbox. Put things into it with 'countersign wallet vault give PERSON FILE'")
        }
        let given = try await openGrant(shared, isThem: isThem)
        guard case .compartment(let key, let name) = given.access else { throw VaultFault.broken }
        let compartment = try Compartment(key, suite: home.suite)
        // Else they could have given the key of any other folder.
        guard compartment.id == given.compartment else { throw VaultFault.broken }
        return ReceivedFolder(owner: given.owner, name: name, shared: shared, compartment: compartment)
    }

    /// Opens what somebody has given this account, after it was compared whose it is: all that folders and inboxes share.
    ///
    /// - Throws: `keysNotLogged`, `badGrant`, `otherDevices`.
    func openGrant(
        _ shared: SharedVaultCompartment, isThem: @Sendable (UnknownDevice) async throws -> Void
    ) async throws -> (owner: VaultPerson, compartment: CompartmentID, access: SharedAccess) {
        let owner = try await VaultPerson(try await server.vaultOwner(of: shared.compartment), vouch: vouch)
        guard let grant = try? VaultGrant(shared.sealed), let id = CompartmentID(text: shared.compartment) else {
            throw VaultFault.badGrant(owner.name)
        }
        let signer = try grant.signer(of: shared, among: owner, for: sharer)
        try await know(owner, signer.print, isThem)
        let found: SharedAccess?
        do {
            found = try grant.open(with: sharer.openingKey(), compartment: id)
        } catch is VaultError {
            throw VaultFault.badGrant(owner.name)
        }
        guard let access = found else { throw VaultFault.otherDevices(owner.name) }
        return (owner, id, access)
    }

    /// Puts somebody else's folder into the vault, so that it opens on every device of the account.
    ///
    /// One that is there already, or had another key before, is brought up to date where it is.
    ///
    /// - Parameters:
    ///   - folder: where it goes; the top without it.
    ///   - name: how it is called; without it as its owner calls it.
    /// - Throws: `exists` if something is called so there.
    @discardableResult
    package func take(
        _ received: ReceivedFolder, into folder: NodeID = .root, as name: NodeName? = nil
    ) async throws -> NodeID {
        let share = FolderShare(
            of: received.owner, as: received.shared.role, compartment: received.shared.compartment, me: sharer.account)
        let old = await home.foldersOfOthers().first { known in
            known.share.owner == received.owner.account
                && (known.share.compartment == received.shared.compartment || known.name == received.name)
        }
        if let old {
            try await home.mark(old.id) { key, known in
                key = received.compartment.key
                known = share
            }
            return old.id
        }
        return try await home.makePointer(name ?? received.name, in: folder, to: received.compartment, share)
    }

    /// Asks whose a device is unless the vault knows, and remembers it: any server can name a key that its log has.
    private func know(
        _ owner: VaultPerson, _ print: String, _ isThem: @Sendable (UnknownDevice) async throws -> Void
    ) async throws {
        let people = await home.remembered(Self.people)
        if Self.prints(of: owner, in: people).contains(.text(print)) { return }
        // Of this name, whatever account the server says it is.
        let isOther = people?.members?.contains { $0.value["name"] == .text(owner.name) } ?? false
        try await isThem(UnknownDevice(name: owner.name, print: print, isOther: isOther))
        try await home.remember(Self.people) { known in
            let prints = Self.prints(of: owner, in: known) + [.text(print)]
            return (known ?? .object([])).with(
                Bytes(text: owner.account), JSON.members([("name", .text(owner.name)), ("prints", .array(prints))]))
        }
    }

    /// Under which name the vault keeps whom it was compared with: an object by account.
    private static let people = "people"

    /// The fingerprints that were compared with somebody, under the name that they have now.
    private static func prints(of owner: VaultPerson, in people: JSON?) -> [JSON] {
        guard let known = people?[bytes: Bytes(text: owner.account)], known["name"] == .text(owner.name) else {
            return []
        }
        return known["prints"]?.array ?? []
    }
}
