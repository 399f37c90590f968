import Approvals
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What the log tells those who read it about accounts and the services that they use.
@Suite("Labels of approvals in the log")
struct ApprovalLabelTests {
    @Test("services know one account by labels that have nothing in common, and the log links none of them")
    func unlinkable() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            let (one, two) = (try await bank.enrol("alice", alice), try await shop.enrol("alice", alice))
            #expect(one.offer.account != two.offer.account)
            _ = try await bank.enrol("alice", alice, name: "tablet", by: one)
            let entries = try await Self.entries(organisation)
            let labels = entries.filter { $0.type == "approval_device.enrolled" }.map { $0.label }
            #expect(labels.count == 3)
            // Bank, shop, bank again: one for each account and service.
            #expect(labels[0] == labels[2] && labels[0] != labels[1])
            let others = entries.filter { $0.type == "device.enrolled" }.map { $0.label }
            #expect(!others.contains { $0 == labels[0] || $0 == labels[1] })
        }
    }

    @Test("all that is done at a service, by version 1 too, is in the log under that one label")
    func labelled() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            _ = try await client.send(
                .put, "/api/approvals/settings", ApprovalBudget(perService: 60, together: 240), token: alice.token)
            let approvers = [
                (bank, try await bank.enrol("alice", alice)), (shop, try await shop.enrol("alice", alice)),
            ]
            try await bank.setOriginal()
            let app = try TestApp()
            try await bank.enrol(app, for: "alice", by: approvers[0].1)
            let (_, question) = try await bank.askOriginal(bank.originalRequest())
            #expect(try await client.callback(app.reply(question)).isSuccess)
            for (key, decision) in [("1", ApprovalDecision.allow(code: nil)), ("2", .deny(.mistake, .request))] {
                for (service, approver) in approvers {
                    let asked = try await service.ask(service.request(key))
                    #expect(try await client.decide(asked.id, decision, approver).status == 200)
                }
            }
            for device in try await client.devices(alice) {
                let path = "/api/approvals/devices/\(device.id)"
                #expect(try await client.send(.delete, path, token: alice.token).status == 200)
            }
            let types = [
                "approval_device.enrolled", "approval_device.removed", "approval.given", "approval.denied",
            ]
            let entries = try await Self.entries(organisation)
            let found = Dictionary(grouping: entries, by: { $0.type }).mapValues { Set($0.compactMap { $0.label }) }
            let labels = found["approval.denied"] ?? []
            #expect(labels.count == 2)
            for type in types { #expect(found[type] == labels, "\(type)") }
            // The app is enrolled, answers, and is asked about by itself.
            let counts = types.map { type in entries.count { $0.type == type } }
            #expect(counts[0] == 3 && counts[2] == 4 && counts[3] == 2, "\(counts)")
            #expect(labels.isDisjoint(with: found["device.enrolled"] ?? []))
        }
    }

    private static func entries(_ organisation: TestOrganisation) async throws -> [(type: String, label: Bytes?)] {
        try await organisation.place.snapshot { transaction in
            try transaction.rows("SELECT type, entry FROM log_entries ORDER BY position", []).map { row in
                (try row.text("type"), try JSON.parse(Bytes(text: try row.text("entry")))["label"]?.string)
            }
        }
    }
}
