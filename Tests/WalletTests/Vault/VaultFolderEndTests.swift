import CryptoProvider
import Encodings
import Interface
import Testing
import Vault

@testable import Wallet

/// A shared folder is deleted for everybody, or left.
@Suite("The end of a shared folder")
struct VaultFolderEndTests {
    /// A folder of Ada's that is in Bob's vault, too, and the id of its compartment.
    private struct Scene {
        let ada: PlayedMember
        let bob: PlayedMember
        let folder: NodeID
        let taken: NodeID
        let compartment: String

        static func start() async throws -> Scene {
            let ada = try await PlayedMember("ada", "Ada Adams")
            let bob = try await PlayedMember("bob", "Bob Brown", with: ada)
            let plain = try await ada.home.makeFolder(PlayedVault.name("Papers"), in: .root)
            try await ada.home.writeNote([0x41], PlayedVault.name("n"), in: plain, replacing: false)
            let folder = try await ada.sharing.share(plain, with: ada.sharing.find("bob"), as: .writer)
            let shared = try #require(try await bob.sharing.received().first?.shared)
            let received = try await bob.sharing.open(shared) { _ in }
            let taken = try await bob.sharing.take(received)
            return Scene(ada: ada, bob: bob, folder: folder, taken: taken, compartment: shared.compartment)
        }
    }

    @Test("its owner deletes it for everybody, also if a member has broken it")
    func deletes() async throws {
        let scene = try await Scene.start()
        await scene.ada.vault.server.set(scene.compartment, .init(head: "broken"))
        try await scene.ada.sharing.delete(scene.folder)
        #expect(await scene.ada.vault.server.compartments[scene.compartment] == nil)
        #expect(try await scene.ada.paths().isEmpty)
        #expect(await fault { _ = try await scene.bob.home.place(of: "Papers") } == .shareEnded("Ada Adams"))
    }

    @Test("in the middle of an exchange of keys both compartments go")
    func deletesBoth() async throws {
        let scene = try await Scene.start()
        try await scene.ada.sharing.beginExchange(scene.folder)
        let names = try await scene.ada.sharing.compartments(of: scene.folder)
        #expect(names.count == 2 && names.contains(scene.compartment))
        try await scene.ada.sharing.delete(scene.folder)
        for name in names { #expect(await scene.ada.vault.server.compartments[name] == nil) }
    }

    @Test("a member leaves it, and its owner keeps it; neither does what is the other's to do")
    func leaves() async throws {
        let scene = try await Scene.start()
        let (ada, bob) = (scene.ada, scene.bob)
        let theirs = await fault { try await bob.sharing.delete(scene.taken) }
        #expect(theirs == .notShareable("Ada Adams shares it with you. Only they can share it with others"))
        #expect(await fault { try await ada.sharing.leave(scene.folder) } == .notShared("Papers"))
        try await bob.sharing.leave(scene.taken)
        #expect(try await bob.paths().isEmpty)
        #expect(try await bob.sharing.received().isEmpty)
        #expect(try await ada.paths("Papers") == ["Papers/n"])
        #expect(try await ada.sharing.members(of: scene.folder).isEmpty)
    }
}
