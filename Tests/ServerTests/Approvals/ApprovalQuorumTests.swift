import Approvals
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing
import Transparency

@testable import Server

/// How many people have to approve what a service asks, by amount: an administrator says it, and the server holds the
/// service to it.
@Suite("The quorum of a service")
struct ApprovalQuorumTests {
    private static let rule = ApprovalQuorum(
        currency: "GBP", steps: [.init(from: 0, need: 1), .init(from: 100_000, need: 2)])

    @Test("an administrator sets, changes and removes it; everybody sees it who sees the service, and the log says it")
    func life() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            #expect(bank.key.service.quorum == nil)
            let set = try await bank.setQuorum(Self.rule)
            #expect(set.service.quorum == Self.rule)
            #expect(try await client.services(bank.owner) == [set.service])
            #expect(try await client.service(bank.key.apiKey) == set.service)
            let record = try Self.record(set.receipt, organisation)
            #expect(record["quorum"] == .text("GBP 0:1 100000:2"))
            #expect(record["public_key"] == .text(bank.key.service.publicKey))
            let other = ApprovalQuorum(currency: "JPY", steps: [.init(from: 0, need: 3)])
            #expect(try await bank.setQuorum(other).service.quorum == other)
            let none = try await bank.setQuorum(nil)
            #expect(none.service == bank.key.service)
            #expect(try Self.record(none.receipt, organisation)["quorum"] == .null)
            #expect(try await client.services(bank.owner) == [bank.key.service])
            let logged = try await client.send(.get, "/api/log/mine", token: bank.owner.token)
                .decode(Listing<LoggedEntry>.self).items
            #expect(logged.count { $0.type == "service.changed" } == 3)
        }
    }

    /// What the log has committed to.
    private static func record(_ receipt: Interface.Receipt, _ organisation: TestOrganisation) throws -> JSON {
        let key = try NoteVerifierKey.parse(Bytes(text: organisation.server.environment.log.verifierKey))
        return try Transparency.Receipt.verify(
            Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite()
        ).record
    }

    @Test("only administrators change it, and not of a service that is not there")
    func permission() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let path = "/api/services/\(bank.key.service.id)/quorum"
            for token in [alice.token, bank.key.apiKey] {
                #expect(try await client.send(.put, path, Self.rule, token: token).status >= 401)
                #expect(try await client.send(.delete, path, token: token).status >= 401)
            }
            #expect(try await client.services(bank.owner) == [bank.key.service])
            let nowhere = "/api/services/00/quorum"
            #expect(try await client.send(.put, nowhere, Self.rule, token: bank.owner.token).problem == "not-found")
            #expect(try await client.send(.delete, nowhere, token: bank.owner.token).problem == "not-found")
        }
    }

    @Test(
        "one that is out of form is refused, and the one before stays",
        arguments: [
            ("XXX", [(0, 1)]), ("gbp", [(0, 1)]), ("", [(0, 1)]), ("GBP 0:1", [(0, 1)]), ("GBP", []), ("GBP", [(1, 1)]),
            ("GBP", [(0, 0)]), ("GBP", [(0, 17)]), ("GBP", [(0, 2), (100, 2)]), ("GBP", [(0, 1), (0, 2)]),
            ("GBP", [(0, 1), (1_000_000_000_000_001, 2)]), ("GBP", [(-1, 1)]), ("GBP", [(0, -1)]),
            ("GBP", (0..<17).map { ($0, Int($0) + 1) }),
        ] as [(String, [(Int64, Int)])])
    func refused(currency: String, steps: [(Int64, Int)]) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let before = try await bank.setQuorum(Self.rule).service
            let quorum = ApprovalQuorum(currency: currency, steps: steps.map { .init(from: $0.0, need: $0.1) })
            let answer = try await client.send(
                .put, "/api/services/\(bank.key.service.id)/quorum", quorum, token: bank.owner.token)
            #expect(answer.problem == "invalid-member")
            #expect(try await client.services(bank.owner) == [before])
        }
    }

    @Test("a rule in the database that cannot be read lets nothing be asked")
    func unreadable() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            for line in ["", "GBP", "GBP 5:1", "none"] {
                try await organisation.server.environment.database.write { transaction in
                    try transaction.execute("UPDATE approval_services SET quorum = $1", [.text(line)])
                }
                #expect(try await bank.send(.post, "challenges", bank.request("1")).status == 500)
            }
            #expect(try await client.pending(alice) == [])
        }
    }

    @Test("a database of before is migrated: its services have no quorum, and ask as they did")
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
        try await migrate(endingBefore: Schema.approvalQuorum.name)
        try await database.database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO approval_services (id, domain, name, key_hash, public_key, created)
                VALUES ('1', 'bank.example', 'Example Bank', 'x', 'y', 1)
                """, [])
        }
        try await migrate(endingBefore: nil)
        let rule = try #require(QuorumRule(text: Bytes(text: "GBP 0:1 100000:2")))
        let (before, after) = try await database.database.write { transaction in
            let store = ApprovalServiceStore(transaction: transaction)
            let before = try store.find(id: "1")?.info
            try store.setQuorum("1", rule)
            return (before, try store.find(id: "1")?.info)
        }
        #expect(try #require(before).quorum == nil)
        #expect(try #require(after).rule == rule)
    }
}

extension TestBank {
    /// An administrator gives the bank a rule, or none.
    @discardableResult
    func setQuorum(_ quorum: ApprovalQuorum?) async throws -> ApprovalServiceChange {
        let path = "/api/services/\(key.service.id)/quorum"
        let answer =
            if let quorum { try await client.send(.put, path, quorum, token: owner.token) } else {
                try await client.send(.delete, path, token: owner.token)
            }
        return try answer.decode(ApprovalServiceChange.self)
    }
}
