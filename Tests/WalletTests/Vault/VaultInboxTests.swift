import CryptoProvider
import EllipticCurves
import Encodings
import Interface
import Testing
import Vault

@testable import Wallet

/// What an owner does with their own inbox.
@Suite("An inbox of one's own")
struct VaultInboxTests {
    /// Ada with an inbox, and Bob, the caretaker.
    private struct Scene {
        let ada: PlayedMember
        let bob: PlayedMember
        let people: PlayedPeople

        static func start() async throws -> Scene {
            let ada = try await PlayedMember("ada", "Ada Adams")
            let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
            let people = try #require(ada.sharing.server as? PlayedSharing).people
            try await ada.sharing.addCaretaker(ada.sharing.find("bob"))
            return Scene(ada: ada, bob: bob, people: people)
        }

        @discardableResult
        func give(_ bytes: Bytes, _ name: String) async throws -> NodeID {
            let shared = try await bob.sharing.inbox(of: "ada")
            let inbox = try await bob.sharing.openInbox(shared) { _ in }
            return try await bob.sharing.give(bob.vault.file(bytes), PlayedVault.description(name), to: inbox)
        }
    }

    @Test("what a caretaker has put in is listed, taken into a folder with its content, and out of the inbox")
    func takes() async throws {
        let scene = try await Scene.start()
        let bytes = PlayedVault.content(120_000)
        let id = try await scene.give(bytes, "letter.pdf")
        let sharing = scene.ada.sharing
        let drop = try #require(try await sharing.drops().first)
        #expect(drop.name == (try PlayedVault.name("letter.pdf")) && drop.size == 120_000)
        #expect(drop.known.senderName == "Bob Brown")
        let folder = try await scene.ada.home.makeFolder(PlayedVault.name("Papers"), in: .root)
        let taken = try await sharing.take(drop, into: folder, as: PlayedVault.name("May.pdf"))
        #expect(taken == id)
        #expect(try await scene.ada.paths() == ["Papers", "Papers/May.pdf"])
        #expect(try await scene.ada.vault.read(taken, of: scene.ada.home) == bytes)
        #expect(try await sharing.drops().isEmpty)
        #expect(await scene.people.drops.isEmpty)
    }

    @Test("a name that is there already is refused, and nothing leaves the inbox; a cut ends with the same call")
    func cut() async throws {
        let scene = try await Scene.start()
        try await scene.give([1, 2, 3], "a")
        let sharing = scene.ada.sharing
        let drop = try #require(try await sharing.drops().first)
        try await scene.ada.home.makeFolder(PlayedVault.name("a"), in: .root)
        #expect(await fault { _ = try await sharing.take(drop, into: .root) } == .exists("a"))
        #expect(try await sharing.drops().count == 1)

        let losing = PlayedSharing(
            account: "ada", vaults: scene.ada.vault.server, people: scene.people, losesRemovals: true)
        let cut = VaultSharing(
            home: sharing.home, server: losing, sharer: sharing.sharer, vouch: sharing.vouch, now: sharing.now)
        await #expect(throws: WalletError.self) { try await cut.take(drop, into: .root, as: PlayedVault.name("b")) }
        let again = try #require(try await sharing.drops().first)
        try await sharing.take(again, into: .root, as: PlayedVault.name("b"))
        #expect(try await scene.ada.paths().sorted() == ["a", "b"])
        #expect(await scene.people.drops.isEmpty)
    }

    @Test("what was sealed to another key is shown as something that does not open, is not taken, and can be discarded")
    func foreign() async throws {
        let scene = try await Scene.start()
        let compartment = scene.ada.home.compartment.id
        let suite = scene.ada.home.suite
        let version = try InboxDrop.newVersion(for: compartment, size: 1, now: 1, suite: suite)
        let key = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        let sealed = try InboxDrop(version, name: PlayedVault.name("x"), mediaType: nil)
            .sealed(to: key.publicKey.x963, of: compartment, suite: suite)
        _ = await scene.people.add(
            NewVaultDrop(id: version.node.text, sealed: sealed.base64URL, content: "00"), into: compartment.text)
        let drop = try #require(try await scene.ada.sharing.drops().first)
        #expect(drop.name == nil && drop.size == nil)
        #expect(await fault { _ = try await scene.ada.sharing.take(drop, into: .root) } == .broken)
        try await scene.ada.sharing.discard(drop)
        #expect(try await scene.ada.sharing.drops().isEmpty)
        #expect(await scene.ada.home.list().isEmpty)
    }

    @Test("two devices that make the keys at once have one pair, and what either admits opens on both")
    func keys() async throws {
        let ada = try await PlayedMember("ada", "Ada Adams")
        let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
        let cy = try await PlayedMember("cy", "Cy Clark", with: ada)
        let own = ada.sharing
        let other = VaultSharing(
            home: try await ada.vault.open("other"), server: own.server, sharer: own.sharer, vouch: own.vouch,
            now: own.now)
        try await own.addCaretaker(own.find("bob"))
        // This device has not seen that there are keys.
        try await other.addCaretaker(other.find("cy"))
        for (member, name) in [(bob, "from Bob"), (cy, "from Cy")] {
            let shared = try await member.sharing.inbox(of: "ada")
            let inbox = try await member.sharing.openInbox(shared) { _ in }
            try await member.sharing.give(member.vault.file([8]), PlayedVault.description(name), to: inbox)
        }
        for device in [own, other] {
            let names = try await device.drops().map { $0.name?.bytes.text ?? "closed" }
            #expect(names == ["from Bob", "from Cy"])
        }
        let first = try #require(try await own.caretakers().first)
        try await own.endCaretaker(first)
        #expect(try await own.caretakers().map(\.name) == ["Cy Clark"])
    }
}
