import Encodings
import Interface
import Logging
import ServiceLifecycle
import Storage
import Testing

@testable import Server

/// Push services that are slow, away, gone or lying, and servers that die in between.
@Suite("The delivery of notices", .timeLimit(.minutes(5)))
struct NotificationDeliveryTests {
    /// A member with a subscription, and a notice that waits for it.
    private static func waiting(
        _ push: FakePushService, lookup: SettledLookup = .init(), kind: NotificationKind = .session,
        _ body: @escaping @Sendable (TestOrganisation, TestClient, NewSession) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation(push: push, lookup: lookup)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            try await client.subscribe(alice)
            try await tell(alice, kind, organisation)
            try await body(organisation, client, alice)
        }
    }

    private static func tell(
        _ session: NewSession, _ kind: NotificationKind, _ organisation: TestOrganisation, about subject: String = ""
    ) async throws {
        let environment = organisation.server.environment
        try await environment.database.write { transaction in
            try environment.notify(
                kind, session.account.id, about: subject, in: transaction, now: organisation.clock.clock.now())
        }
    }

    @Test("a subscription that is gone is removed with all that waits for it", arguments: [404, 410])
    func gone(status: Int) async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, client, alice) async throws in
            try await Self.tell(alice, .device, organisation)
            push.answer(.init(status: status))
            let delivery = organisation.delivery()
            let taken = try await delivery.claim(1).taken
            await delivery.deliver(try #require(taken.first))
            #expect(try await organisation.outbox() == [])
            #expect(try await client.notifications(alice).ways == [])
        }
    }

    @Test("one that is busy is asked again when it said, and not before; a lie about the time loses the notice")
    func retryAfter() async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, _, _) async throws in
            let time = organisation.clock.clock.now() + 1_000
            let date = MailMessage.date(time).replacing("+0000", with: "GMT")
            push.answer(
                .init(status: 429, retryAfter: "600"), .init(status: 503, retryAfter: "soon"),
                .init(status: 503, retryAfter: date), .init(status: 429, retryAfter: "999999999"))
            #expect(try await organisation.deliver() == 1)
            organisation.clock.advance(.seconds(599))
            #expect(try await organisation.deliver() == 0)
            organisation.clock.advance(.seconds(1))
            #expect(try await organisation.deliver() == 1)
            // What is neither seconds nor a date counts as nothing: the second pause, of thirty seconds.
            organisation.clock.advance(.seconds(29))
            #expect(try await organisation.deliver() == 0)
            organisation.clock.advance(.seconds(1))
            #expect(try await organisation.deliver() == 1)
            organisation.clock.advance(.seconds(369))
            #expect(try await organisation.deliver() == 0)
            organisation.clock.advance(.seconds(1))
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [])
            #expect(push.posts.count == 4)
        }
    }

    @Test("the pauses double, up to an hour, and a notice is given up when its time is over")
    func backOff() async throws {
        #expect(
            (1...10).map { NotificationDelivery.pause(attempts: $0, after: nil) } == [
                15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600,
            ])
        #expect(NotificationDelivery.pause(attempts: 9_999, after: nil) == 3_600)
        #expect(NotificationDelivery.pause(attempts: 1, after: 700) == 700)
        #expect(NotificationDelivery.pause(attempts: 1, after: -5) == 15)
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, _, _) async throws in
            push.answer(.init(status: 500))
            #expect(try await organisation.deliver() == 1)
            organisation.clock.advance(.seconds(8 * 86_400))
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [] && push.posts.count == 1)
        }
    }

    @Test("a refusal for good, a redirect, and nonsense are not tried again", arguments: [301, 307, 400, 403, 413])
    func refused(status: Int) async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, client, alice) async throws in
            push.answer(.init(status: status))
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [])
            #expect(try await client.notifications(alice).ways.count == 1)
        }
    }

    @Test("a push service whose name leads inside gets nothing", arguments: ["127.0.0.1", "10.1.2.3", "fe80::1"])
    func inside(address: String) async throws {
        let push = FakePushService()
        try await Self.waiting(push, lookup: SettledLookup(addresses: [address])) { (organisation, _, _) async throws in
            #expect(try await organisation.deliver() == 1)
            #expect(push.posts.isEmpty)
            #expect(try await organisation.outbox() == ["session push"])
        }
    }

    @Test("a server that dies while it delivers: another takes the notice over when the lease ends, and none before")
    func killed() async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, _, _) async throws in
            // Taken, and then nothing more is heard of it.
            let lost = try await organisation.delivery().claim(10).taken
            #expect(lost.count == 1 && lost[0].attempts == 1)
            #expect(try await organisation.deliver() == 0)
            organisation.clock.advance(.seconds(Limits.deliveryLease))
            #expect(try await organisation.deliver() == 1)
            #expect(push.posts.count == 1)
            #expect(try await organisation.outbox() == [])
        }
    }

    @Test("what failed comes after what never did, so that one dead push service keeps nobody waiting")
    func order() async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, client, alice) async throws in
            push.answer(.init(status: 500))
            #expect(try await organisation.deliver() == 1)
            organisation.clock.advance(.seconds(60))
            let bob = try await client.join(organisation.person("bob"))
            try await client.subscribe(bob, "bob")
            try await Self.tell(bob, .session, organisation)
            let taken = try await organisation.delivery().claim(1).taken
            #expect(taken.map(\.account) == [bob.account.id])
        }
    }

    @Test("of an account without end only so many wait, but what protects it is never left out")
    func flood() async throws {
        try await Self.waiting(FakePushService()) { (organisation, _, alice) async throws in
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                for number in 0..<(Limits.waitingNotifications + 20) {
                    try environment.notify(
                        .document, alice.account.id, about: "\(number)", in: transaction, now: 1)
                }
                try environment.notify(.access, alice.account.id, in: transaction, now: 1)
            }
            let waiting = try await organisation.outbox()
            #expect(waiting.count == Limits.waitingNotifications + 1 && waiting.first == "access push")
        }
    }

    @Test("the running service is woken by an act, and by a retry that is due")
    func running() async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, _, alice) async throws in
            let delivery = organisation.delivery()
            push.answer(.init(status: 500))
            let task = Task { try await delivery.run() }
            // What waited at the start.
            try await push.waitForPosts(1)
            try await Self.tell(alice, .device, organisation)
            // It rang before the act was committed, so it may be the second look that finds it.
            while push.posts.count < 3 {
                try Task.checkCancellation()
                await organisation.clock.waitForSleepers(1)
                organisation.clock.advance(.milliseconds(200))
            }
            task.cancel()
            _ = try await task.value
        }
    }

    @Test(
        "two servers that share a database deliver each notice once",
        .enabled(if: TestDatabase.isPostgres, "Needs TEST_ENGINE=postgres."))
    func shared() async throws {
        let push = FakePushService()
        try await Self.waiting(push) { (organisation, _, alice) async throws in
            for number in 0..<39 { try await Self.tell(alice, .session, organisation, about: "\(number)") }
            let other = try await TestOrganisation(sharing: organisation)
            let environment = other.server.environment.with(keys: [.notificationSecret])
            let there = NotificationDelivery(
                environment: environment, senders: [:], logger: Logger(label: "t") { _ in SwiftLogNoOpLogHandler() })
            let here = organisation.delivery()
            let taken = try await withThrowingTaskGroup(of: [String].self) { group in
                for delivery in [here, there, here, there] {
                    group.addTask { try await delivery.claim(20, ofEach: 20).taken.map(\.id) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(taken).count == taken.count)
            let rest = try await here.claim(40, ofEach: 40).taken.map(\.id)
            #expect(Set(taken + rest).count == 40 && taken.count + rest.count == 40)
        }
    }
}
