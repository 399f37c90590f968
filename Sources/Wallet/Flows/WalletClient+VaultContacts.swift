import Encodings
package import Interface
import Vault

/// An emergency contact of the account.
package struct VaultContact: Sendable {
    /// What the server has of it.
    package let slot: StoredVaultSlot
    /// Their name, if the vault remembers it.
    package let name: String?
}

// Emergency contacts: they ask, the owner has time to say no, and then they can read. `Web/vault/contacts.js` does the same.
extension WalletClient {
    /// Under which name the vault keeps the names of contacts: an object by slot.
    private static let contactNames = "contacts"

    /// The emergency contacts of the account.
    package func contacts(_ vault: OpenVault) async throws -> [VaultContact] {
        let names = await vault.remembered(Self.contactNames)
        return try await self.vault().slots.filter { $0.kind == .contact }.map { slot in
            VaultContact(slot: slot, name: names?[bytes: Bytes(text: slot.id)]?.string?.text)
        }
    }

    /// Names an emergency contact, to whose devices the vault's key is sealed.
    ///
    /// - Parameter wait: for how many seconds the owner may say no after they have asked; 1 to 30 days.
    package func nameContact(_ person: VaultPerson, wait: Int64, in vault: OpenVault) async throws -> LoggedAct {
        let account = try Self.account(try await self.vault())
        let id = try SlotID.random(suite)
        var sealed: Bytes = []
        for device in person.devices {
            let slot = try ContactSlot(
                for: device.encryptionKey.x963, id: id, of: account, compartment: vault.compartment, suite: suite)
            sealed += slot.bytes
        }
        let name = JSON.text(person.name)
        try await vault.remember(Self.contactNames) { known in
            (known ?? .object([])).with(Bytes(text: id.text), name)
        }
        let acknowledged: Acknowledgement = try await session().put(
            "/api/vault/slots/\(id.text)",
            NewVaultSlot(kind: .contact, sealed: sealed.base64URL, contact: person.account, wait: wait))
        return try await check(acknowledged.receipt, "vault.slot_changed")
    }

    /// Says no to a contact who has asked; the vault need not open for it.
    package func refuseContact(_ slot: String) async throws -> LoggedAct {
        let acknowledged: Acknowledgement = try await session().delete(
            "/api/vault/slots/\(ServerClient.segment(slot))/asked")
        return try await check(acknowledged.receipt, "vault.contact_refused")
    }

    /// The vaults of others whose emergency contact the account is.
    package func contactOf() async throws -> [VaultContactSlot] { try await session().list("/api/vault/contacts") }

    /// Asks for somebody's vault: they are told, and have their time to say no.
    package func askForVault(_ slot: VaultContactSlot) async throws -> LoggedAct {
        let path = try "/api/vault/contacts/\(ServerClient.segment(slot.owner))/\(ServerClient.segment(slot.slot))/ask"
        let acknowledged: Acknowledgement = try await session().post(path, NoMembers())
        return try await check(acknowledged.receipt, "vault.contact_asked")
    }
}
