import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// `countersign wallet vault contacts` and `slots shares` against a real server.
extension VaultCommandTests {
    @Test("a contact is named and asks, the owner says no without opening the vault, and removes them")
    func contacts() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        _ = try await WalletClient.signUp(scene.cast.place(DemoCast.student), DemoCast.student)
        let stella = scene.cast.path(DemoCast.student)
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["make", "--recovery-out", folder.path("w2")], wallet: stella).status == 0)
        #expect(try scene.run(["contacts"]).output.contains("no emergency contact"))
        #expect(try scene.run(["contacts", "refuse"]).status == 1)
        #expect(try scene.run(["contacts", "name", "stella", "--wait", "31", "-y"]).status != 0)
        let asked = try scene.run(["contacts", "name", "stella"])
        #expect(asked.status == 2 && asked.errors.contains("--yes"), "\(asked)")
        #expect(try scene.run(["contacts", "name", "nobody", "-y"]).status == 1)
        let named = try scene.run(["contacts", "name", "stella", "--wait", "3", "-y", "--json"])
        #expect(named.status == 0 && named.output.contains("vault.slot_changed"), "\(named)")
        let own = try ServerMachine.json(scene.run(["contacts", "--json"]))["items"]?.array?.first
        #expect(own?["name"] == .text("Stella Student") && own?["wait"] == .integer(3 * 86_400))
        #expect(own?["asked"] == nil)

        let other = try ServerMachine.json(scene.run(["contacts", "--json"], wallet: stella))["vaults"]?.array?.first
        let owner = try #require(other?["name"]?.string?.text)
        #expect(other?["open"] == .bool(false))
        #expect(try scene.run(["contacts", "ask", "nobody", "-y"], wallet: stella).status == 1)
        let ask = try scene.run(["contacts", "ask", owner, "-y", "--json"], wallet: stella)
        #expect(ask.status == 0 && ask.output.contains("vault.contact_asked"), "\(ask)")
        #expect(try scene.run(["contacts", "ask", owner, "-y"], wallet: stella).status != 0)
        #expect(try scene.run(["contacts"]).output.contains("asked on"))
        // A wallet that does not open the vault says no all the same.
        let locked = folder.path("locked")
        try FileManager.default.copyItem(atPath: scene.cast.path(DemoCast.owner), toPath: locked)
        try FileManager.default.copyItem(
            atPath: scene.cast.path(DemoCast.owner) + ".session", toPath: locked + ".session")
        var unlocked = try await WalletFile(path: locked).unlock(passphrase: DemoCast.passphrase) { _ in }
        try unlocked.update { _, secrets in secrets.vault = nil }
        #expect(try scene.run(["ls"], wallet: locked).status == 1)
        let refused = try scene.run(["contacts", "refuse", "--json"], wallet: locked)
        #expect(refused.status == 0 && refused.output.contains("vault.contact_refused"), "\(refused)")
        #expect(try scene.run(["contacts"]).output.contains("asked on") == false)

        #expect(try scene.run(["contacts", "remove", "Stella Student"]).status == 2)
        #expect(try scene.run(["contacts", "remove", "Stella Student", "-y"]).status == 0)
        #expect(try scene.run(["contacts", "remove", "Stella Student", "-y"]).status == 1)
        #expect(try scene.run(["contacts", "ask", owner, "-y"], wallet: stella).status == 1)
    }

    @Test("any two of three shares open the vault, one does not, and new ones make the old ones worthless")
    func recoveryShares() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one").status == 0)
        let made = try scene.run(["slots", "shares", "--out", folder.path("shares"), "--json"])
        #expect(made.status == 0 && made.output.contains("vault.slot_changed"), "\(made)")
        let shares = try folder.text("shares").split(separator: "\n").map(String.init)
        #expect(shares.count == 3)
        func open(_ lines: [String]) throws -> Program.Outcome {
            let file = folder.path("typed")
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            return try scene.run(["get", "a.txt", "-o", "-", "--shares-file", file])
        }
        for pair in [[0, 1], [2, 0], [1, 2]] {
            let opened = try open(pair.map { shares[$0] })
            #expect(opened.output == "one", "\(opened)")
        }
        #expect(try open([shares[0].lowercased(), shares[1].replacingOccurrences(of: " ", with: "-")]).output == "one")
        let twice = try open([shares[0], shares[0]])
        #expect(twice.status == 1 && twice.errors.contains("two different ones"), "\(twice)")
        #expect(try open([shares[0]]).status == 2)
        // A file that is there is not written over, and no option is named that the command does not have.
        let there = try scene.run(["slots", "shares", "--out", folder.path("shares")])
        #expect(there.status == 2 && there.errors.contains("never writes over a file"), "\(there)")
        #expect(!there.errors.contains("--force"), "\(there)")
        #expect(try open([shares[0], shares[1]]).output == "one")
        #expect(try scene.run(["slots", "shares", "--out", folder.path("shares2")]).status == 0)
        let old = try open([shares[0], shares[1]])
        #expect(old.status == 1 && old.errors.contains("replaced by newer ones"), "\(old)")
        let newer = try folder.text("shares2").split(separator: "\n").map(String.init)
        #expect(try open([newer[2], newer[0]]).output == "one")
        let slots = try ServerMachine.json(scene.run(["slots", "--json"]))["slots"]?.array ?? []
        #expect(slots.filter { $0["kind"] == .text("share") }.count == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path("shares2.unconfirmed")))
    }

    @Test("shares that the server refuses leave no file, and the person is told")
    func refusedShares() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("words")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await client.openVault()
        let state = try await client.vault()
        for _ in state.slots.count..<state.limits.slots { _ = try await client.addDeviceSlot(vault) }
        let refused = try scene.run(["slots", "shares", "--out", folder.path("shares")])
        #expect(refused.status == 1 && refused.errors.contains("Remove one first"), "\(refused)")
        #expect(refused.errors.contains("was not written"), "\(refused)")
        for name in ["shares", "shares.unconfirmed"] {
            #expect(!FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
        }
        let full = try await client.vault().slots
        let added = try #require(full.last { $0.kind == .device })
        #expect(try scene.run(["slots", "remove", added.id, "-y"]).status == 0)
        #expect(try scene.run(["slots", "shares", "--out", folder.path("shares")]).status == 0)
        #expect(try folder.text("shares").split(separator: "\n").count == 3)
    }

    @Test("shares are in a file beside theirs until the server has them, and stay there if nobody knows")
    func sharesPlace() throws {
        let folder = try TemporaryFolder()
        let place = RecoverySecretPlace(.shares, path: folder.path("shares"))
        let pending = folder.path("shares.unconfirmed")
        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        let shares = [Bytes(text: "one"), Bytes(text: "two"), Bytes(text: "three")]
        try place.write(shares)
        #expect(isThere(pending) && !isThere(folder.path("shares")))
        try place.settle(.unknown)
        #expect(try folder.text("shares.unconfirmed") == "one\ntwo\nthree\n")
        // What may open the vault is not written over.
        #expect(throws: CommandError.self) { try place.write(shares) }
        try place.settle(.notStored)
        #expect(!isThere(pending) && !isThere(folder.path("shares")))
        try place.write(shares)
        try place.settle(.stored)
        #expect(!isThere(pending))
        #expect(try folder.text("shares") == "one\ntwo\nthree\n")
        #expect(throws: CommandError.self) { try place.write(shares) }
        // Something else has taken the name meanwhile: the shares stay where they are.
        try FileManager.default.removeItem(atPath: folder.path("shares"))
        try place.write(shares)
        try "other".write(toFile: folder.path("shares"), atomically: true, encoding: .utf8)
        #expect(throws: CommandError.self) { try place.settle(.stored) }
        #expect(isThere(pending))
        #expect(try folder.text("shares") == "other")
    }
}
