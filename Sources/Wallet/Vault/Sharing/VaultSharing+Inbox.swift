import CryptoProvider
import EllipticCurves
package import Encodings
package import Interface
package import Vault

/// Something in the account's own inbox.
package struct ReceivedDrop: Sendable {
    /// What the server says of it.
    package let known: VaultDrop
    /// What it is; `nil` for what is not sealed to this inbox, or is no file.
    let drop: InboxDrop?

    /// How it is called; `nil` for what does not open.
    package var name: NodeName? { drop?.metadata.name }
    /// The length of its content in bytes; `nil` for what does not open.
    package var size: UInt64? { drop?.version.size }
    /// Its media type, if its sender said one.
    package var mediaType: Bytes? { drop?.metadata.mediaType }
}

// The account's own inbox (docs/vault-format.md, "Shares"). `Web/vault/inbox.js` does the same.
extension VaultSharing {
    private static let inbox = "inbox"
    private var ownCompartment: String { home.compartment.id.text }

    /// What is in the inbox, the oldest first.
    package func drops() async throws -> [ReceivedDrop] {
        let all = try await server.vaultDrops(of: ownCompartment)
        guard !all.isEmpty else { return [] }
        // Another device may have made the inbox since.
        try await home.refresh()
        let key = try await storedInboxKey()
        return all.map { ReceivedDrop(known: $0, drop: opened($0, with: key)) }
    }

    /// What is in a drop, with its content at the server.
    private func opened(_ known: VaultDrop, with key: ECPrivateKey?) -> InboxDrop? {
        guard let key, let id = NodeID(text: known.id), let sealed = known.sealed.fromBase64URL, known.content != nil
        else { return nil }
        return try? InboxDrop(sealed, id: id, of: home.compartment.id, with: key, suite: home.suite)
    }

    /// Takes something out of the inbox into a folder of the vault, without sealing it again.
    ///
    /// If it is cut off, the file may be in both places: the same call ends it.
    ///
    /// - Parameter name: how it is called there; without it as its sender calls it.
    /// - Throws: `broken` for what does not open; `exists` if something is called so there.
    @discardableResult
    package func take(_ received: ReceivedDrop, into folder: NodeID, as name: NodeName? = nil) async throws -> NodeID {
        guard let drop = received.drop, let content = received.known.content.flatMap({ Hex.decode(Bytes(text: $0)) })
        else { throw VaultFault.broken }
        try await home.adopt(drop, content: content, in: folder, as: name ?? drop.metadata.name)
        // Its content is the vault's by now, and stays.
        try await remove(received)
        return drop.version.node
    }

    /// Destroys something in the inbox.
    package func discard(_ received: ReceivedDrop) async throws { try await remove(received) }

    private func remove(_ received: ReceivedDrop) async throws {
        _ = try await ifThere { try await server.removeVaultDrop(received.known.id, of: ownCompartment) }
    }

    // MARK: Who may put things in

    /// Who may put things into the inbox, as the server has it.
    package func caretakers() async throws -> [VaultMember] {
        try await server.vaultMembers(of: ownCompartment).filter { $0.role == .caretaker }
    }

    /// Lets somebody put things into the inbox, whose keys are made with the first caretaker.
    package func addCaretaker(_ person: VaultPerson) async throws {
        let access = SharedAccess.inbox(
            try await inboxKey().publicKey.x963, name: try NodeName(Bytes(text: Self.inbox)))
        let sealed = try VaultGrant.make(
            access, of: home.compartment.id, to: person, as: .caretaker, by: sharer, now: now())
        try await server.setVaultMember(
            person.account, of: ownCompartment, NewVaultMember(role: .caretaker, sealed: sealed))
    }

    /// Ends that somebody may put things in; what is there stays.
    package func endCaretaker(_ caretaker: VaultMember) async throws {
        _ = try await ifThere { try await server.endVaultMember(caretaker.account, of: ownCompartment) }
    }

    // MARK: The keys

    /// The private key of the inbox; made, and remembered, when it is needed first.
    private func inboxKey() async throws -> ECPrivateKey {
        if let known = try await storedInboxKey() { return known }
        let made: ECPrivateKey
        do { made = try ECPrivateKey.generate(on: .p256, randomBytes: home.suite.randomBytes) } catch {
            throw VaultFault.broken
        }
        let json = JSON.members([
            ("key", .text(made.secretScalar.base64URL)), ("point", .text(made.publicKey.x963.base64URL)),
        ])
        // Another device may have made one since: what was put in is sealed to that.
        try await home.remember(Self.inbox) { $0 ?? json }
        guard let stored = try await storedInboxKey() else { throw VaultFault.broken }
        return stored
    }

    /// The private key that the vault remembers.
    ///
    /// - Throws: `broken` if it is no key, or of another point.
    private func storedInboxKey() async throws -> ECPrivateKey? {
        guard let known = await home.remembered(Self.inbox) else { return nil }
        guard let scalar = known["key"]?.string.flatMap({ Base64.decode($0, .url) }),
            let key = try? ECPrivateKey(.p256, scalar: scalar),
            known["point"] == .text(key.publicKey.x963.base64URL)
        else { throw VaultFault.broken }
        return key
    }
}

extension OpenVault {
    /// Puts a file whose content is at the server already into a folder.
    ///
    /// Nothing that somebody else wrote becomes a folder, a key or a setting here.
    ///
    /// - Throws: `exists` if something is called so there.
    func adopt(_ drop: InboxDrop, content: Bytes, in folder: NodeID, as name: NodeName) async throws {
        try await change { vault in
            let id = drop.version.node
            // An earlier call was cut off behind this.
            if let known = vault.records[id], known.record.versions.contains(where: { $0.id == drop.version.id }) {
                return VaultEdit()
            }
            try vault.checkFree(name, in: folder)
            var metadata = NodeMetadata(
                .file, name: name, created: drop.metadata.created, modified: vault.milliseconds)
            (metadata.size, metadata.mediaType) = (drop.version.size, drop.metadata.mediaType)
            metadata.thumbnail = drop.metadata.thumbnail
            return VaultEdit(
                put: try vault.compartment.make(
                    metadata, in: vault.key(ofFolder: folder), id: id, content: (drop.version, content),
                    suite: vault.suite))
        }
    }
}
