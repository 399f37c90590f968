import Encodings
package import Interface
package import Vault

/// Somebody else's inbox: a caretaker puts things in, sealed for its owner, and sees nothing of what is there.
package struct ReceivedInbox: Sendable {
    /// Whose it is.
    package let owner: VaultPerson
    /// The owner's compartment that has the inbox.
    let compartment: CompartmentID
    /// What is put in is sealed to this key, as the owner has signed it.
    let key: Bytes
}

// What a caretaker puts into the inboxes of others (docs/vault-format.md, "Shares"). `Web/vault/caretaking.js` does the same.
extension VaultSharing {
    /// The inbox that somebody has made the account a caretaker of, as the server lists it.
    ///
    /// - Parameter name: the number that `received` has it at, counted from 1; the id of the compartment or of their account;
    ///   their name, if one person alone has it; or their username.
    /// - Throws: `noInbox`.
    package func inbox(of name: String) async throws -> SharedVaultCompartment {
        let all = try await received().map(\.shared)
        let number = all.indices.first { String($0 + 1) == name }.map { all[$0] }
        if let number, number.role == .caretaker { return number }
        let inboxes = all.filter { $0.role == .caretaker }
        if let found = inboxes.first(where: { $0.compartment == name || $0.owner == name }) { return found }
        let named = inboxes.filter { $0.ownerName == name }
        if named.count == 1 { return named[0] }
        // Only the server knows usernames. Whose the inbox is gets compared when it is opened.
        let account: String?
        do { account = try await lookUp(name).account } catch VaultFault.nobody { account = nil }
        guard let found = inboxes.first(where: { $0.owner == account }) else { throw VaultFault.noInbox(name) }
        return found
    }

    /// Opens the way into an inbox, after it was compared whose it is.
    ///
    /// - Parameter isThem: asked once for each device, before anything that it has signed is opened; it throws if the
    ///   person says no.
    /// - Throws: `keysNotLogged`, `badGrant`, `otherDevices`; `broken` for what is no inbox.
    package func openInbox(
        _ shared: SharedVaultCompartment, isThem: @Sendable (UnknownDevice) async throws -> Void
    ) async throws -> ReceivedInbox {
        let given = try await openGrant(shared, isThem: isThem)
        // What is for another role opens no inbox: the owner has signed the role.
        guard shared.role == .caretaker, case .inbox(let key, _) = given.access else { throw VaultFault.broken }
        return ReceivedInbox(owner: given.owner, compartment: given.compartment, key: key)
    }

    /// Seals a file for the owner of an inbox, sends it in parts, and puts it in.
    ///
    /// This wallet cannot open it afterwards. If it is cut off, nothing is in the inbox, and the server removes what was sent
    /// within a day.
    ///
    /// - Returns: the id that the file has in the inbox.
    @discardableResult
    package func give(
        _ source: FileSource, _ description: FileDescription, to inbox: ReceivedInbox,
        _ progress: VaultProgress = .none
    ) async throws -> NodeID {
        let version = try InboxDrop.newVersion(
            for: inbox.compartment, size: source.size, now: now() * 1_000, suite: home.suite)
        let drop = InboxDrop(version, name: description.name, mediaType: description.mediaType)
        let sealed = try drop.sealed(to: inbox.key, of: inbox.compartment, suite: home.suite).base64URL
        let content = try await home.send(source, version, to: inbox.compartment, progress)
        let new = NewVaultDrop(id: version.node.text, sealed: sealed, content: content)
        let name = inbox.compartment.text
        do {
            try await home.patiently { try await self.server.putVaultDrop(new, into: name) }
        } catch let error as ProblemError where error.problem.error == "taken" {
            // Nobody else has this random id: it is there, and the answer to an earlier request was lost.
        }
        return version.node
    }
}

extension OpenVault {
    /// Seals a file for somebody else's compartment, and sends it.
    ///
    /// - Returns: the server's name of the content, which nothing uses yet.
    func send(
        _ source: FileSource, _ version: OpenedVersion, to other: CompartmentID, _ progress: VaultProgress
    ) async throws -> String {
        var parts = try SealingParts(version, of: source)
        let upload = try await begin(version, for: other)
        try await send(upload, progress) { _ in try parts.next(Int(upload.part)) }
        return upload.id
    }
}
