import Approvals
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing
import WebhookReceiver

@testable import Server

/// Services are told that something is over, by a real HTTP receiver's word.
@Suite("Webhooks", .timeLimit(.minutes(5)))
struct WebhookTests {
    /// A bank with a webhook, and alice's device.
    private func withBank(
        _ test: @escaping @Sendable (TestOrganisation, TestBank, TestApprover, WebhookReceiver) async throws -> Void
    ) async throws {
        let (organisation, receiver) = (try await TestOrganisation.inside(), try await WebhookReceiver.start())
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await bank.enrol("alice", try await client.join(organisation.person("alice")))
            #expect(
                try await bank.setWebhook(receiver.url).decode(ApprovalServiceChange.self).service.webhook
                    == receiver.url)
            try await test(organisation, bank, alice, receiver)
        }
        try await receiver.stop()
    }

    @Test("a notice comes for every end of a question, names it, and says nothing of it")
    func questions() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks()
            let approved = try await bank.ask(bank.request("1")).id
            #expect(try await bank.client.decide(approved, .allow(code: nil), alice).status == 200)
            let denied = try await bank.ask(bank.request("2")).id
            #expect(try await bank.client.decide(denied, .deny(.mistake, .request), alice).status == 200)
            let cancelled = try await bank.ask(bank.request("3")).id
            #expect(try await bank.send(.post, "challenges/\(cancelled)/cancel").status == 200)
            let mistyped = try await bank.ask(bank.request("4", digits: 6))
            let wrong = Bytes(text: mistyped.code == "000000" ? "000001" : "000000")
            for _ in 0..<3 { _ = try await bank.client.decide(mistyped.id, .allow(code: wrong), alice) }
            let frozen = try await bank.ask(bank.request("5")).id
            let other = try await bank.ask(bank.request("6")).id
            #expect(try await bank.client.decide(other, .deny(.notMe, .account), alice).status == 200)
            let now = organisation.clock.clock.now()
            try await delivery.deliver()
            let expected = [
                (approved, "approved"), (denied, "denied"), (cancelled, "cancelled"), (mistyped.id, "cancelled"),
                (frozen, "cancelled"), (other, "denied"),
            ].map { ApprovalNotice(kind: .challenge, id: $0.0, state: $0.1, time: now) }
            let got = try receiver.deliveries.map { try $0.notice() }
            #expect(got.sorted { $0.id < $1.id } == expected.sorted { $0.id < $1.id })
            #expect(receiver.deliveries.allSatisfy { $0.method == "POST" && $0.path == "/hook?of=bank" })
            // Nothing of the question is in it, and nothing comes twice.
            #expect(receiver.deliveries.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("Plumbing") })
            try await delivery.deliver()
            #expect(receiver.deliveries.count == expected.count)
            #expect(try await organisation.waitingNotices() == 0)
        }
    }

    @Test("what nobody answers in time is told as soon as it has expired, and not before")
    func expired() async throws {
        try await withBank { organisation, bank, _, receiver in
            let (delivery, asked) = (organisation.webhooks(), try await bank.ask(bank.request("1", lifetime: 60)))
            organisation.clock.advance(.seconds(60))
            #expect(try await delivery.deliver() == asked.expires + 1)
            #expect(receiver.deliveries.isEmpty)
            organisation.clock.advance(.seconds(1))
            #expect(try await delivery.deliver() == nil)
            let notice = try #require(receiver.deliveries.first).notice()
            #expect(
                notice == ApprovalNotice(kind: .challenge, id: asked.id, state: "expired", time: asked.expires))
            #expect(try await bank.find(asked.id).state == .expired)
        }
    }

    @Test("an enrolment's end is told: completed, ended by its session or by the next one, expired")
    func enrolments() async throws {
        try await withBank { organisation, bank, _, receiver in
            let ada = try await bank.client.join(organisation.person("ada"))
            _ = try await bank.enrol("ada", ada)
            let ended = try await bank.begin("bob")
            _ = try await bank.send(
                .post, "enrolments/\(ended.id)/end", ApprovalEnrolmentEnd(session: TestBank.session))
            let replaced = try await bank.begin("bob")
            let expired = try await bank.begin("bob")
            try await organisation.webhooks().deliver()
            organisation.clock.advance(.seconds(Limits.approvalOfferTime + 1))
            try await organisation.webhooks().deliver()
            let got = try receiver.deliveries.map { try $0.notice() }
            #expect(got.allSatisfy { $0.kind == .enrolment })
            #expect(Set(got.map(\.state)) == ["completed", "ended", "expired"] && got.count == 4)
            #expect(Set(got.filter { $0.state == "ended" }.map(\.id)) == [ended.id, replaced.id])
            #expect(got.last?.id == expired.id)
            // Begun after it had expired: it has ended by itself, and is not told again.
            _ = try await bank.begin("bob")
            try await organisation.webhooks().deliver()
            #expect(receiver.deliveries.count == 4)
        }
    }

    @Test(
        "an error or a redirect is no delivery: it comes again, later and later, with the same key",
        arguments: ["500", "404", "redirect"])
    func again(_ manner: String) async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks()
            receiver.behave(Int(manner).map { .status($0) } ?? .redirect)
            let asked = try await bank.ask(bank.request("1"))
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            var count = 1
            for pause in WebhookDelivery.pauses + [WebhookDelivery.pauses.last ?? 0] {
                let next = try #require(try await delivery.deliver())
                #expect(next == organisation.clock.clock.now() + pause)
                #expect(receiver.deliveries.count == count)
                organisation.clock.advance(.seconds(pause - 1))
                try await delivery.deliver()
                #expect(receiver.deliveries.count == count)
                organisation.clock.advance(.seconds(1))
                count += 1
            }
            receiver.behave(.status(200))
            #expect(try await delivery.deliver() == nil)
            #expect(
                Set(receiver.deliveries.map { $0.fields["idempotency-key"] }) == ["\"challenge-\(asked.id)-approved\""])
            #expect(Set(receiver.deliveries.map(\.body)).count == 1)
            #expect(receiver.deliveries.allSatisfy { $0.path == "/hook?of=bank" })
            #expect(try await organisation.waitingNotices() == 0)
        }
    }

    @Test("one that is silent keeps no other waiting, and is left alone for a while")
    func silent() async throws {
        try await withBank { organisation, bank, alice, receiver in
            receiver.behave(.silence)
            for number in 0..<8 {
                let asked = try await bank.ask(bank.request("\(number)"))
                _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            }
            let other = try await bank.shop()
            let good = try await WebhookReceiver.start()
            try await other.setWebhook(good.url)
            let offer = try await other.begin("alice")
            _ = try await other.send(
                .post, "enrolments/\(offer.id)/end", ApprovalEnrolmentEnd(session: TestBank.session))
            // On a busy machine all five have to come in this time, and the answer of the one that is not silent, too.
            try await organisation.webhooks(patience: .seconds(20)).deliver()
            #expect(good.deliveries.count == 1)
            // Four were tried; the others are not, once it is known that nobody answers.
            #expect(receiver.deliveries.count == 4)
            #expect(try await organisation.waitingNotices() == 8)
            try await good.stop()
        }
    }

    @Test("one that is gone is tried for a day, then the log says so and nothing waits any more")
    func gone() async throws {
        try await withBank { organisation, bank, alice, receiver in
            try await receiver.stop()
            let asked = try await bank.ask(bank.request("1"))
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            let (start, notes) = (organisation.clock.clock.now(), Notes())
            let delivery = organisation.webhooks(notes: notes)
            while let next = try await delivery.deliver() {
                organisation.clock.advance(.seconds(next - organisation.clock.clock.now()))
            }
            #expect(organisation.clock.clock.now() - start > WebhookDelivery.patience)
            #expect(notes.text.contains("bank.example challenge-\(asked.id)-approved is given up"))
            #expect(try await organisation.waitingNotices() == 0)
        }
    }

    @Test("killed after the decision, or between attempt and answer: the next server brings it, with the same key")
    func killed() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let asked = try await bank.ask(bank.request("1"))
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            // The decision and the notice were stored together: nothing else has to happen in this process.
            #expect(try await organisation.waitingNotices() == 1)
            receiver.behave(.silence)
            let dying = Task { try await organisation.webhooks().deliver() }
            try await receiver.wait(for: 1)
            dying.cancel()
            _ = try? await dying.value
            receiver.behave(.status(204))
            // Another server that looks now does not send what is under way.
            try await organisation.webhooks().deliver()
            #expect(receiver.deliveries.count == 1)
            organisation.clock.advance(.seconds(WebhookDelivery.pauses[0]))
            try await organisation.webhooks().deliver()
            try await organisation.webhooks().deliver()
            #expect(receiver.deliveries.count == 2)
            #expect(Set(receiver.deliveries.map { $0.fields["idempotency-key"] }).count == 1)
        }
    }

    @Test("an answer that is stored while a service is told of the end of the time is told, too")
    func meanwhile() async throws {
        try await withBank { organisation, bank, _, receiver in
            let asked = try await bank.ask(bank.request("1", lifetime: 60))
            let told = ApprovalNotice(kind: .challenge, id: asked.id, state: "expired", time: asked.expires)
            try await organisation.server.environment.database.write { transaction in
                let store = WebhookNoticeStore(transaction: transaction)
                // By the clock of a server that is a moment behind.
                try store.end(.challenge, asked.id, as: "approved", at: asked.expires)
                try store.remove(told)
            }
            #expect(try await organisation.waitingNotices() == 1)
            organisation.clock.advance(.seconds(60))
            try await organisation.webhooks().deliver()
            #expect(try receiver.deliveries.map { try $0.notice().state } == ["approved"])
            // A service that knows the key of the first does not take this for the same.
            #expect(receiver.deliveries.allSatisfy { $0.fields["idempotency-key"] != "\"\(told.idempotencyKey)\"" })
            #expect(try await organisation.waitingNotices() == 0)
        }
    }

    @Test("of several servers one sends a notice")
    func once() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let asked = try await bank.ask(bank.request("1"))
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try? await organisation.webhooks().deliver() } }
            }
            #expect(receiver.deliveries.count == 1)
        }
    }

    @Test("the service of the server brings it as soon as somebody has answered")
    func atOnce() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks()
            let running = Task { try await delivery.run() }
            let asked = try await bank.ask(bank.request("1"))
            await organisation.clock.waitForSleepers(1)
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            // The clock stands still: only the answer wakes it.
            try await receiver.wait(for: 1)
            #expect(try #require(receiver.deliveries.first).notice().state == "approved")
            running.cancel()
            _ = try? await running.value
        }
    }

    @Test("what cannot be read is said in the log, and is sent once it can")
    func unreadable() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let database = organisation.server.environment.database
            let asked = try await bank.ask(bank.request("1"))
            _ = try await bank.client.decide(asked.id, .allow(code: nil), alice)
            try await database.write { try $0.execute("UPDATE approval_notices SET kind = 'unknown'", []) }
            let notes = Notes()
            let delivery = organisation.webhooks(notes: notes)
            let running = Task { try await delivery.run() }
            while !notes.text.contains("could not be looked for") { try await Task.sleep(for: .milliseconds(5)) }
            try await database.write { try $0.execute("UPDATE approval_notices SET kind = 'challenge'", []) }
            while receiver.deliveries.isEmpty {
                organisation.clock.advance(.seconds(60))
                try await Task.sleep(for: .milliseconds(5))
            }
            running.cancel()
            _ = try? await running.value
        }
    }

    @Test("without a webhook nothing is kept, and removing it or the service forgets what waits")
    func forgotten() async throws {
        try await withBank { organisation, bank, alice, receiver in
            _ = try await bank.ask(bank.request("1"))
            #expect(try await organisation.waitingNotices() == 1)
            #expect(try await bank.setWebhook(nil).decode(ApprovalServiceChange.self).service.webhook == nil)
            #expect(try await organisation.waitingNotices() == 0)
            _ = try await bank.ask(bank.request("2"))
            #expect(try await organisation.waitingNotices() == 0)
            try await bank.setWebhook(receiver.url)
            let last = try await bank.ask(bank.request("3"))
            let removed = try await bank.client.send(
                .delete, "/api/services/\(bank.key.service.id)", token: bank.owner.token)
            #expect(removed.status == 200)
            #expect(try await organisation.waitingNotices() == 0)
            organisation.clock.advance(.seconds(last.expires))
            try await organisation.webhooks().deliver()
            #expect(receiver.deliveries.isEmpty)
        }
    }

    @Test(
        "an address that leads inside, is plain, or is none is refused, when a webhook is added and when it is changed",
        arguments: [
            "http://bank.example/hook", "https://127.0.0.1/hook", "https://localhost/hook", "https://10.0.0.1/",
            "https://[::1]/hook", "https://bank/hook", "https://user@bank.example/", "https://bank.example/#x",
            "https://bank.example:0/", "https://bank.example:99999/", "https://bank.example:1:2/",
            "ftp://bank.example/",
            "//bank.example/", "https://", "bank.example", "https://bank.example/\r\nhost: x", "https://bänk.example/",
            "https://Bank.example/", "https://bank.example/\"x", "https://2130706433/", "https://0x7f.1/", "",
            "https://bank.example/" + String(repeating: "a", count: 500),
        ])
    func refused(_ url: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            #expect(try await bank.setWebhook(url).problem == "invalid-member")
            let added = try await client.send(
                .post, "/api/services", NewApprovalService(domain: "shop.example", name: "Shop", webhook: url),
                token: bank.owner.token)
            #expect(added.problem == "invalid-member")
            #expect(try await client.services(bank.owner).map(\.webhook) == [nil])
            let good = "https://bank.example:8443/hook?a=b"
            #expect(try await bank.setWebhook(good).decode(ApprovalServiceChange.self).service.webhook == good)
            #expect(try await client.service(bank.key.apiKey).webhook == good)
        }
    }

    @Test("administrators alone change a webhook, and of a service that there is")
    func permission() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let member = try await client.join(organisation.person("alice"))
            let path = "/api/services/\(bank.key.service.id)/webhook"
            let body = ApprovalWebhook(url: "https://evil.example/")
            #expect(try await client.send(.put, path, body, token: member.token).problem == "forbidden")
            #expect(try await client.send(.put, path, body, token: bank.key.apiKey).problem == "unauthenticated")
            #expect(try await client.send(.put, path, body).problem == "unauthenticated")
            let nowhere = "/api/services/\(String(repeating: "0", count: 32))/webhook"
            #expect(try await client.send(.put, nowhere, body, token: bank.owner.token).problem == "not-found")
        }
    }
}
