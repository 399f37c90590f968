import Interface
import Foundation
import Testing

@testable import Server
@testable import Storage

/// The tables' history.
@Suite("Schema")
struct SchemaTests {
    @Test("a released migration never changes")
    func released() {
        // As they were released, in one list for all slices.
        let released = [
            ("0001-first-wing", "4bbd914abebb9b82"),
            ("0002-passkeys", "60cdd9c646e0ab64"),
            ("0003-revocations", "a707bf92e7ab0f04"),
            ("0004-log-policies", "dd048940fb38b5eb"),
            ("0005-keys", "a144a5023633bd91"),
            ("0006-hand-signatures", "5d6b9c188c30d6c7"),
            ("0007-desk-history", "82a41e78cca11b55"),
            ("0008-number-index", "e36a179514f9b75e"),
        ]
        #expect(Schema.released.map(\.name) == released.map(\.0))
        #expect(Schema.released.map(\.digest) == released.map(\.1))
        let all = Slice.all.flatMap(\.migrations)
        #expect(Schema.released.allSatisfy { old in all.count { $0.name == old.name } == 1 })
        #expect(Set(all.map(\.name)).count == all.count)
    }

    @Test("sessions, accounts and devices from before passkeys go on")
    func upgrade() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/countersign-schema-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try await SQLiteDatabase.open(folder + "/test.sqlite")
        try await database.migrate([Schema.firstWing])
        try await database.write { transaction in
            for statement in [
                "INSERT INTO accounts VALUES ('a', 'ada', 'Ada', 'member', '$argon2id$hash', 1, 5)",
                "INSERT INTO devices VALUES ('d', 'a', 'old', 's', 'e', 5, NULL)",
                "INSERT INTO sessions VALUES ('hash', 'session', 'a', 'd', 6, 100)",
            ] { try transaction.execute(statement.replacing("$argon2id$", with: "argon2id ")) }
        }
        try await database.migrate(Slice.all.histories)
        try await database.read { transaction in
            let session = try #require(try SessionStore(transaction: transaction).find(tokenHash: "hash"))
            #expect(session.device == "d" && session.confirmed == nil && session.passkey == nil)
            let credentials = try #require(try AccountStore(transaction: transaction).credentials(username: "ada"))
            #expect(credentials.passphraseHash == "argon2id hash")
            let device = try #require(try DeviceStore(transaction: transaction).find(id: "d")).device
            #expect(device.endorsement == nil && device.endorsedBy == nil)
        }
        // Ending a session takes its ceremonies along.
        try await database.write { transaction in
            try CeremonyStore(transaction: transaction).insert(
                CeremonyStore.Stored(challenge: "c", purpose: .confirmation, session: "session", expires: 60))
            _ = try SessionStore(transaction: transaction).delete(id: "session", account: "a")
            #expect(try CeremonyStore(transaction: transaction).find(challenge: "c") == nil)
        }
        try await database.close()
    }
}

extension Schema {
    /// The migrations of 0.3, in the order in which all its databases have run them.
    static let released = [
        firstWing, passkeys, revocations, logPolicies, keys, handSignatures, deskHistory, numberIndex,
    ]
}
