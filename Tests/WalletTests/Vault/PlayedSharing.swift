import CryptoProvider
import Encodings
import Interface
import Vault

@testable import Wallet

extension PlayedVaultServer {
    /// Both changes, or neither.
    func handOver(_ handover: VaultHandover) async throws -> VaultHandedOver {
        guard let from = compartments[handover.from], let to = compartments[handover.to] else {
            throw Self.refusal("compartment", 404)
        }
        guard from.sequence == handover.departure.sequence, to.sequence == handover.arrival.sequence else {
            throw Self.refusal("sequence")
        }
        let contents = handover.departure.remove.flatMap { from.nodes[$0]?.versions.map(\.content) ?? [] }
        let departed = try await changeVault(handover.from, handover.departure)
        // The first change lets them go.
        for content in contents { uploads[content]?.isUsed = false }
        return VaultHandedOver(from: departed, to: try await changeVault(handover.to, handover.arrival))
    }
}

/// What all accounts share, in memory: members of compartments, devices, and links.
actor PlayedPeople {
    /// Who has an account, by its id.
    private(set) var people: [String: VaultRecipient] = [:]
    private(set) var usernames: [String: String] = [:]
    /// By compartment, in the order in which they came.
    private(set) var members: [(compartment: String, owner: String, account: String, member: NewVaultMember)] = []
    /// Whose keys the server names instead of a member's.
    private(set) var lies: [String: VaultRecipient] = [:]
    /// What lies in inboxes.
    private(set) var drops: [(compartment: String, drop: NewVaultDrop)] = []
    private(set) var links: [(share: Share, link: NewVaultLink)] = []
    private var forgotten = 0

    func add(_ person: VaultRecipient, username: String) {
        people[person.account] = person
        usernames[username] = person.account
    }

    func set(_ account: String, of compartment: String, owner: String, _ member: NewVaultMember) {
        end(account, of: compartment)
        members.append((compartment, owner, account, member))
    }

    func end(_ account: String, of compartment: String) {
        members.removeAll { $0.account == account && $0.compartment == compartment }
    }

    /// - Returns: whether there is none of that id yet.
    func add(_ drop: NewVaultDrop, into compartment: String) -> Bool {
        guard !drops.contains(where: { $0.drop.id == drop.id }) else { return false }
        drops.append((compartment, drop))
        return true
    }

    func remove(drop id: String) { drops.removeAll { $0.drop.id == id } }

    func lie(_ other: VaultRecipient, inPlaceOf account: String) { lies[account] = other }

    func end(all compartment: String) { members.removeAll { $0.compartment == compartment } }

    func has(_ account: String, in compartment: String) -> Bool {
        members.contains { $0.account == account && $0.compartment == compartment }
    }

    func add(_ link: NewVaultLink) -> Share {
        let share = Share(
            id: "link\(forgotten + links.count)", document: "", created: 0, expires: link.lifetime, views: 0,
            maximumViews: link.maximumViews, stopped: nil)
        links.append((share, link))
        return share
    }

    /// Lists no link any more; new ones have other ids than those before.
    func forgetLinks() {
        forgotten += links.count
        links = []
    }

    func stop(_ id: String) {
        for index in links.indices where links[index].share.id == id { links[index].share.stopped = 1 }
    }
}

/// The same as one account meets it.
struct PlayedSharing: VaultSharingServer {
    let account: String
    let vaults: PlayedVaultServer
    let people: PlayedPeople
    /// Whether the answer to a new link is lost.
    var losesLinks = false
    /// What another device does while a new link is sent.
    var meanwhile: (@Sendable () async throws -> Void)?
    /// Whether the first answer to each new drop is lost.
    var losesDrops = false
    /// Whether nothing can be taken out of an inbox.
    var losesRemovals = false

    private static func missing() -> ProblemError {
        ProblemError(
            problem: ProblemDetails(
                type: "/problems/not-found", title: "Not found", status: 404, detail: "", error: nil))
    }

    func vaultRecipient(_ username: String) async throws -> VaultRecipient {
        guard let id = await people.usernames[username], let person = await people.people[id] else {
            throw Self.missing()
        }
        return person
    }

    func vaultOwner(of compartment: String) async throws -> VaultRecipient {
        let found = await people.members.first { $0.compartment == compartment && $0.account == account }
        guard let member = found, let owner = await people.people[member.owner] else { throw Self.missing() }
        return owner
    }

    func sharedVaults() async throws -> [SharedVaultCompartment] {
        let names = await people.people.mapValues(\.name)
        return await people.members.filter { $0.account == account }.map {
            SharedVaultCompartment(
                compartment: $0.compartment, owner: $0.owner, ownerName: names[$0.owner] ?? "", role: $0.member.role,
                sealed: $0.member.sealed, created: 0)
        }
    }

    func vaultMembers(of compartment: String) async throws -> [VaultMember] {
        let names = await people.people.mapValues(\.name)
        return await people.members.filter { $0.compartment == compartment }.map {
            VaultMember(account: $0.account, name: names[$0.account] ?? "", role: $0.member.role, created: 0)
        }
    }

    func vaultMember(_ account: String, of compartment: String) async throws -> VaultRecipient {
        guard await people.has(account, in: compartment), let person = await people.people[account] else {
            throw Self.missing()
        }
        return await people.lies[account] ?? person
    }

    func setVaultMember(_ account: String, of compartment: String, _ member: NewVaultMember) async throws {
        await people.set(account, of: compartment, owner: self.account, member)
    }

    func endVaultMember(_ account: String, of compartment: String) async throws {
        await people.end(account, of: compartment)
    }

    func makeVaultCompartment(_ compartment: NewVaultCompartment) async throws { await vaults.make(compartment) }

    func removeVaultCompartment(_ compartment: String) async throws {
        await vaults.remove(compartment)
        await people.end(all: compartment)
    }

    func handOverVault(_ handover: VaultHandover) async throws -> VaultHandedOver {
        try await vaults.handOver(handover)
    }

    func putVaultDrop(_ drop: NewVaultDrop, into compartment: String) async throws {
        let isNew = await people.add(drop, into: compartment)
        guard isNew else { throw PlayedVaultServer.refusal("taken") }
        guard !losesDrops else { throw WalletError.unreachable("the test") }
    }

    func vaultDrops(of compartment: String) async throws -> [VaultDrop] {
        await people.drops.filter { $0.compartment == compartment }.map { _, drop in
            VaultDrop(
                id: drop.id, sender: "bob", senderName: "Bob Brown", sealed: drop.sealed, content: drop.content,
                size: nil, created: 0, expires: 0)
        }
    }

    func removeVaultDrop(_ drop: String, of compartment: String) async throws {
        guard !losesRemovals else { throw WalletError.unreachable("the test") }
        await people.remove(drop: drop)
    }

    func makeVaultLink(_ link: NewVaultLink) async throws -> Share {
        try await meanwhile?()
        var share = await people.add(link)
        guard !losesLinks else { throw WalletError.unreachable("the test") }
        share.code = "4711"
        return share
    }

    func vaultLinks() async throws -> [Share] { await people.links.map { $0.share } }
    func stopVaultLink(_ id: String) async throws { await people.stop(id) }
}

/// Somebody with a vault, at a server that all of them use.
struct PlayedMember: Sendable {
    let vault: PlayedVault
    let home: OpenVault
    let sharing: VaultSharing
    let recipient: VaultRecipient

    /// - Parameters:
    ///   - server: of another member, whose vaults are there too.
    ///   - isLogged: whether the log has the keys of the device.
    init(_ account: String, _ name: String, with other: PlayedMember? = nil, isLogged: Bool = true) async throws {
        let vault = try await PlayedVault(at: other?.vault.server)
        let people = (other?.sharing.server as? PlayedSharing)?.people ?? PlayedPeople()
        let (signing, encryption) = (try SigningKey(), try EncryptionKey())
        recipient = VaultRecipient(
            account: account, name: name,
            devices: [
                VaultDevice(
                    id: "device", signingKey: signing.publicKey.x963.base64URL,
                    encryptionKey: encryption.publicKey.x963.base64URL, created: 0,
                    receipt: Receipt(proof: isLogged ? "in the log" : "not in the log"))
            ])
        await people.add(recipient, username: account)
        home = try await vault.open(account)
        self.vault = vault
        sharing = VaultSharing(
            home: home, server: PlayedSharing(account: account, vaults: vault.server, people: people),
            sharer: VaultSharer(
                account: account, audience: "https://sign.example.edu", signingKey: signing, encryptionKey: encryption),
            vouch: { device in
                guard device.receipt.proof == "in the log" else { throw WalletError.badReceipt("the test") }
            }, now: { 1_800_000_000 })
    }

    /// Everything in the vault, with what is in the shared folders at the top.
    func paths(_ path: String = "") async throws -> [String] {
        let place = try await home.place(of: path)
        return await place.vault.everything().map { String(decoding: $0.below(place.above).path, as: UTF8.self) }
    }
}
