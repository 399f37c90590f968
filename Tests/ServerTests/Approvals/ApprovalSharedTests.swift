import Approvals
import CryptoProvider
import Dispatch
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server
@testable import Storage

/// A service and a person who do not know which of two servers they speak to.
@Suite(
    "Approvals on servers that share a database", .timeLimit(.minutes(5)),
    .enabled(if: TestDatabase.isPostgres, "Needs TEST_ENGINE=postgres."))
struct ApprovalSharedTests {
    /// What comes to both servers at once.
    enum Rivals: String, CaseIterable { case twoDevices, denial, sameMessage }

    @Test("a service waits at one, a device answers at the other, and the service is told at once")
    func waiting() async throws {
        try await Pair.serve { pair in
            let events = pair.one.server.environment.events
            let running = Task { try await events.run() }
            defer { running.cancel() }
            try await pair.connect()
            for (number, decision) in [ApprovalDecision.allow(code: nil), .deny(.mistake, .request)].enumerated() {
                let asked = try await pair.here.ask(pair.here.request("\(number)"))
                async let told = pair.here.send(.get, "challenges/\(asked.id)?wait=25")
                // Time stands still: only the answer ends it.
                await pair.one.clock.waitForSleeper(ofExactly: .seconds(25))
                #expect(events.count == 1)
                #expect(try await pair.there.client.decide(asked.id, decision, pair.phone).status == 200)
                let state: ApprovalState = number == 0 ? .approved : .denied
                #expect(try await told.decode(ServiceChallenge.self).state == state)
                while events.count > 0, !Task.isCancelled { await Task.yield() }
            }
        }
    }

    @Test(
        "of two answers at once, one to each, one wins and the other is told so; the same one to both counts once",
        arguments: Rivals.allCases)
    func race(rivals: Rivals) async throws {
        try await Pair.serve { pair in
            for round in 0..<4 {
                let asked = try await pair.here.ask(pair.here.request("\(round)"))
                let first = try await pair.here.client.answer(asked.id, .allow(code: nil), pair.phone)
                let second =
                    switch rivals {
                    case .twoDevices: try await pair.there.client.answer(asked.id, .allow(code: nil), pair.tablet)
                    case .denial: try await pair.there.client.answer(asked.id, .deny(.mistake, .request), pair.tablet)
                    case .sameMessage: first
                    }
                let given = try await pair.atOnce([
                    { try await pair.here.client.send(first) }, { try await pair.there.client.send(second) },
                ])
                let winners = rivals == .sameMessage ? 2 : 1
                #expect(given.count { $0.status == 200 } == winners)
                #expect(given.count { $0.errorName == "already_answered" } == 2 - winners)
                for bank in [pair.here, pair.there] {
                    let state = try await bank.find(asked.id).state
                    #expect(state == .approved || rivals == .denial && state == .denied)
                    let receipt = try await bank.receipt(asked.id)
                    #expect(receipt.answers.count == 1)
                    #expect((receipt.decision == .allow(code: nil)) == (state == .approved))
                }
                let entries = try await pair.one.server.environment.database.read { transaction in
                    try transaction.rows(
                        "SELECT position FROM log_entries WHERE type IN ('approval.given', 'approval.denied')")
                }
                #expect(entries.count == round + 1)
            }
        }
    }

    @Test("the same idempotency key to both at once asks once, and with other words it is refused at both")
    func idempotency() async throws {
        try await Pair.serve { pair in
            for round in 0..<4 {
                let request = pair.here.request("\(round)", digits: 4)
                let given = try await pair.atOnce([
                    { try await pair.here.send(.post, "challenges", request) },
                    { try await pair.there.send(.post, "challenges", request) },
                ])
                let asked = try given.map { try $0.decode(ServiceChallenge.self) }
                #expect(asked.count == 2 && asked[0] == asked[1] && asked[0].code != nil)
                for bank in [pair.here, pair.there] {
                    #expect(try await bank.client.pending(pair.alice).count == round + 1)
                    let other = bank.request("\(round)", digits: 4, text: "Eve")
                    #expect(try await bank.send(.post, "challenges", other).problem == "conflict")
                }
            }
        }
    }

    @Test("a device that is removed at one answers nothing at the other, which has it in its memory")
    func removed() async throws {
        try await Pair.serve { pair in
            let (known, late) = (
                try await pair.there.ask(pair.there.request("1")), try await pair.there.ask(pair.there.request("2"))
            )
            let (mine, others) = (
                try await pair.there.client.answer(late.id, .allow(code: nil), pair.phone),
                try await pair.there.client.answer(late.id, .allow(code: nil), pair.tablet)
            )
            #expect(try await pair.there.client.decide(known.id, .allow(code: nil), pair.phone).status == 200)
            let device = try #require(
                try await pair.here.client.devices(pair.alice).first { $0.name == "phone" })
            let removed = try await pair.here.client.send(
                .delete, "/api/approvals/devices/\(device.id)", token: pair.alice.token)
            #expect(removed.status == 200)
            for _ in 0..<2 { #expect(try await pair.there.client.send(mine).errorName == "unknown_device") }
            #expect(try await pair.here.find(late.id).state == .pending)
            #expect(try await pair.there.client.send(others).status == 200)
            let receipt = try await pair.here.receipt(late.id)
            #expect(receipt.answers.map(\.device) == [pair.tablet.key.publicKey])
        }
    }
}

/// Two servers, and a bank and a member's devices that both know.
private struct Pair: Sendable {
    let one: TestOrganisation
    let other: TestOrganisation
    /// The bank as it speaks to each.
    let here: TestBank
    let there: TestBank
    let alice: NewSession
    let phone: TestApprover
    let tablet: TestApprover

    static func serve(_ body: @escaping @Sendable (Pair) async throws -> Void) async throws {
        let one = try await TestOrganisation()
        let other = try await TestOrganisation(sharing: one)
        try await one.serve { first in
            try await other.serve { second in
                let here = try await first.bank()
                let alice = try await first.join(one.person("alice"))
                let phone = try await here.enrol("alice", alice)
                let tablet = try await here.enrol("alice", alice, name: "tablet", by: phone)
                try await body(
                    Pair(
                        one: one, other: other, here: here,
                        there: TestBank(client: second, key: here.key, owner: here.owner), alice: alice, phone: phone,
                        tablet: tablet))
            }
        }
    }

    /// Returns once live updates of the other server come to the first, which nothing says by itself.
    func connect() async throws {
        let (to, from) = (one.server.environment.events, other.server.environment.events)
        let heard = Signal()
        let stream = try to.subscribe(Principal(account: "nobody", role: .member, session: "nobody", device: nil))
        let listening = Task {
            for await _ in stream { heard.set() }
        }
        try await until {
            from.publish(LiveEvent(.approval, id: "nothing", state: "pending"), to: .accounts(["nobody"]))
            return heard.isSet
        }
        to.end(account: "nobody")
        await listening.value
    }

    /// Does things through both servers whose writes begin together: what each looks up before has not changed yet.
    ///
    /// - Parameter acts: one for each server, with one write.
    func atOnce(_ acts: [@Sendable () async throws -> TestClient.Answer]) async throws -> [TestClient.Answer] {
        let gate = DispatchSemaphore(value: 0)
        let servers = [one, other]
        let entered = servers.map { _ in Signal() }
        var holders: [Task<Void, any Error>] = []
        for (server, signal) in zip(servers, entered) {
            holders.append(
                Task {
                    try await server.database.database.write { _ in
                        signal.set()
                        gate.wait()
                    }
                })
        }
        let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
            do {
                // Also when a wait is given up: the group ends only when nobody waits for the gate.
                defer { for _ in servers { gate.signal() } }
                try await until { entered.allSatisfy { $0.isSet } }
                for act in acts { group.addTask { try await act() } }
                try await until { servers.allSatisfy { $0.waitingWrites > 0 } }
            }
            return try await group.reduce(into: [TestClient.Answer]()) { $0.append($1) }
        }
        for holder in holders { try await holder.value }
        return answers
    }
}

extension TestOrganisation {
    /// How many writes wait for their turn, on PostgreSQL.
    fileprivate var waitingWrites: Int { (database.database as? PostgresDatabase)?.waitingWrites ?? 0 }
}
