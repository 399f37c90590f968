import Approvals
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What is left of a person and of what they were asked.
@Suite("Approvals of people who were erased")
struct ApprovalErasureTests {
    @Test("erasing a person takes their devices and answers along, and with the next sweep what only they were asked")
    func erased() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let bob = try await client.join(organisation.person("bob"))
            let (first, second) = (try await bank.enrol("alice", alice), try await bank.enrol("bob", bob))
            let own = try await bank.ask(bank.request("1"))
            let both = try await bank.ask(bank.request("2", of: ["alice", "bob"]))
            #expect(try await client.decide(own.id, .deny(.notMe, .request), first).status == 200)
            #expect(try await client.decide(both.id, .allow(code: nil), second).status == 200)
            _ = try await client.send(
                .put, "/api/approvals/settings", ApprovalBudget(perService: 5, together: 5), token: alice.token)
            _ = try await bank.begin("alice")
            let erased = try await client.send(
                .post, "/api/members/\(alice.account.id)/erase", Erasure(username: "alice", keepsDocuments: false),
                token: bank.owner.token)
            #expect(erased.status == 200)
            try await RetentionService(environment: organisation.server.environment, days: .init()).sweep()
            let rows = try await organisation.rows()
            #expect(rows["approval_challenges"]?.count == 1 && rows["approval_prompts"]?.count == 1)
            #expect(rows["approval_devices"]?.count == 1 && rows["approval_settings"]?.isEmpty == true)
            for table in ["approval_offers", "approval_devices", "approval_prompts"] {
                let isThere = rows[table]?.joined().contains(.text(alice.account.id)) ?? true
                #expect(!isThere, "\(table)")
            }
            // What others were asked too goes on, and proves what they answered.
            #expect(try await bank.receipt(both.id).answers.map(\.device) == [second.key.publicKey])
            #expect(try await bank.send(.get, "challenges/\(own.id)").errorName == "unknown_challenge")
        }
    }

    @Test("erasing a person takes their app of version 1 along, and a restore keeps the key that signs for it")
    func original() async throws {
        let organisation = try await TestOrganisation()
        let folder = try BackupFolder()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let alice = stage.wallet.session
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            _ = try await stage.bank.beginOriginal("alice")
            _ = try await BackupWriter(
                place: organisation.place, blobs: organisation.server.environment.blobs,
                directory: organisation.folder.path, includesKeys: true
            ).write(to: folder.path("a.backup"), passphrase: nil, now: organisation.clock.clock.now())
            let erased = try await client.send(
                .post, "/api/members/\(alice.account.id)/erase", Erasure(username: "alice", keepsDocuments: false),
                token: stage.bank.owner.token)
            #expect(erased.status == 200)
            #expect(try await client.callback(stage.app.reply(challenge)).errorName == "unknown_challenge")
            let rows = try await organisation.rows()
            for table in ["original_challenges", "original_enrolments", "original_uses", "original_devices"] {
                #expect(rows[table]?.isEmpty == true, "\(table)")
            }
            try await folder.restore("a.backup", into: "restored")
            let again = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("restored"), place: folder.place("restored"))
            try await again.serve { client in
                let bank = TestBank(client: client, key: stage.bank.key, owner: stage.bank.owner)
                #expect(try await client.callback(stage.app.reply(challenge)).isSuccess)
                let (_, second) = try await bank.askOriginal(bank.originalRequest())
                #expect(try await client.callback(stage.app.reply(second)).isSuccess)
                #expect(try await bank.isSigned(challenge))
            }
        }
    }

    @Test("a backup and a restore keep questions, answers and the keys of services")
    func restored() async throws {
        let organisation = try await TestOrganisation()
        let folder = try BackupFolder()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let (done, open) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            #expect(try await client.decide(done.id, .allow(code: nil), approver).status == 200)
            _ = try await BackupWriter(
                place: organisation.place, blobs: organisation.server.environment.blobs,
                directory: organisation.folder.path, includesKeys: true
            ).write(to: folder.path("a.backup"), passphrase: nil, now: organisation.clock.clock.now())
            try await folder.restore("a.backup", into: "restored")
            let again = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("restored"), place: folder.place("restored"))
            try await again.serve { client in
                let bank = TestBank(client: client, key: bank.key, owner: bank.owner)
                let receipt = try await bank.receipt(done.id)
                #expect(receipt.answers.count == 1)
                #expect(try await client.decide(open.id, .allow(code: nil), approver).status == 200)
                #expect(try await bank.receipt(open.id).answers.count == 1)
            }
        }
    }
}
