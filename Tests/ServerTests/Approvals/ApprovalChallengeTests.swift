import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// What a service asks, and what becomes of it.
@Suite("Requests for approval", .timeLimit(.minutes(5)))
struct ApprovalChallengeTests {
    @Test("case 1: a payment is asked for, shown word for word, allowed, and its receipt verifies without the server")
    func whole() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1", digits: 6))
            let code = try #require(asked.code)
            #expect(asked.state == .pending && asked.missing == 1 && code.utf8.count == 6)
            let waiting = try await client.pending(alice)
            #expect(waiting.map(\.id) == [asked.id] && waiting[0].domain == "bank.example" && waiting[0].message == nil)
            let shown = try await client.fetch(asked.id, approver).challenge.lines.map {
                "\($0.label): \(String(decoding: $0.text, as: UTF8.self))"
            }
            #expect(
                shown.prefix(4) == [
                    "service: Example Bank (bank.example)", "action: pay", "amount: 30.00 GBP",
                    "payee: Purple Plumbing",
                ])
            let answer = try await client.decide(asked.id, .allow(code: Bytes(text: code)), approver)
                .decode(AnsweredChallenge.self)
            #expect(answer.state == .approved && answer.missing == 0)
            let found = try await bank.find(asked.id)
            #expect(found.state == .approved && found.code == nil && found.decided != nil && found.denial == nil)
            #expect(try await client.pending(alice) == [])
            let receipt = try await bank.receipt(asked.id)
            #expect(receipt.decision == .allow(code: Bytes(text: code)))
            #expect(receipt.answers.map(\.device) == [approver.key.publicKey])
            let own = try await client.send(
                .get, "/api/approvals/challenges/\(asked.id)/receipt", token: alice.token
            ).decode(ApprovalReceiptFile.self)
            let file = try await bank.send(.get, "challenges/\(asked.id)/receipt").decode(ApprovalReceiptFile.self)
            #expect(own.receipt == file.receipt)
            let logged = try await client.send(.get, "/api/log/mine", token: alice.token)
                .decode(Listing<LoggedEntry>.self).items
            #expect(logged.first?.type == "approval.given")
        }
    }

    @Test("the code never reaches the member, before or after")
    func code() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1", digits: 12))
            let code = try #require(asked.code)
            for path in ["", "/\(asked.id)"] {
                let body = try await client.send(.get, "/api/approvals/challenges\(path)", token: alice.token).body
                #expect(!String(decoding: body, as: UTF8.self).contains(code))
            }
            let message = try await client.fetch(asked.id, approver).statement
            #expect(!String(decoding: message, as: UTF8.self).contains(code))
        }
    }

    @Test("case 6: the same answer again changes nothing and succeeds; everything else after it is refused")
    func again() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1"))
            let (allow, deny) = (
                try await client.answer(asked.id, .allow(code: nil), approver),
                try await client.answer(asked.id, .deny(.notMe, .request), approver)
            )
            let first = try await client.send(allow).decode(AnsweredChallenge.self)
            let size = await organisation.server.environment.log.size
            // Even after its time: the first reply may have been lost.
            organisation.clock.advance(.seconds(600))
            let second = try await client.send(allow).decode(AnsweredChallenge.self)
            #expect(second.state == .approved && second.receipt.proof.contains("index "))
            #expect(await organisation.server.environment.log.size == size)
            #expect(first.receipt.proof.contains("index ") && first.state == second.state)
            #expect(try await client.send(deny).errorName == "already_answered")
            #expect(try await bank.find(asked.id).state == .approved)
        }
    }

    @Test("case 9: a denial is signed, has a reason, and ends the request: nobody approves it afterwards")
    func denied() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1", digits: 4))
            let denied = try await client.decide(asked.id, .deny(.mistake, .request), approver)
                .decode(AnsweredChallenge.self)
            #expect(denied.state == .denied)
            let found = try await bank.find(asked.id)
            #expect(found.denial == ApprovalDenial(reason: .mistake, scope: .request))
            #expect(try await bank.receipt(asked.id).decision == .deny(.mistake, .request))
            let late = try await client.decide(
                asked.id, .allow(code: Bytes(text: try #require(asked.code))), approver)
            #expect(late.errorName == "already_answered")
            #expect(try await bank.find(asked.id).state == .denied)
        }
    }

    @Test("case 7: an answer counts to the last second of the time, and one second later it does not")
    func expiry() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let (one, two) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            let late = try await client.answer(two.id, .allow(code: nil), approver)
            organisation.clock.advance(.seconds(120))
            #expect(try await client.decide(one.id, .allow(code: nil), approver).status == 200)
            organisation.clock.advance(.seconds(1))
            let refused = try await client.send(late)
            #expect(refused.errorName == "expired" && refused.status == 410)
            // Years later too.
            organisation.clock.advance(.seconds(86_400 * 365))
            #expect(try await client.send(late).errorName == "expired")
            let found = try await bank.find(two.id)
            #expect(found.state == .expired && found.code == nil)
            #expect(try await bank.send(.get, "challenges/\(two.id)/receipt").problem == "not-found")
        }
    }

    @Test("a service no longer asks: the answer is refused, and cancelling again changes nothing")
    func cancelled() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1"))
            let answer = try await client.answer(asked.id, .allow(code: nil), approver)
            for _ in 0..<2 {
                let cancelled = try await bank.send(.post, "challenges/\(asked.id)/cancel")
                    .decode(ServiceChallenge.self)
                #expect(cancelled.state == .cancelled)
            }
            #expect(try await client.send(answer).errorName == "already_answered")
            #expect(try await client.pending(alice) == [])
            let other = try await bank.ask(bank.request("2"))
            #expect(try await client.decide(other.id, .allow(code: nil), approver).status == 200)
            #expect(try await bank.send(.post, "challenges/\(other.id)/cancel").errorName == "already_answered")
        }
    }

    @Test("two answers in the same instant: one wins, the other is told so", arguments: [true, false])
    func race(isAllowedTwice: Bool) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            let tablet = try await bank.enrol("alice", alice, name: "tablet", by: phone)
            for round in 0..<8 {
                let asked = try await bank.ask(bank.request("\(round)"))
                let answers = [
                    try await client.answer(asked.id, .allow(code: nil), phone),
                    try await client.answer(
                        asked.id, isAllowedTwice ? .allow(code: nil) : .deny(.mistake, .request), tablet),
                ]
                let given = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
                    for answer in answers { group.addTask { try await client.send(answer) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(given.count { $0.status == 200 } == 1)
                #expect(given.count { $0.errorName == "already_answered" } == 1)
                let receipt = try await bank.receipt(asked.id)
                let isApproved = try await bank.find(asked.id).state == .approved
                #expect(receipt.answers.count == 1 && (receipt.decision == .allow(code: nil)) == isApproved)
            }
        }
    }

    @Test("a wrong code is refused, and the third cancels the request")
    func wrongCodes() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1", digits: 4))
            let code = Bytes(text: try #require(asked.code))
            for place in 0..<3 {
                var wrong = code
                wrong[place] = wrong[place] == 0x30 ? 0x31 : 0x30
                let refused = try await client.decide(asked.id, .allow(code: wrong), approver)
                #expect(refused.errorName == "wrong_code" && refused.status == 403)
            }
            #expect(try await bank.find(asked.id).state == .cancelled)
            #expect(try await client.decide(asked.id, .allow(code: code), approver).errorName == "already_answered")
            // The member is told why, and a service that takes its question back is no wrong code.
            let taken = try await bank.ask(bank.request("2", digits: 4))
            _ = try await bank.send(.post, "challenges/\(taken.id)/cancel")
            for (id, isEnded) in [(asked.id, true), (taken.id, false)] {
                let shown = try await client.send(
                    .get, "/api/approvals/challenges/\(id)", token: alice.token
                ).decode(MemberChallenge.self)
                #expect(shown.state == .cancelled && shown.endedByCodes == isEnded)
            }
        }
    }

    @Test("two approvers out of three: each counts once, and all of them are in one receipt")
    func quorum() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            var people: [TestApprover] = []
            for name in ["alice", "bob", "carol"] {
                people.append(try await bank.enrol(name, try await client.join(organisation.person(name))))
            }
            let asked = try await bank.ask(bank.request("1", of: ["alice", "bob", "carol"], need: 2))
            let first = try await client.decide(asked.id, .allow(code: nil), people[0]).decode(AnsweredChallenge.self)
            #expect(first.state == .pending && first.missing == 1)
            #expect(try await bank.find(asked.id).missing == 1)
            #expect(try await client.pending(people[0].session) == [])
            // Nobody counts twice.
            #expect(
                try await client.decide(asked.id, .allow(code: nil), people[0]).decode(AnsweredChallenge.self).missing
                    == 1)
            let second = try await client.decide(asked.id, .allow(code: nil), people[2])
                .decode(AnsweredChallenge.self)
            #expect(second.state == .approved && second.missing == 0)
            #expect(try await bank.receipt(asked.id).answers.count == 2)
            #expect(
                try await client.decide(asked.id, .allow(code: nil), people[1]).errorName == "already_answered")
            // The first denial decides.
            let other = try await bank.ask(bank.request("2", of: ["alice", "bob", "carol"], need: 2))
            #expect(try await client.decide(other.id, .allow(code: nil), people[0]).status == 200)
            #expect(try await client.decide(other.id, .deny(.mistake, .request), people[1]).status == 200)
            #expect(try await bank.find(other.id).state == .denied)
            #expect(try await bank.receipt(other.id).answers.map(\.device) == [people[1].key.publicKey])
        }
    }

    @Test("the same idempotency key asks once, even in the same instant; with another request it is refused")
    func idempotency() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            let request = bank.request("the same", digits: 4)
            let asked = try await withThrowingTaskGroup(of: ServiceChallenge.self) { group in
                for _ in 0..<5 { group.addTask { try await bank.ask(request) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(asked.allSatisfy { $0 == asked[0] } && asked[0].code != nil)
            #expect(try await client.pending(alice).count == 1)
            #expect(try await bank.send(.post, "challenges", bank.request("the same")).problem == "conflict")
            #expect(
                try await bank.send(.post, "challenges", bank.request("the same", digits: 4, text: "Eve")).problem
                    == "conflict")
            // Another service's keys are its own.
            let shop = try await bank.shop()
            _ = try await shop.enrol("alice", alice)
            #expect(try await shop.ask(request).id != asked[0].id)
        }
    }

    @Test("a service waits for an answer: bounded by the clock, and told at once when it comes")
    func waiting() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1"))
            let hub = organisation.server.environment.events
            async let patient = bank.send(.get, "challenges/\(asked.id)?wait=25")
            // One that limits the whole request sleeps too.
            await organisation.clock.waitForSleepers(2)
            #expect(hub.count == 1)
            organisation.clock.advance(.seconds(25))
            #expect(try await patient.decode(ServiceChallenge.self).state == .pending)
            while hub.count > 0, !Task.isCancelled { await Task.yield() }
            async let told = bank.send(.get, "challenges/\(asked.id)?wait=25")
            await organisation.clock.waitForSleepers(2)
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            #expect(try await told.decode(ServiceChallenge.self).state == .approved)
            // What is decided waits for nothing.
            #expect(try await bank.send(.get, "challenges/\(asked.id)?wait=25").status == 200)
            for text in ["26", "-1", "x", "1.5", ""] {
                #expect(try await bank.send(.get, "challenges/\(asked.id)?wait=\(text)").problem == "bad-request")
            }
        }
    }

    @Test(
        "services that wait leave half of all places to members, and what is over makes room",
        .timeLimit(.minutes(5)))
    func waits() async throws {
        var configuration = ServerConfiguration()
        configuration.liveUpdates = 12
        let organisation = try await TestOrganisation(configuration: configuration)
        try await organisation.serve { client in
            let bank = try await client.enrolled().bank
            let asked = try await bank.ask(bank.request("1"))
            @Sendable func wait() async throws -> TestClient.Answer {
                try await bank.send(.get, "challenges/\(asked.id)?wait=25")
            }
            try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
                for _ in 0..<10 { group.addTask { try await wait() } }
                for _ in 0..<4 {
                    let refused = try await group.next()
                    #expect(refused?.problem == "too-many-requests" && refused?.retryAfter == "5")
                }
                // Each sleeps, and so does what limits the time of requests.
                await organisation.clock.waitForSleepers(7)
                #expect(organisation.server.environment.events.count == 6)
                organisation.clock.advance(.seconds(25))
                for try await answer in group { #expect(answer.status == 200) }
            }
            async let again = wait()
            await organisation.clock.waitForSleepers(2)
            organisation.clock.advance(.seconds(25))
            #expect(try await again.status == 200)
        }
    }

    @Test("a device confirmed by a server whose clock is ahead answers at once, and its receipt holds")
    func clockBack() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            organisation.clock.advance(.seconds(-5))
            let asked = try await bank.ask(bank.request("1"))
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            #expect(try await bank.receipt(asked.id).decision == .allow(code: nil))
        }
    }

    @Test("an open wallet hears of what is asked and decided, and nobody else does")
    func live() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let approver = try await bank.enrol("alice", alice)
            let environment = organisation.server.environment
            var streams: [AsyncStream<EventHub.Frame>] = []
            for session in [alice, eve] {
                let principal = try #require(
                    await SessionService(environment: environment).authenticate(token: session.token))
                streams.append(try environment.events.subscribe(principal))
            }
            let one = try await bank.ask(bank.request("1"))
            // Asked again under the same key, nobody hears of it again.
            _ = try await bank.ask(bank.request("1"))
            #expect(try await client.decide(one.id, .allow(code: nil), approver).status == 200)
            for session in [alice, eve] { environment.events.end(account: session.account.id) }
            var told: [[String]] = []
            for stream in streams {
                var heard: [String] = []
                for await case .event(let event) in stream { heard.append("\(event.kind) \(event.id) \(event.state)") }
                told.append(heard)
            }
            #expect(told == [["approval \(one.id) pending", "approval \(one.id) approved"], []])
        }
    }

    @Test("services and members see and cancel nothing of others")
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let approver = try await bank.enrol("alice", alice)
            _ = try await bank.enrol("eve", eve)
            let asked = try await bank.ask(bank.request("1"))
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            for (method, path) in [
                (HTTPRequest.Method.get, ""), (.get, "?wait=5"), (.post, "/cancel"), (.get, "/receipt"),
            ] {
                #expect(
                    try await shop.send(method, "challenges/\(asked.id)\(path)").errorName == "unknown_challenge")
            }
            for path in ["", "/receipt"] {
                let answer = try await client.send(
                    .get, "/api/approvals/challenges/\(asked.id)\(path)", token: eve.token)
                #expect(answer.errorName == "unknown_challenge")
            }
            #expect(try await client.pending(eve) == [])
        }
    }

    @Test("removing a service ends what it asks, and leaves what was approved")
    func removed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            let (done, open) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            #expect(try await client.decide(done.id, .allow(code: nil), approver).status == 200)
            let answer = try await client.answer(open.id, .allow(code: nil), approver)
            let begun = try await bank.begin("bob")
            let removed = try await client.send(
                .delete, "/api/services/\(bank.key.service.id)", token: bank.owner.token)
            #expect(removed.status == 200)
            #expect(try await client.send(answer).errorName == "already_answered")
            #expect(try await client.take(begun, try TestApprover(begun, alice)).errorName == "unknown_challenge")
            let file = try await client.send(
                .get, "/api/approvals/challenges/\(done.id)/receipt", token: alice.token
            ).decode(ApprovalReceiptFile.self)
            _ = try ApprovalReceipt.verify(
                try file.receipt.decodedBytes(), trusting: [try bank.trusted()], suite: SwiftCryptoSuite())
        }
    }
}
