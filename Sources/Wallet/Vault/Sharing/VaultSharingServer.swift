package import Interface

/// What sharing asks of a server: a real one over HTTP, or one that a test plays.
package protocol VaultSharingServer: Sendable {
    /// Somebody who has a vault, with the keys of their devices.
    func vaultRecipient(_ username: String) async throws -> VaultRecipient
    /// Who has shared a compartment with the account, with the keys of their devices.
    func vaultOwner(of compartment: String) async throws -> VaultRecipient
    /// Compartments of others that the account may use.
    func sharedVaults() async throws -> [SharedVaultCompartment]
    /// Who may use a compartment of the account.
    func vaultMembers(of compartment: String) async throws -> [VaultMember]
    /// A member of a compartment of the account, with the keys of their devices.
    func vaultMember(_ account: String, of compartment: String) async throws -> VaultRecipient
    /// Lets somebody use a compartment.
    func setVaultMember(_ account: String, of compartment: String, _ member: NewVaultMember) async throws
    /// Ends a membership.
    func endVaultMember(_ account: String, of compartment: String) async throws
    /// Makes a compartment.
    func makeVaultCompartment(_ compartment: NewVaultCompartment) async throws
    /// Removes a compartment of the account with everything in it.
    func removeVaultCompartment(_ compartment: String) async throws
    /// Takes items from one compartment of the account to another: all of it, or nothing.
    func handOverVault(_ handover: VaultHandover) async throws -> VaultHandedOver
    /// Puts something into the inbox of somebody else's compartment.
    func putVaultDrop(_ drop: NewVaultDrop, into compartment: String) async throws
    /// What is in the inbox of a compartment of the account.
    func vaultDrops(of compartment: String) async throws -> [VaultDrop]
    /// Takes something out of an inbox of the account; its content stays if a version has it.
    func removeVaultDrop(_ drop: String, of compartment: String) async throws
    /// Makes a link; its code is in this answer only.
    func makeVaultLink(_ link: NewVaultLink) async throws -> Share
    /// The account's links to things of its vault.
    func vaultLinks() async throws -> [Share]
    /// Stops a link.
    func stopVaultLink(_ id: String) async throws
}

extension ServerClient: VaultSharingServer {
    package func vaultRecipient(_ username: String) async throws -> VaultRecipient {
        try await post("/api/vault/recipients", VaultRecipientName(username: username))
    }

    package func vaultOwner(of compartment: String) async throws -> VaultRecipient {
        try await get("/api/vault/shared/\(Self.segment(compartment))/owner")
    }

    package func sharedVaults() async throws -> [SharedVaultCompartment] { try await list("/api/vault/shared") }

    package func vaultMembers(of compartment: String) async throws -> [VaultMember] {
        try await list("/api/vault/compartments/\(Self.segment(compartment))/members")
    }

    package func vaultMember(_ account: String, of compartment: String) async throws -> VaultRecipient {
        try await get(try Self.memberPath(account, compartment))
    }

    package func setVaultMember(_ account: String, of compartment: String, _ member: NewVaultMember) async throws {
        let path = try Self.memberPath(account, compartment)
        let _: VaultMember = try await put(path, member)
    }

    package func endVaultMember(_ account: String, of compartment: String) async throws {
        try await delete(try Self.memberPath(account, compartment))
    }

    package func makeVaultCompartment(_ compartment: NewVaultCompartment) async throws {
        try await postNothing("/api/vault/compartments", compartment)
    }

    package func removeVaultCompartment(_ compartment: String) async throws {
        try await delete("/api/vault/compartments/\(Self.segment(compartment))")
    }

    package func handOverVault(_ handover: VaultHandover) async throws -> VaultHandedOver {
        try await post("/api/vault/handovers", handover)
    }

    package func putVaultDrop(_ drop: NewVaultDrop, into compartment: String) async throws {
        try await postNothing("/api/vault/compartments/\(Self.segment(compartment))/inbox", drop)
    }

    package func vaultDrops(of compartment: String) async throws -> [VaultDrop] {
        try await list("/api/vault/compartments/\(Self.segment(compartment))/inbox")
    }

    package func removeVaultDrop(_ drop: String, of compartment: String) async throws {
        try await delete("/api/vault/compartments/\(Self.segment(compartment))/inbox/\(Self.segment(drop))")
    }

    package func makeVaultLink(_ link: NewVaultLink) async throws -> Share {
        try await post("/api/vault/links", link)
    }

    package func vaultLinks() async throws -> [Share] { try await list("/api/vault/links") }

    package func stopVaultLink(_ id: String) async throws {
        try await delete("/api/vault/links/\(Self.segment(id))")
    }

    private static func memberPath(_ account: String, _ compartment: String) throws -> String {
        try "/api/vault/compartments/\(segment(compartment))/members/\(segment(account))"
    }
}
