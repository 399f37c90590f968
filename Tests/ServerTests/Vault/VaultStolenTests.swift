import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing
import Vault

@testable import Server

/// A thief who has what a served vault keeps of its PINs, and not the guard's keys.
///
/// ``VaultGuardTests`` also tries keys that were made of it: for each guess they would cost too much.
@Suite("A stolen vault")
struct VaultStolenTests {
    @Test("confirms none of five hundred guesses without the guard's keys, the four right PINs among them")
    func guesses() async throws {
        try await VaultScene.serve { scene in
            // With the guard's answers each of the four opens its slot: so the trial can succeed.
            for slot in 0..<4 {
                let tried = try await scene.attempt(scene.pins[slot])
                #expect(tried.opened == [slot])
                try await scene.prove(tried, resets: [0, 1, 2, 3])
            }
            // More than the database alone: the sealed slots are with the guard.
            var stolen: [Stolen] = []
            for pin in try await scene.state().pins {
                stolen.append(Stolen(sealed: try VaultScene.bytes(pin.sealed), key: try VaultScene.bytes(pin.key)))
            }
            #expect(stolen.count == 4)
            // Of six digits, as people choose them.
            let guesses = scene.pins + (0..<496).map { "\(382_917 + $0)" }
            var confirmed: [String] = []
            for guess in guesses where try Self.isConfirmed(guess, by: stolen) { confirmed.append(guess) }
            #expect(confirmed == [])
        }
    }

    @Test("has no time of a compartment: nothing says which one was made with the vault, and so is no decoy")
    func decoy() async throws {
        try await VaultScene.serve { scene in
            scene.clock.advance(.seconds(600))
            let decoy = NewVaultCompartment(id: VaultScene.identifier(), head: Bytes(text: "head 0").base64URL)
            #expect(try await scene.send(.post, "compartments", decoy).status == 201)
            let rows = try #require(try await scene.organisation.rows()["vault_compartments"])
            #expect(rows.count == 2)
            // They differ in their ids, and in nothing else.
            let different = zip(rows[0], rows[1]).filter { $0 != $1 }
            #expect(different.count == 1)
            #expect(rows.allSatisfy { $0.contains(.text(scene.main)) || $0.contains(.text(decoy.id)) })
            let created = try await scene.state().created
            #expect(!rows.contains { $0.contains(.integer(created)) || $0.contains(.integer(created + 600)) })
        }
    }

    @Test("a database of before is migrated: its compartments stay, without their times")
    func migration() async throws {
        let folder = try BackupFolder()
        let database = try await TestDatabase(emptyFile: folder.path("old.sqlite"))
        defer { database.remove() }
        func migrate(endingBefore end: String?) async throws {
            try await database.database.migrate(
                Slice.all.map { slice in
                    MigrationHistory(name: slice.name, migrations: Array(slice.migrations.prefix { $0.name != end }))
                })
        }
        try await migrate(endingBefore: Schema.vaultTimes.name)
        try await database.database.write { transaction in
            for statement in [
                """
                INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
                VALUES ('a', 'ada', 'Ada', 'member', '', 0, 5)
                """,
                """
                INSERT INTO vault_compartments (id, account, head, sequence, bytes, nodes, created)
                VALUES ('c', 'a', 'head', 3, 1000, 2, 77)
                """,
            ] { try transaction.execute(statement) }
        }
        try await migrate(endingBefore: nil)
        let (found, rows) = try await database.database.write { transaction in
            let found = try VaultCompartmentStore(transaction: transaction).find("c")
            let table = try #require(try transaction.tables().first { $0.name == "vault_compartments" })
            return (found, try transaction.page(of: table, after: nil, limit: 10))
        }
        #expect(found?.sequence == 3 && found?.bytes == 1_000 && found?.nodes == 2)
        #expect(rows.count == 1 && rows.first?.contains(.integer(77)) == false)
    }

    /// What is known of a PIN slot.
    private struct Stolen: Sendable {
        let sealed: Bytes
        /// The public half of the guard's key.
        let key: Bytes
    }

    /// Whether a guess opens a slot, with something that could stand for the guard's answer.
    private static func isConfirmed(_ guess: String, by stolen: [Stolen]) throws -> Bool {
        let suite = VaultScene.suite
        let input = try VaultScene.input(guess)
        let attempt = try PINAttempt(input, of: VaultScene.vaultAccount(), suite: suite)
        for (index, slot) in stolen.enumerated() {
            let numbers: [Bytes] = [
                suite.hmacSHA512(slot.sealed, key: []), suite.hmacSHA512(slot.key, key: []),
                suite.hmacSHA512(input.bytes, key: slot.key),
            ]
            for number in numbers {
                let value = Bytes(number.prefix(48))
                if (try? attempt.open(slot.sealed, index: index, value: value, suite: suite)) != nil { return true }
            }
        }
        return false
    }
}
