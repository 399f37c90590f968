import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// How often somebody may be asked, whom a denial stops, and how an attacker who knows a passphrase gets no further.
@Suite("Asking until somebody gives in")
struct PromptTests {
    @Test("the owner's budget holds for each service and for all together, and nothing beyond it is stored or sent")
    func budget() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            _ = try await bank.enrol("alice", alice)
            _ = try await shop.enrol("alice", alice)
            let changed = try await client.send(
                .put, "/api/approvals/settings", ApprovalBudget(perService: 2, together: 3), token: alice.token
            ).decode(ApprovalSettings.self)
            #expect(changed == ApprovalSettings(perService: 2, together: 3))
            for number in 1...2 { _ = try await bank.ask(bank.request("\(number)")) }
            let third = try await bank.send(.post, "challenges", bank.request("3"))
            #expect(third.status == 429 && third.errorName == "budget_used" && third.retryAfter == "3600")
            _ = try await shop.ask(shop.request("1"))
            #expect(try await shop.send(.post, "challenges", shop.request("2")).errorName == "not_now")
            #expect(try await client.pending(alice).count == 3)
            #expect(try await organisation.rows()["approval_challenges"]?.count == 3)
            // What was asked already may be asked for again.
            #expect(try await bank.send(.post, "challenges", bank.request("2")).status == 201)
            organisation.clock.advance(.seconds(3_600))
            #expect(try await bank.send(.post, "challenges", bank.request("3")).status == 201)
        }
    }

    @Test("one service that asks for days, unanswered, leaves room for others")
    func pending() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            for one in [bank, shop] { _ = try await one.enrol("alice", alice) }
            let budget = ApprovalBudget(perService: 60, together: 240)
            let set = try await client.send(.put, "/api/approvals/settings", budget, token: alice.token)
            #expect(set.status == 200)
            var first = ""
            for number in 0..<Limits.pendingApprovalsOfService {
                let asked = try await bank.ask(bank.request("\(number)", lifetime: 604_800))
                if number == 0 { first = asked.id }
            }
            organisation.clock.advance(.seconds(PromptRules.hour))
            let refused = try await bank.send(.post, "challenges", bank.request("more"))
            #expect(refused.errorName == "budget_used" && refused.retryAfter == "3600")
            #expect(try await shop.ask(shop.request("1")).state == .pending)
            #expect(try await bank.send(.post, "challenges/\(first)/cancel").status == 200)
            #expect(try await bank.ask(bank.request("more")).state == .pending)
        }
    }

    @Test("a budget out of range is refused")
    func ranges() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            for (perService, together) in [(0, 30), (61, 30), (10, 0), (10, 241), (-1, -1)] {
                let answer = try await client.send(
                    .put, "/api/approvals/settings", ApprovalBudget(perService: perService, together: together),
                    token: alice.token)
                #expect(answer.problem == "invalid-member")
            }
            let settings = try await client.send(.get, "/api/approvals/settings", token: alice.token)
                .decode(ApprovalSettings.self)
            #expect(settings == ApprovalSettings(perService: 10, together: 30))
        }
    }

    @Test("a browser has one waiting sign-in, and a stranger's waiting one does not block the owner's")
    func browsers() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            _ = try await bank.ask(bank.signIn("1", browser: "browser of a stranger"))
            let again = try await bank.send(
                .post, "challenges", bank.signIn("2", browser: "browser of a stranger"))
            #expect(again.status == 409 && again.errorName == "already_waiting")
            let own = try await bank.ask(bank.signIn("3"))
            let code = Bytes(text: try #require(own.code))
            #expect(try await client.decide(own.id, .allow(code: code), approver).status == 200)
            // The stranger's goes on waiting, and after its time another may come.
            organisation.clock.advance(.seconds(121))
            #expect(
                try await bank.send(.post, "challenges", bank.signIn("4", browser: "browser of a stranger")).status
                    == 201)
        }
    }

    @Test("the code of one sign-in approves no other, so a stranger's request cannot be approved by mistake")
    func mixed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let strangers = try await bank.ask(bank.signIn("1", browser: "browser of a stranger", digits: 12))
            let own = try await bank.ask(bank.signIn("2", digits: 12))
            let code = Bytes(text: try #require(own.code))
            #expect(try await client.decide(strangers.id, .allow(code: code), approver).errorName == "wrong_code")
            #expect(try await bank.find(strangers.id).state == .pending)
            #expect(try await client.decide(own.id, .allow(code: code), approver).status == 200)
        }
    }

    @Test("after \"not me\" the service waits, twice as long each time, until the owner approves something")
    func backOff() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            for (number, wait) in [60, 120, 240].enumerated() {
                let asked = try await bank.ask(bank.request("\(number)"))
                #expect(try await client.decide(asked.id, .deny(.notMe, .request), approver).status == 200)
                let early = try await bank.send(.post, "challenges", bank.request("early \(number)"))
                #expect(early.status == 429 && early.errorName == "backing_off" && early.retryAfter == "\(wait)")
                organisation.clock.advance(.seconds(wait - 1))
                let still = try await bank.send(.post, "challenges", bank.request("early \(number)"))
                #expect(still.errorName == "backing_off" && still.retryAfter == "1")
                organisation.clock.advance(.seconds(1))
            }
            let asked = try await bank.ask(bank.request("approved"))
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            let next = try await bank.ask(bank.request("denied again"))
            #expect(try await client.decide(next.id, .deny(.notMe, .request), approver).status == 200)
            #expect(try await bank.send(.post, "challenges", bank.request("last")).retryAfter == "60")
        }
    }

    @Test("a denial for an hour ends all that this service asks, and no other service")
    func hour() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            let approver = try await bank.enrol("alice", alice)
            _ = try await shop.enrol("alice", alice)
            let (one, two) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            let other = try await shop.ask(shop.request("1"))
            let late = try await client.answer(two.id, .allow(code: nil), approver)
            #expect(try await client.decide(one.id, .deny(.mistake, .service), approver).status == 200)
            #expect(try await bank.find(two.id).state == .cancelled)
            #expect(try await client.send(late).errorName == "already_answered")
            #expect(try await shop.find(other.id).state == .pending)
            let refused = try await bank.send(.post, "challenges", bank.request("3"))
            #expect(refused.status == 429 && refused.errorName == "denied" && refused.retryAfter == "3600")
            #expect(try await shop.send(.post, "challenges", shop.request("2")).status == 201)
            organisation.clock.advance(.seconds(3_600))
            #expect(try await bank.send(.post, "challenges", bank.request("3")).status == 201)
        }
    }

    @Test("a denial counts from when it was given, also of a question that waited for days")
    func late() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            var answers: [ApprovalMessage] = []
            for (key, denial) in [("1", ApprovalDecision.deny(.notMe, .request)), ("2", .deny(.mistake, .service))] {
                let asked = try await bank.ask(bank.request(key, lifetime: 604_800))
                answers.append(try await client.answer(asked.id, denial, approver))
            }
            organisation.clock.advance(.seconds(3 * 86_400))
            #expect(try await client.send(answers[0]).status == 200)
            let refused = try await bank.send(.post, "challenges", bank.request("3"))
            #expect(refused.errorName == "backing_off" && refused.retryAfter == "60")
            organisation.clock.advance(.seconds(60))
            #expect(try await client.send(answers[1]).status == 200)
            let denied = try await bank.send(.post, "challenges", bank.request("4"))
            #expect(denied.errorName == "denied" && denied.retryAfter == "3600")
        }
    }

    @Test("a denial that freezes the account ends everything, until its owner unfreezes it with a confirmation")
    func frozen() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let person = try organisation.person("alice")
            let alice = try await client.join(person)
            let (phone, other) = (try await bank.enrol("alice", alice), try await shop.enrol("alice", alice))
            let (one, two) = (try await bank.ask(bank.request("1")), try await shop.ask(shop.request("1")))
            let late = try await client.answer(two.id, .allow(code: nil), other)
            #expect(try await client.decide(one.id, .deny(.notMe, .account), phone).status == 200)
            #expect(try await client.send(late).errorName == "already_answered")
            #expect(try await shop.find(two.id).state == .cancelled)
            organisation.clock.advance(.seconds(86_400))
            for service in [bank, shop] {
                let refused = try await service.send(.post, "challenges", service.request("2"))
                #expect(refused.status == 429 && refused.errorName == "not_now")
            }
            // Another budget unfreezes nothing, and neither does a session that was not confirmed lately.
            let budget = ApprovalBudget(perService: 60, together: 240)
            let (put, path) = ("/api/approvals/settings", "/api/approvals/freeze")
            // Sessions last half a day.
            let session = try await client.signIn(person, device: alice.deviceID)
            let changed = try await client.send(.put, put, budget, token: session.token).decode(ApprovalSettings.self)
            #expect(changed.frozen != nil)
            #expect(try await bank.send(.post, "challenges", bank.request("2")).errorName == "not_now")
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await client.send(.delete, path, token: session.token).problem == "confirmation-required")
            let fresh = try await client.signIn(person, device: alice.deviceID)
            let unfrozen = try await client.send(.delete, path, token: fresh.token).decode(ApprovalSettings.self)
            #expect(unfrozen == ApprovalSettings(perService: 60, together: 240))
            #expect(try await bank.send(.post, "challenges", bank.request("2")).status == 201)
        }
    }

    @Test("services that work together see one answer, whether others have asked too often or all is frozen")
    func together() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let shop = try await bank.shop()
            let alice = try await client.join(organisation.person("alice"))
            _ = try await bank.enrol("alice", alice)
            _ = try await shop.enrol("alice", alice)
            let budget = ApprovalBudget(perService: 3, together: 3)
            #expect(try await client.send(.put, "/api/approvals/settings", budget, token: alice.token).status == 200)
            func refused(_ service: TestBank) async throws -> String {
                let answer = try await service.send(.post, "challenges", service.request("late"))
                let details = try StrictDecoder.decode(ProblemDetails.self, from: JSON.parse(answer.body))
                return "\(answer.status) \(answer.errorName ?? "") \(answer.retryAfter ?? "") \(details.detail)"
            }
            for number in 1...3 { _ = try await shop.ask(shop.request("\(number)")) }
            organisation.clock.advance(.seconds(100))
            let used = try await refused(bank)
            #expect(used.hasPrefix("429 not_now 3600 "))
            // The shop is told what it knows anyway, frozen or not.
            let own = try await refused(shop)
            #expect(own.hasPrefix("429 budget_used 3500 "))
            organisation.clock.advance(.seconds(3_600))
            let frozen = try await client.send(.put, "/api/approvals/freeze", token: alice.token)
            #expect(frozen.status == 200)
            #expect(try await refused(bank) == used)
            #expect(try await refused(shop) == used)
        }
    }

    @Test("a device counts no more once it was removed, or its wallet's device was revoked")
    func gone() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let bob = try await client.join(organisation.person("bob"))
            let (first, second) = (try await bank.enrol("alice", alice), try await bank.enrol("bob", bob))
            let (one, two) = (
                try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2", of: ["bob"]))
            )
            let answers = [
                try await client.answer(one.id, .allow(code: nil), first),
                try await client.answer(two.id, .allow(code: nil), second),
            ]
            let device = try #require(try await client.devices(alice).first)
            #expect(
                try await client.send(.delete, "/api/approvals/devices/\(device.id)", token: alice.token).status == 200)
            let revoked = try await client.send(
                .post, "/api/devices/\(bob.deviceID)/revoke", Reason(reason: "lost"), token: bob.token)
            #expect(revoked.status == 200)
            for answer in answers { #expect(try await client.send(answer).errorName == "unknown_device") }
            #expect(try await bank.find(one.id).state == .pending)
            #expect(try await bank.send(.post, "challenges", bank.request("3")).errorName == "no_device")
        }
    }
}
