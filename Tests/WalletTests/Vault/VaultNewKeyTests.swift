import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// A shared folder gets another key: who has it then, and what a server that lies can do about it.
@Suite("Another key for a shared folder")
struct VaultNewKeyTests {
    /// Ada's folder, which Bob may read and Cy may change.
    private struct Scene {
        let ada: PlayedMember
        let bob: PlayedMember
        let cy: PlayedMember
        let people: PlayedPeople
        let folder: NodeID
        let file: NodeID
        /// The key that the folder has at first, and the id of its compartment.
        let old: VaultSecret
        let before: String

        static func start() async throws -> Scene {
            let ada = try await PlayedMember("ada", "Ada Adams")
            let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
            let cy = try await PlayedMember("cy", "Cy Cole", with: ada)
            let people = try #require(ada.sharing.server as? PlayedSharing).people
            let plain = try await ada.home.makeFolder(PlayedVault.name("Papers"), in: .root)
            let inner = try await ada.home.makeFolder(PlayedVault.name("2026"), in: plain)
            let file = try await ada.home.put(
                ada.vault.file([1, 2]), PlayedVault.description("a"), in: inner, replacing: false)
            let folder = try await ada.sharing.share(plain, with: ada.sharing.find("bob"), as: .reader)
            try await ada.sharing.share(folder, with: ada.sharing.find("cy"), as: .writer)
            let old = try #require(await ada.home.door(folder))
            return Scene(
                ada: ada, bob: bob, cy: cy, people: people, folder: folder, file: file, old: old,
                before: try Compartment(old, suite: SwiftCryptoSuite()).id.text)
        }

        /// The id of the compartment that the folder stands for now.
        func now() async throws -> String {
            let key = try #require(await ada.home.door(folder))
            return try Compartment(key, suite: SwiftCryptoSuite()).id.text
        }

        /// The accounts that the server has as members of a compartment.
        func members(of compartment: String) async -> [String] {
            await people.members.filter { $0.compartment == compartment }.map { $0.account }
        }

        /// Exchanges the key; nobody is to be asked about.
        func exchange() async throws -> VaultSharing.NewKey {
            try await ada.sharing.exchangeKey(folder) { people in
                Issue.record("\(people.map(\.name))")
                return true
            }
        }

        /// Has a member open what they are given now, and put it into their vault.
        func take(_ member: PlayedMember) async throws {
            let shared = try #require(try await member.sharing.received().last?.shared)
            let folder = try await member.sharing.open(shared) { _ in }
            try await member.sharing.take(folder, as: PlayedVault.name("Papers"))
        }
    }

    @Test("who stays gets it, in their role; who was ended does not; and everything is there, under the new key alone")
    func exchanges() async throws {
        let scene = try await Scene.start()
        let (ada, folder) = (scene.ada, scene.folder)
        try await scene.take(scene.bob)
        try await scene.take(scene.cy)
        try await ada.sharing.end(folder, "bob")
        let done = try await scene.exchange()
        #expect(done.given.map(\.account) == ["cy"] && done.left.isEmpty)
        let now = try await scene.now()
        #expect(now != scene.before)
        #expect(await ada.vault.server.compartments[scene.before] == nil)
        #expect(try await ada.paths("Papers") == ["Papers/2026", "Papers/2026/a"])
        #expect(try await ada.vault.read(scene.file, of: ada.home.place(of: "Papers").vault) == [1, 2])
        let share = try #require(await ada.home.share(folder))
        #expect(!share.isBetweenKeys && share.admission(of: "cy")?.role == .writer && !share.hasAdmitted("bob"))
        #expect(try await ada.sharing.members(of: folder).map(\.known.account) == ["cy"])

        // The key that Bob has kept leads nowhere, and Cy takes the new one into the folder that is there.
        #expect(await fault { _ = try await scene.bob.home.place(of: "Papers") } == .shareEnded("Ada Adams"))
        #expect(await fault { _ = try await scene.cy.home.place(of: "Papers") } == .shareEnded("Ada Adams"))
        try await scene.take(scene.cy)
        #expect(try await scene.cy.paths() == ["Papers"])
        let place = try await scene.cy.home.place(of: "Papers/2026/a")
        #expect(place.mayWrite)
        #expect(try await scene.cy.vault.read(scene.file, of: place.vault) == [1, 2])
    }

    @Test("somebody whom the server slips in gets no key, nor does an ended member whom it lists again")
    func slippedIn() async throws {
        let scene = try await Scene.start()
        let mallory = try await PlayedMember("mal", "Mallory", with: scene.ada)
        try await scene.ada.sharing.end(scene.folder, "bob")
        for account in ["mal", "bob"] {
            await scene.people.set(
                account, of: scene.before, owner: "ada", NewVaultMember(role: .writer, sealed: ""))
        }
        let done = try await scene.exchange()
        #expect(done.given.map(\.account) == ["cy"])
        #expect(done.left.map(\.account).sorted() == ["bob", "mal"])
        let now = try await scene.now()
        #expect(await scene.members(of: now) == ["cy"])
        #expect(try await mallory.sharing.received().isEmpty)
        let share = try #require(await scene.ada.home.share(scene.folder))
        #expect(!share.hasAdmitted("mal") && !share.hasAdmitted("bob"))
    }

    @Test("a device that the server adds to a member gets nothing, and their role is the one that the vault remembers")
    func slippedDevice() async throws {
        let scene = try await Scene.start()
        let mallory = try await PlayedMember("mal", "Mallory", with: scene.ada)
        let both = VaultRecipient(
            account: "bob", name: "Bob Brown", devices: mallory.recipient.devices + scene.bob.recipient.devices)
        await scene.people.add(both, username: "bob")
        await scene.people.set(
            "bob", of: scene.before, owner: "ada", NewVaultMember(role: .writer, sealed: ""))
        let done = try await scene.exchange()
        #expect(done.given.map(\.account).sorted() == ["bob", "cy"])
        let now = try await scene.now()
        let all = await scene.people.members
        let member = all.first { $0.compartment == now && $0.account == "bob" }?.member
        let given = try #require(member)
        #expect(given.role == .reader)
        #expect(given.sealed.fromBase64URL?[1] == 1, "sealed to one device")
        let (grant, id) = (try VaultGrant(given.sealed), try #require(CompartmentID(text: now)))
        #expect(try grant.open(with: mallory.sharing.sharer.openingKey(), compartment: id) == nil)
        #expect(try grant.open(with: scene.bob.sharing.sharer.openingKey(), compartment: id) != nil)

        // Where only that device is left, nobody gets it.
        await scene.people.add(
            VaultRecipient(account: "bob", name: "Bob Brown", devices: mallory.recipient.devices), username: "bob")
        let next = try await scene.exchange()
        #expect(next.given.map(\.account) == ["cy"] && next.left.map(\.account) == ["bob"])
    }

    @Test("the keys of another account are not taken for those of a member")
    func otherAccount() async throws {
        let scene = try await Scene.start()
        let mallory = try await PlayedMember("mal", "Mallory", with: scene.ada)
        let sharing = try #require(scene.ada.sharing.server as? PlayedSharing)
        await scene.people.lie(mallory.recipient, inPlaceOf: "bob")
        let said = try await sharing.vaultMember("bob", of: scene.before)
        #expect(said.account == "mal")
        let done = try await scene.exchange()
        #expect(done.given.map(\.account) == ["cy"] && done.left.map(\.account) == ["bob"])
        #expect(try await mallory.sharing.received().isEmpty)
    }

    @Test("cut off, the folder has both keys, and the same command goes on; ended members are ended in both")
    func goesOn() async throws {
        let scene = try await Scene.start()
        let (ada, folder) = (scene.ada, scene.folder)
        try await ada.sharing.beginExchange(folder)
        let between = try #require(await ada.home.share(folder))
        #expect(between.isBetweenKeys && between.former == scene.old)
        #expect(try await ada.sharing.members(of: folder).map(\.known.account) == ["bob", "cy"])
        try await ada.sharing.end(folder, "bob")
        // Another device goes on, with what the first has begun.
        let second = VaultSharing(
            home: try await ada.vault.open("ada, second"), server: ada.sharing.server, sharer: ada.sharing.sharer,
            vouch: ada.sharing.vouch, now: ada.sharing.now)
        let middle = try await scene.now()
        let done = try await second.exchangeKey(folder) { _ in true }
        #expect(done.given.map(\.account) == ["cy"] && done.left.isEmpty)
        try await ada.home.refresh()
        #expect(try await scene.now() != middle)
        #expect(await ada.home.share(folder)?.isBetweenKeys == false)
        #expect(await ada.vault.server.compartments[middle] == nil)
        #expect(try await ada.paths("Papers") == ["Papers/2026", "Papers/2026/a"])
    }

    @Test("cut off at the very end it is finished; a server that has removed what was there is found out")
    func gone() async throws {
        let scene = try await Scene.start()
        let (ada, folder, old) = (scene.ada, scene.folder, scene.old)
        // Another device has seen what was there, and not that it went over.
        let second = VaultSharing(
            home: try await ada.vault.open("ada, second"), server: ada.sharing.server, sharer: ada.sharing.sharer,
            vouch: ada.sharing.vouch, now: ada.sharing.now)
        _ = try await second.home.place(of: "Papers")
        _ = try await scene.exchange()
        try await ada.home.mark(folder) { _, share in share.begin(leaving: old) }
        try await second.home.refresh()
        let other = try await second.finishExchange(folder) { _ in true }
        #expect(other.given.isEmpty && other.left.isEmpty)
        #expect(await second.home.share(folder)?.isBetweenKeys == false)
        try await ada.home.refresh()
        try await ada.home.mark(folder) { _, share in share.begin(leaving: old) }
        let done = try await ada.sharing.finishExchange(folder) { _ in true }
        #expect(done.given.isEmpty && done.left.isEmpty)
        let share = try #require(await ada.home.share(folder))
        #expect(!share.isBetweenKeys && share.hasAdmitted("bob") && share.hasAdmitted("cy"))

        let next = try await scene.now()
        try await ada.sharing.beginExchange(folder)
        await ada.vault.server.remove(next)
        #expect(await fault { _ = try await ada.sharing.finishExchange(folder) { _ in true } } == .broken)
        #expect(await ada.home.share(folder)?.isBetweenKeys == true, "its key is not forgotten")
    }

    @Test("a folder that does not open, has a lock in it, is not shared or is somebody else's keeps its key")
    func refused() async throws {
        let scene = try await Scene.start()
        let (ada, folder) = (scene.ada, scene.folder)
        try await scene.take(scene.bob)
        let taken = try #require(await scene.bob.home.list().first)
        let theirs = await fault { _ = try await scene.bob.sharing.exchangeKey(taken.id) { _ in true } }
        #expect(theirs == .notShareable("Ada Adams shares it with you. Only they can share it with others"))
        let plain = try await ada.home.makeFolder(PlayedVault.name("Plain"), in: .root)
        #expect(await fault { _ = try await ada.sharing.exchangeKey(plain) { _ in true } } == .notShared("Plain"))

        let inside = try await ada.home.place(of: "Papers").vault
        let note = try await inside.writeNote([0x41], PlayedVault.name("n"), in: .root, replacing: false)
        let suite = SwiftCryptoSuite()
        try await inside.setLocks([ItemLock(pin: .random(suite), id: .random(suite))], on: note)
        guard case .notShareable? = await fault({ _ = try await scene.exchange() }) else {
            Issue.record("a lock in it")
            return
        }
        await ada.vault.server.set(scene.before, .init(head: "broken"))
        #expect(await fault { _ = try await scene.exchange() } == .broken)
        let share = try #require(await ada.home.share(folder))
        #expect(!share.isBetweenKeys && share.hasAdmitted("bob"))
        #expect(await ada.home.door(folder) == scene.old)
    }

    @Test("two devices at once: the second is refused before it could lose the key of the first")
    func twoDevices() async throws {
        let scene = try await Scene.start()
        let (ada, folder) = (scene.ada, scene.folder)
        let second = VaultSharing(
            home: try await ada.vault.open("ada, second"), server: ada.sharing.server, sharer: ada.sharing.sharer,
            vouch: ada.sharing.vouch, now: ada.sharing.now)
        try await ada.sharing.beginExchange(folder)
        let key = await ada.home.door(folder)
        let names = await ada.vault.server.compartments.keys.sorted()
        #expect(await fault { try await second.beginExchange(folder) } == .contended)
        #expect(await ada.vault.server.compartments.keys.sorted() == names, "what it has made for that is gone")
        try await ada.home.refresh()
        #expect(await ada.home.door(folder) == key)
        #expect(await ada.home.share(folder)?.former == scene.old)
    }

    @Test("where the vault kept no members, the owner is asked about whom the server names", arguments: [true, false])
    func asks(_ yes: Bool) async throws {
        let scene = try await Scene.start()
        let (ada, folder) = (scene.ada, scene.folder)
        var metadata = NodeMetadata(.folder, name: try PlayedVault.name("x"), created: 0)
        metadata[other: FolderShare.name] = .object([])
        let early = try #require(FolderShare(metadata))
        try await ada.home.mark(folder) { _, share in share = early }
        let asked = Guarded<[String]>([])
        let done = try await ada.sharing.exchangeKey(folder) { people in
            asked.withValue { $0 = people.flatMap { $0.devices.map(\.print) } }
            return yes
        }
        let prints = [scene.bob, scene.cy].map { $0.sharing.sharer.print }
        #expect(asked.withValue { $0 } == prints)
        #expect((yes ? done.given : done.left).map(\.account) == ["bob", "cy"])
        let share = try #require(await ada.home.share(folder))
        #expect(share.admitted?.count == (yes ? 2 : 0))
        #expect(share.admission(of: "cy")?.role == (yes ? VaultRole.writer : nil))
    }
}
