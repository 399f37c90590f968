import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// The files of `countersign wallet vault make --recovery-out` and `slots recovery --out` against a real server.
extension VaultCommandTests {
    @Test("words of a vault that the server does not make leave no file, and the person is told")
    func wordsWithoutVault() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }
        // A file where the server keeps what guards PINs: it can make no vault.
        let guards = folder.path("server/vault-guards")
        if FileManager.default.fileExists(atPath: guards) { try FileManager.default.removeItem(atPath: guards) }
        try "no folder".write(toFile: guards, atomically: true, encoding: .utf8)
        let refused = try scene.run(["make", "--recovery-out", folder.path("words")])
        #expect(refused.status != 0 && refused.errors.contains("was not written"), "\(refused)")
        #expect(!isThere("words") && !isThere("words.unconfirmed"))
        try FileManager.default.removeItem(atPath: guards)
        let made = try scene.run(["make", "--recovery-out", folder.path("words")])
        #expect(made.status == 0, "\(made)")
        #expect(isThere("words") && !isThere("words.unconfirmed"))
    }

    @Test("words are removed if another device makes the vault while they are written down")
    func wordsOfLaterVault() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        let place = RecoverySecretPlace(.words, path: folder.path("words"))
        let pending = folder.path("words.unconfirmed")
        let client = try await scene.cast.unlock(DemoCast.owner)
        let other = try await scene.cast.unlock(DemoCast.owner)
        await #expect(throws: ProblemError.self) {
            _ = try await client.makeVault { words in
                try place.write([words])
                #expect(FileManager.default.fileExists(atPath: pending))
                _ = try await other.makeVault { _ in
                } settled: { _ in
                }
            } settled: { outcome in
                try place.settle(outcome)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: pending))
        #expect(!FileManager.default.fileExists(atPath: folder.path("words")))
        #expect(try scene.run(["ls"]).status == 0)
    }

    @Test("a vault is whole even if its words cannot be put where they belong, and they stay beside")
    func wordsWithoutPlace() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        let path = folder.path("words")
        let place = RecoverySecretPlace(.words, path: path)
        let client = try await scene.cast.unlock(DemoCast.owner)
        await #expect(throws: CommandError.self) {
            _ = try await client.makeVault { words in
                try place.write([words])
                try "other".write(toFile: path, atomically: true, encoding: .utf8)
            } settled: { outcome in
                try place.settle(outcome)
            }
        }
        #expect(try folder.text("words") == "other")
        #expect(try folder.text("words.unconfirmed").split(separator: " ").count == 24)
        // Only a vault with its settings takes a PIN.
        try "194753".write(toFile: folder.path("pin"), atomically: true, encoding: .utf8)
        let set = try scene.run(["slots", "pin", "set", "--new-pin-file", folder.path("pin")])
        #expect(set.status == 0, "\(set)")
    }

    @Test("a new recovery key opens the vault and the old one does not; one for a file that is there changes nothing")
    func newRecoveryKey() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        func open(_ words: String) throws -> Program.Outcome {
            try scene.run(["get", "a.txt", "-o", "-", "--recovery-file", folder.path(words)])
        }
        let help = try scene.local(["slots", "recovery", "--help"])
        #expect(help.status == 0 && help.output.contains("--out") && help.output.contains("--json"), "\(help)")
        #expect(try scene.run(["slots", "recovery", "--out", folder.path("none")]).status == 1)
        #expect(try scene.run(["make", "--recovery-out", folder.path("first")]).status == 0)
        #expect(try scene.run(["put", "-", "--to", "a.txt"], input: "one").status == 0)
        let made = try scene.run(["slots", "recovery", "--out", folder.path("second"), "--json"])
        #expect(made.status == 0 && made.output.contains("vault.slot_changed"), "\(made)")
        #expect(try folder.text("second").split(separator: " ").count == 24)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("second"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try open("second").output == "one")
        let old = try open("first")
        #expect(old.status == 1 && old.errors.contains("was replaced by a newer one"), "\(old)")

        let client = try await scene.cast.unlock(DemoCast.owner)
        func logged() async throws -> [String] {
            try await client.checkLog().acts.map(\.type).filter { $0.hasPrefix("vault.") }
        }
        #expect(try await logged() == ["vault.created", "vault.slot_changed", "vault.slot_removed"])
        let before = try await client.vault().slots
        #expect(before.map(\.kind.rawValue).sorted() == ["device", "recovery"])
        let words = try folder.text("second")
        for out in [["--out", folder.path("second")], []] {
            let refused = try scene.run(["slots", "recovery"] + out)
            #expect(refused.status == 2 && refused.errors.contains("--out"), "\(refused)")
        }
        #expect(try folder.text("second") == words)
        #expect(try await client.vault().slots == before)
        #expect(try await logged().count == 3)

        // The old words are enough for new ones, and these replace them.
        let by = ["slots", "recovery", "--recovery-file", folder.path("second"), "--out", folder.path("third")]
        #expect(try scene.run(by).status == 0)
        #expect(try open("second").status == 1)
        #expect(try open("third").output == "one")
        #expect(!FileManager.default.fileExists(atPath: folder.path("third.unconfirmed")))
    }

    @Test("the old recovery key stays where the server refuses the new one, and no file is left")
    func refusedRecoveryKey() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("first")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await client.openVault()
        let state = try await client.vault()
        for _ in state.slots.count..<state.limits.slots { _ = try await client.addDeviceSlot(vault) }
        let refused = try scene.run(["slots", "recovery", "--out", folder.path("second")])
        #expect(refused.status == 1 && refused.errors.contains("Remove one first"), "\(refused)")
        #expect(refused.errors.contains("was not written"), "\(refused)")
        for name in ["second", "second.unconfirmed"] {
            #expect(!FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
        }
        #expect(try scene.run(["ls", "--recovery-file", folder.path("first")]).status == 0)
    }

    @Test("if the server goes away before the old recovery key is removed, both open the vault, and the person is told")
    func oldRecoveryKeyStays() async throws {
        let scene = try await Scene.start()
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("first")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await client.openVault()
        let slots = try await client.vault().slots
        let old = try #require(slots.first { $0.kind == .recovery }?.id)
        let place = RecoverySecretPlace(.newWords, path: folder.path("second"))
        nonisolated(unsafe) let server = scene.server
        await #expect(throws: VaultFault.earlierOpens([old])) {
            _ = try await client.makeRecoveryKey(of: vault) { words in
                try place.write([words])
            } settled: { outcome in
                try place.settle(outcome)
                unsafe server.stop()
            }
        }
        #expect(VaultFault.earlierOpens([old]).words.contains("slots remove \(old)"))
        let again = try scene.machine.start()
        defer { again.stop() }
        for name in ["first", "second"] {
            #expect(try scene.run(["ls", "--recovery-file", folder.path(name)]).status == 0, "\(name)")
        }
        #expect(try scene.run(["slots", "remove", old, "-y"]).status == 0)
        #expect(try scene.run(["ls", "--recovery-file", folder.path("first")]).status == 1)
        #expect(try scene.run(["ls", "--recovery-file", folder.path("second")]).status == 0)
    }

    @Test("an old recovery key that another device removes meanwhile is no fault")
    func oldRecoveryKeyGone() async throws {
        let scene = try await Scene.start()
        defer { scene.server.stop() }
        let folder = scene.folder
        #expect(try scene.run(["make", "--recovery-out", folder.path("first")]).status == 0)
        let client = try await scene.cast.unlock(DemoCast.owner)
        let other = try await scene.cast.unlock(DemoCast.owner)
        let vault = try await client.openVault()
        let slots = try await client.vault().slots
        let old = try #require(slots.first { $0.kind == .recovery }?.id)
        let place = RecoverySecretPlace(.newWords, path: folder.path("second"))
        _ = try await client.makeRecoveryKey(of: vault) { words in
            try place.write([words])
            _ = try await other.removeSlot(old)
        } settled: { outcome in
            try place.settle(outcome)
        }
        #expect(try scene.run(["ls", "--recovery-file", folder.path("second")]).status == 0)
        #expect(try scene.run(["ls", "--recovery-file", folder.path("first")]).status == 1)
    }
}
