import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// The file of `countersign wallet vault make --recovery-out` against a real server.
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
}
