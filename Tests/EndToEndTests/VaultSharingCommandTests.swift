import CryptoProvider
import EllipticCurves
import Encodings
import Foundation
import Interface
import NIOCore
import Testing
import Vault

@testable import Wallet
@testable import countersign

extension VaultCommandTests.Scene {
    /// Makes a vault for the owner, and one for Stella, who signs up; gives the place of the second wallet.
    fileprivate func secondVault() async throws -> String {
        _ = try await WalletClient.signUp(cast.place(DemoCast.student), DemoCast.student)
        let stella = cast.path(DemoCast.student)
        #expect(try run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try run(["make", "--recovery-out", folder.path("w2")], wallet: stella).status == 0)
        return stella
    }
}

/// `countersign wallet vault share` against a real server.
extension VaultCommandTests {
    @Test("a folder gets another key: who stays takes it, who was ended does not, and the person is asked")
    func newKeys() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let stella = try await scene.secondVault()
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "Papers/a.txt"], input: "one").status == 0)
        let none = try scene.run(["share", "Papers", "--new-key", "-y"])
        #expect(none.status == 1 && none.errors.contains("is not shared"), "\(none)")
        #expect(try scene.run(["share", "--new-key"]).status == 2)
        #expect(try scene.run(["share", "Papers", "--new-key", "--with", "stella"]).status == 2)
        #expect(try scene.run(["share", "Papers", "--with", "stella", "-y"]).status == 0)
        #expect(try scene.run(["share", "--take", "1", "-y"], wallet: stella).status == 0)

        let asked = try scene.run(["share", "Papers", "--new-key"])
        #expect(asked.status == 2 && asked.errors.contains("--yes"), "\(asked)")
        let given = try scene.run(["share", "Papers", "--new-key", "-y", "--json"])
        let told = try ServerMachine.json(given)
        #expect(told["given"]?.array?.compactMap { $0["name"]?.string?.text } == ["Stella Student"], "\(given)")
        #expect(told["left"] == .array([]))
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"]).output == "one")
        let old = try scene.run(["ls", "Papers"], wallet: stella)
        #expect(old.status == 1 && old.errors.contains("gave it another key"), "\(old)")
        #expect(try scene.run(["share", "--take", "1"], wallet: stella).status == 0)
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"], wallet: stella).output == "one")

        let ended = try scene.run(["share", "Papers", "--end", "stella", "--new-key", "-y"])
        #expect(ended.status == 0 && ended.output.contains("Nobody else has it"), "\(ended)")
        #expect(try scene.run(["ls", "Papers"], wallet: stella).status == 1)
        #expect(try scene.run(["share"], wallet: stella).output.contains("Nobody shares a folder with you"))
        #expect(try scene.run(["get", "Papers/a.txt", "-o", "-"]).output == "one")
    }

    @Test("a member leaves a folder, and its owner deletes it for everybody, each after a yes")
    func ends() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let stella = try await scene.secondVault()
        #expect(try scene.run(["mkdir", "Papers"]).status == 0)
        #expect(try scene.run(["share", "Papers", "--with", "stella", "-y"]).status == 0)
        #expect(try scene.run(["share", "--take", "1", "-y"], wallet: stella).status == 0)
        #expect(try scene.run(["share", "Papers", "--delete", "-y"], wallet: stella).status == 1)
        #expect(try scene.run(["share", "Papers", "--leave", "-y"]).status == 1)
        #expect(try scene.run(["share", "Papers", "--leave"], wallet: stella).status == 2)
        #expect(try scene.run(["share", "Papers", "--leave", "-y"], wallet: stella).status == 0)
        #expect(try scene.run(["ls"], wallet: stella).output.contains("Papers") == false)
        #expect(try scene.run(["share", "Papers"]).output.contains("is shared with nobody"))
        #expect(try scene.run(["share", "Papers", "--delete"]).status == 2)
        let deleted = try scene.run(["share", "Papers", "--delete", "-y", "--json"])
        #expect(try ServerMachine.json(deleted)["ok"] == .bool(true), "\(deleted)")
        #expect(try scene.paths().isEmpty)
    }

    @Test("a caretaker puts a file into an inbox, after comparing whose it is; its owner opens it, and nobody else")
    func gives() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        let stella = try await scene.secondVault()
        try "dear Ragnhild".write(toFile: folder.path("letter.txt"), atomically: true, encoding: .utf8)
        let none = try scene.run(["give", "rector", folder.path("letter.txt"), "-y"], wallet: stella)
        #expect(none.status == 1 && none.errors.contains("caretaker"), "\(none)")

        // What the owner does on the page of their vault.
        let owner = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await owner.openVault()
        let sharing = try await owner.sharing(vault)
        let suite = SwiftCryptoSuite()
        let key = try ECPrivateKey.generate(on: .p256, randomBytes: suite.randomBytes)
        let person = try await sharing.find("stella")
        let inbox = SharedAccess.inbox(key.publicKey.x963, name: try NodeName(Bytes(text: "inbox")))
        let sealed = try VaultGrant.make(
            inbox, of: vault.compartment.id, to: person, as: .caretaker, by: sharing.sharer, now: sharing.now())
        let id = vault.compartment.id.text
        let session = try await owner.session()
        try await session.setVaultMember(person.account, of: id, NewVaultMember(role: .caretaker, sealed: sealed))

        #expect(try scene.run(["share"], wallet: stella).output.contains("vault give 1"))
        let taken = try scene.run(["share", "--take", "1", "-y"], wallet: stella)
        #expect(taken.status == 1 && taken.errors.contains("vault give"), "\(taken)")
        let asked = try scene.run(["give", "rector", folder.path("letter.txt")], wallet: stella)
        #expect(asked.status == 2 && asked.errors.contains(sharing.sharer.print), "\(asked)")
        let given = try scene.run(["give", "rector", folder.path("letter.txt"), "-y", "--json"], wallet: stella)
        let told = try ServerMachine.json(given)
        #expect(given.status == 0 && told["items"]?.array?.count == 1, "\(given)")

        let drops: [VaultDrop] = try await session.list("/api/vault/compartments/\(id)/inbox")
        let drop = try #require(drops.first)
        #expect(drops.count == 1 && drop.senderName == "Stella Student")
        let node = try #require(NodeID(text: drop.id))
        let bytes = try #require(drop.sealed.fromBase64URL)
        let opened = try InboxDrop(bytes, id: node, of: vault.compartment.id, with: key, suite: suite)
        #expect(opened.metadata.name.bytes == Bytes(text: "letter.txt"))
        let content = Guarded(Bytes())
        try await session.vaultContent(try #require(drop.content), from: 0) { buffer in
            content.withValue { $0 += Bytes(buffer: buffer) }
        }
        var (opener, text) = (try opened.version.opener(suite), Bytes())
        try opener.update(content.withValue { $0 }[...], into: &text)
        try opener.finish(into: &text)
        #expect(text == Bytes(text: "dear Ragnhild"))
    }
}
