import Approvals
import Encodings
import Interface
import Testing
import WebhookReceiver

@testable import Server

/// Those who manage services see whether the webhooks work.
@Suite("Whether webhooks work", .timeLimit(.minutes(5)))
struct WebhookStateTests {
    private func withBank(
        _ test: @escaping @Sendable (TestOrganisation, TestBank, TestApprover, FakePushService) async throws -> Void
    ) async throws {
        let receiver = FakePushService()
        let organisation = try await TestOrganisation(push: receiver)
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await bank.enrol("alice", try await client.join(organisation.person("alice")))
            _ = try await bank.setWebhook("https://bank.example/hook?key=hunter2").decode(ApprovalServiceChange.self)
            try await test(organisation, bank, alice, receiver)
        }
    }

    /// What administrators see.
    private static func state(_ bank: TestBank) async throws -> ApprovalWebhookState? {
        try await bank.client.services(bank.owner).first { $0.id == bank.key.service.id }?.webhookState
    }

    private static func end(_ number: String, _ bank: TestBank, _ alice: TestApprover) async throws {
        let asked = try await bank.ask(bank.request(number))
        #expect(try await bank.client.decide(asked.id, .allow(code: nil), alice).status == 200)
    }

    @Test("the last success and failure, why, how many wait and until when; an open question waits for nobody")
    func shown() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks(organisation.server.environment.egress)
            func now() -> Int64 { organisation.clock.clock.now() }
            #expect(try await Self.state(bank) == ApprovalWebhookState())
            _ = try await bank.ask(bank.request("open", lifetime: 86_000))
            #expect(try await Self.state(bank) == ApprovalWebhookState())
            try await Self.end("1", bank, alice)
            #expect(try await Self.state(bank) == ApprovalWebhookState(waiting: 1, nextAttempt: now()))
            receiver.answer(.init(status: 500), .init(status: 404))
            try await delivery.deliver()
            let failed = now()
            try await Self.end("2", bank, alice)
            let failing = ApprovalWebhookState(
                lastFailure: failed, failure: "status-500", waiting: 2, nextAttempt: failed)
            #expect(try await Self.state(bank) == failing && failing.isFailing)
            organisation.clock.advance(.seconds(1))
            try await delivery.deliver()
            let again = ApprovalWebhookState(
                lastFailure: failed + 1, failure: "status-404", waiting: 2, nextAttempt: failed + 15)
            #expect(try await Self.state(bank) == again)
            organisation.clock.advance(.seconds(60))
            try await delivery.deliver()
            let good = ApprovalWebhookState(
                lastSuccess: now(), lastFailure: failed + 1, failure: "status-404", waiting: 0)
            #expect(try await Self.state(bank) == good && !good.isFailing)
            // The service itself is not told, and another address has no past.
            #expect(try await bank.client.service(bank.key.apiKey).webhookState == nil)
            _ = try await bank.setWebhook("https://bank.example/other").decode(ApprovalServiceChange.self)
            #expect(try await Self.state(bank) == ApprovalWebhookState())
            _ = try await bank.setWebhook(nil).decode(ApprovalServiceChange.self)
            #expect(try await Self.state(bank) == nil)
        }
    }

    @Test(
        "a name that nobody knows, or that leads inside",
        arguments: [([], "unknown-name"), (["10.0.0.1"], "not-public")] as [([String], String)])
    func unreachable(addresses: [String], reason: String) async throws {
        try await withBank { organisation, bank, alice, receiver in
            let egress = Egress(
                isOn: false, lookup: SettledLookup(addresses: addresses), transport: HTTPEgressTransport(),
                sender: receiver)
            try await Self.end("1", bank, alice)
            try await organisation.webhooks(egress).deliver()
            #expect(try await Self.state(bank)?.failure == reason)
            #expect(receiver.posts.isEmpty)
        }
    }

    @Test(
        "one that wants to be asked later is left alone until then, for all of its notices, and no longer than two hours"
    )
    func retryAfter() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks(organisation.server.environment.egress)
            let start = organisation.clock.clock.now()
            let date = MailMessage.date(start + 1_000).replacing("+0000", with: "GMT")
            receiver.answer(
                .init(status: 503, retryAfter: date), .init(status: 429, retryAfter: "999999999"))
            for number in ["1", "2"] { try await Self.end(number, bank, alice) }
            // Both went at once; the lie of one counts for two hours.
            #expect(try await delivery.deliver() == start + 7_200)
            #expect(receiver.posts.count == 2)
            receiver.answer(.init(status: 503, retryAfter: "600"))
            organisation.clock.advance(.seconds(7_200))
            #expect(try await delivery.deliver() == start + 7_800)
            #expect(receiver.posts.count == 4)
            try await Self.end("3", bank, alice)
            organisation.clock.advance(.seconds(599))
            try await delivery.deliver()
            organisation.clock.advance(.seconds(1))
            #expect(try await delivery.deliver() == nil)
            #expect(try await organisation.waitingNotices() == 0)
        }
    }

    @Test("a date counts by the clock of the server")
    func date() async throws {
        try await withBank { organisation, bank, alice, receiver in
            let delivery = organisation.webhooks(organisation.server.environment.egress)
            let start = organisation.clock.clock.now()
            receiver.answer(
                .init(status: 503, retryAfter: MailMessage.date(start + 1_000).replacing("+0000", with: "GMT")))
            try await Self.end("1", bank, alice)
            #expect(try await delivery.deliver() == start + 1_000)
        }
    }
}
