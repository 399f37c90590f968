import Encodings
import Interface
import Logging
import Storage
import Synchronization
import Testing

@testable import Server

/// Receivers that take a message and never answer: they keep their own notices waiting, and nobody else's.
@Suite("Receivers that do not answer", .timeLimit(.minutes(5)))
struct SlowReceiverTests {
    /// Answers at all places but those whose address has one word in it; there it keeps everybody waiting.
    private final class SilentSender: EgressSender {
        private let word: String
        private let state = Mutex<(waiting: Int, taken: [String])>((0, []))

        init(silentAt word: String) { self.word = word }

        /// How many wait for an answer.
        var waiting: Int { state.withLock { $0.waiting } }
        /// Where messages were taken.
        var taken: [String] { state.withLock { $0.taken } }

        func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> EgressAnswer {
            guard address.text.contains(word) else {
                state.withLock { $0.taken.append(address.text) }
                return EgressAnswer(status: 201)
            }
            state.withLock { $0.waiting += 1 }
            // Ends when the test does.
            try await Task.sleep(for: .seconds(3_600))
            return EgressAnswer(status: 201)
        }
    }

    /// Looks until it is so, for at most a minute: what is red must not take the time of the whole suite.
    private static func comes(_ isSo: @Sendable () -> Bool) async throws -> Bool {
        for _ in 0..<6_000 {
            if isSo() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    private static func running(
        _ run: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Void
    ) async throws {
        let task = Task { try await run() }
        try await body()
        task.cancel()
        _ = await task.result
    }

    @Test("an account with ten browsers at a push service that hangs keeps nobody's letter or push waiting")
    func account() async throws {
        let (push, mail) = (SilentSender(silentAt: "hangs.example"), FakeMail())
        let organisation = try await TestOrganisation(push: push, mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let mallory = try await client.join(organisation.person("mallory"))
            let bob = try await client.join(organisation.person("bob"))
            for number in 0..<Limits.pushSubscriptions {
                try await client.subscribe(mallory, "\(number)", host: "hangs.example")
            }
            try await client.subscribe(bob, "bob")
            _ = try await client.addEmail("bob@example.org", bob, mail)
            let letters = mail.letters.count
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                // Both ways of bob's wait to tell of the address: what comes is to be the notice below, and that alone.
                try transaction.execute("DELETE FROM notification_outbox")
                for number in 0..<20 {
                    try environment.notify(
                        .access, mallory.account.id, about: "\(number)", in: transaction, now: environment.now())
                }
            }
            let delivery = organisation.delivery()
            try await Self.running(delivery.run) {
                #expect(try await Self.comes { push.waiting == Limits.deliveriesOfAccount })
                try await environment.database.write { transaction in
                    try environment.notify(.session, bob.account.id, in: transaction, now: environment.now())
                }
                #expect(try await Self.comes { mail.letters.count == letters + 1 })
                #expect(try await Self.comes { push.taken == ["https://push.example/send/bob?v=1"] })
                #expect(push.waiting == Limits.deliveriesOfAccount)
            }
        }
    }

    @Test("a service that takes nothing, with a hundred notices, keeps no other service's waiting")
    func service() async throws {
        let sender = SilentSender(silentAt: "hangs.example")
        let organisation = try await TestOrganisation(push: sender)
        try await organisation.serve { client in
            let (bank, shop) = try await Self.services(client)
            let environment = organisation.server.environment
            try await Self.insert(100, of: bank, organisation)
            let delivery = organisation.webhooks(environment.egress)
            try await Self.running(delivery.run) {
                #expect(try await Self.comes { sender.waiting == 4 })
                try await Self.insert(1, of: shop, organisation)
                environment.ringWebhooks()
                #expect(try await Self.comes { sender.taken == ["https://shop.example/hook"] })
                #expect(sender.waiting == 4)
            }
        }
    }

    @Test("of what begins while ten thousand notices wait a service is told nothing, and other services are")
    func tooMany() async throws {
        let organisation = try await TestOrganisation(push: SilentSender(silentAt: "hangs.example"))
        try await organisation.serve { client in
            let (bank, shop) = try await Self.services(client)
            try await Self.insert(Limits.waitingWebhookNotices - 1, of: bank, organisation)
            let alice = try await client.join(organisation.person("alice"))
            for service in [bank, shop] { _ = try await service.enrol("alice", alice) }
            let before = try await organisation.waitingNotices()
            // The enrolment of the bank has its notice, and is the last.
            #expect(before == Int64(Limits.waitingWebhookNotices) + 1)
            _ = try await bank.ask(bank.request("1"))
            #expect(try await organisation.waitingNotices() == before)
            _ = try await shop.ask(shop.request("1"))
            #expect(try await organisation.waitingNotices() == before + 1)
        }
    }

    private static func services(_ client: TestClient) async throws -> (TestBank, TestBank) {
        let bank = try await client.bank()
        let shop = try await bank.shop()
        #expect(try await bank.setWebhook("https://hangs.example/hook").status == 200)
        #expect(try await shop.setWebhook("https://shop.example/hook").status == 200)
        return (bank, shop)
    }

    /// So many notices that are due now.
    private static func insert(_ count: Int, of bank: TestBank, _ organisation: TestOrganisation) async throws {
        let now = organisation.clock.clock.now()
        try await organisation.server.environment.database.write { transaction in
            let store = WebhookNoticeStore(transaction: transaction)
            for number in 0..<count {
                let subject = "\(bank.key.service.domain) \(number)"
                try transaction.execute(
                    """
                    INSERT INTO approval_notices (kind, subject, service, state, time, attempts, due)
                    VALUES ('challenge', $1, $2, 'approved', $3, 0, $3)
                    """, [.text(subject), .text(bank.key.service.id), .integer(now)])
            }
            #expect(try store.nextDue() == now)
        }
    }
}
