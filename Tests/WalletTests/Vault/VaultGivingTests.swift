import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Interface
import Testing
import Vault

@testable import Wallet

/// What a caretaker puts into the inbox of somebody else.
@Suite("Putting things into an inbox")
struct VaultGivingTests {
    /// Ada's inbox, whose caretaker Bob is.
    private struct Scene {
        let ada: PlayedMember
        let bob: PlayedMember
        let people: PlayedPeople
        let key: ECPrivateKey
        /// Ada's own vault, which has the inbox.
        var vault: CompartmentID { ada.home.compartment.id }

        static func start() async throws -> Scene {
            let ada = try await PlayedMember("ada", "Ada Adams")
            let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
            let people = try #require(ada.sharing.server as? PlayedSharing).people
            let suite = SwiftCryptoSuite()
            let key = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
            let scene = Scene(ada: ada, bob: bob, people: people, key: key)
            try await scene.admit(.inbox(key.publicKey.x963, name: PlayedVault.name("inbox")), as: .caretaker)
            return scene
        }

        /// Gives Bob something of Ada's vault, signed by Ada or by another member.
        func admit(_ access: SharedAccess, as role: VaultRole, by signer: PlayedMember? = nil) async throws {
            let sealed = try VaultGrant.make(
                access, of: vault, to: await ada.sharing.find("bob"), as: role, by: (signer ?? ada).sharing.sharer,
                now: 1_800_000_000)
            await people.set("bob", of: vault.text, owner: "ada", NewVaultMember(role: role, sealed: sealed))
        }

        /// What Bob finds behind the way in.
        func inbox() async throws -> ReceivedInbox {
            let shared = try await bob.sharing.inbox(of: "ada")
            return try await bob.sharing.openInbox(shared) { _ in }
        }

        /// How Ada opens what lies there.
        func opened(_ drop: NewVaultDrop) throws -> InboxDrop {
            let id = try #require(NodeID(text: drop.id))
            let sealed = try #require(drop.sealed.fromBase64URL)
            return try InboxDrop(sealed, id: id, of: vault, with: key, suite: SwiftCryptoSuite())
        }

        /// The content of what lies there.
        func content(_ drop: NewVaultDrop) async throws -> Bytes {
            let name = try #require(drop.content)
            let uploads = await ada.vault.server.uploads
            let parts = try #require(uploads[name]).parts
            let sealed = parts.keys.sorted().flatMap { parts[$0] ?? [] }
            var opener = try opened(drop).version.opener(SwiftCryptoSuite())
            var content: Bytes = []
            try opener.update(sealed[...], into: &content)
            try opener.finish(into: &content)
            return content
        }
    }

    @Test("a file of several parts is sealed for the owner alone, who opens its name, type and content")
    func gives() async throws {
        let scene = try await Scene.start()
        let bytes = PlayedVault.content(120_000)
        let description = FileDescription(
            name: try PlayedVault.name("letter.pdf"), mediaType: Bytes(text: "application/pdf"))
        let inbox = try await scene.inbox()
        #expect(inbox.owner.account == "ada")
        let id = try await scene.bob.sharing.give(scene.bob.vault.file(bytes), description, to: inbox)
        let all = await scene.people.drops
        let drop = try #require(all.first)
        #expect(all.count == 1 && drop.compartment == scene.vault.text && drop.drop.id == id.text)
        let opened = try scene.opened(drop.drop)
        #expect(opened.metadata.name == description.name && opened.metadata.mediaType == description.mediaType)
        #expect(opened.metadata.size == 120_000 && opened.metadata.kind == .file)
        #expect(try await scene.content(drop.drop) == bytes)
        // Nothing of it is in Bob's own vault.
        #expect(try await scene.bob.paths().isEmpty)
        #expect(await scene.bob.home.list().isEmpty)
    }

    @Test("whose inbox is found by username, name, account, compartment or number; and no folder is taken for one")
    func found() async throws {
        let scene = try await Scene.start()
        for name in ["ada", "@ada", "Ada Adams", scene.vault.text, "1"] {
            #expect(try await scene.bob.sharing.inbox(of: name).compartment == scene.vault.text, "\(name)")
        }
        for name in ["2", "cy", "Ada"] {
            #expect(await fault { _ = try await scene.bob.sharing.inbox(of: name) } == .noInbox(name), "\(name)")
        }
        try await scene.admit(.compartment(scene.ada.home.compartment.key, name: PlayedVault.name("x")), as: .reader)
        #expect(await fault { _ = try await scene.bob.sharing.inbox(of: "1") } == .noInbox("1"))
        #expect(await fault { _ = try await scene.bob.sharing.inbox(of: "ada") } == .noInbox("ada"))
    }

    @Test("a no to the question whose it is sends nothing")
    func compares() async throws {
        let scene = try await Scene.start()
        let shared = try await scene.bob.sharing.inbox(of: "ada")
        let asked = Guarded<[String]>([])
        let no = await fault {
            _ = try await scene.bob.sharing.openInbox(shared) { device in
                asked.withValue { $0.append(device.print) }
                throw VaultFault.otherPrint(device.name)
            }
        }
        #expect(no == .otherPrint("Ada Adams"))
        #expect(asked.withValue { $0 } == [scene.ada.sharing.sharer.print])
        #expect(await scene.ada.vault.server.uploads.isEmpty)
        #expect(await scene.people.drops.isEmpty)
    }

    @Test("a server cannot put a key of its own in, nor make a folder of an inbox or an inbox of a folder")
    func forged() async throws {
        let scene = try await Scene.start()
        let mallory = try await PlayedMember("mal", "Mallory", with: scene.ada)
        let own = try ECPrivateKey.generate(on: .p256, randomBytes: SwiftCryptoSuite().randomBytes)
        let way = SharedAccess.inbox(own.publicKey.x963, name: try PlayedVault.name("inbox"))
        try await scene.admit(way, as: .caretaker, by: mallory)
        #expect(await fault { _ = try await scene.inbox() } == .badGrant("Ada Adams"))

        // What Ada has signed for a caretaker is a folder's key: nothing is sealed to it.
        let key = scene.ada.home.compartment.key
        try await scene.admit(.compartment(key, name: PlayedVault.name("x")), as: .caretaker)
        #expect(await fault { _ = try await scene.inbox() } == .broken)

        // And an inbox, signed for a reader, is no folder.
        try await scene.admit(way, as: .reader)
        let shared = try #require(try await scene.bob.sharing.received().last?.shared)
        #expect(await fault { _ = try await scene.bob.sharing.open(shared) { _ in } } == .broken)
        #expect(await fault { _ = try await scene.bob.sharing.openInbox(shared) { _ in } } == .broken)
        // A role that the server has changed is not what Ada has signed.
        var changed = shared
        changed.role = .caretaker
        let claimed = changed
        #expect(await fault { _ = try await scene.bob.sharing.openInbox(claimed) { _ in } } == .badGrant("Ada Adams"))
        #expect(await scene.people.drops.isEmpty)
    }

    @Test("an answer that is lost is asked for again, and the file is there once")
    func lost() async throws {
        let scene = try await Scene.start()
        let losing = PlayedSharing(
            account: "bob", vaults: scene.ada.vault.server, people: scene.people, losesDrops: true)
        let own = scene.bob.sharing
        let sharing = VaultSharing(
            home: own.home, server: losing, sharer: own.sharer, vouch: own.vouch, now: own.now)
        let inbox = try await scene.inbox()
        try await sharing.give(scene.bob.vault.file([7]), PlayedVault.description("a"), to: inbox)
        let drops = await scene.people.drops
        let drop = try #require(drops.first).drop
        #expect(drops.count == 1)
        #expect(try await scene.content(drop) == [7])
    }
}
