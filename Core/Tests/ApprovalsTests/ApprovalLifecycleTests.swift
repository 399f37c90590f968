import Approvals
import Encodings
import Testing

@Suite("A request for approval")
struct ApprovalLifecycleTests {
    private let alice = Bytes(repeating: 1, count: 32)
    private let bob = Bytes(repeating: 2, count: 32)
    private let carol = Bytes(repeating: 3, count: 32)
    private let allow = ApprovalDecision.allow(code: Bytes(text: "42"))
    private let end: Int64 = 1_000

    private func key(_ number: UInt8) -> P256PublicKey {
        // The tests of curves are elsewhere: here a key is a name.
        guard let key = P256PublicKey(x963: [4] + Bytes(repeating: number, count: 64)) else { preconditionFailure() }
        return key
    }

    private func answer(
        _ approver: Bytes, _ device: UInt8 = 1, _ decision: ApprovalDecision? = nil
    ) -> GivenAnswer {
        GivenAnswer(approver: approver, key: key(device), decision: decision ?? allow)
    }

    private func request() -> ApprovalLifecycle { ApprovalLifecycle(expires: end, approvers: [alice]) }

    /// What an answer throws; the request must be as it was.
    private func refusal(
        _ request: ApprovalLifecycle, _ answer: GivenAnswer, at now: Int64 = 1
    ) -> ApprovalError? {
        var changed = request
        do {
            _ = try changed.take(answer, at: now)
            return nil
        } catch {
            #expect(changed == request)
            return error
        }
    }

    @Test("counts its first answer and no other")
    func firstWins() throws {
        for decision in [allow, .deny(.notMe, .request)] {
            var request = request()
            #expect(try request.take(answer(alice, 1, decision), at: 1) == (decision == allow ? .approved : .denied))
            #expect(request.state == (decision == allow ? .approved : .denied))
            for other in [
                answer(alice, 2, decision), answer(alice, 1, .deny(.mistake, .request)),
                answer(alice, 1, .allow(code: nil)), answer(bob, 1, decision),
            ] {
                #expect(refusal(request, other) == .alreadyAnswered)
            }
            #expect(throws: ApprovalError.alreadyAnswered) { try request.cancel(at: 1) }
            #expect(throws: ApprovalError.alreadyAnswered) { try request.noteWrongCode(at: 1) }
            #expect(request.answers.count == 1)
        }
    }

    @Test("takes the same answer again for good, even long after, and changes nothing")
    func idempotent() throws {
        for decision in [allow, .deny(.notMe, .account)] {
            var request = request()
            _ = try request.take(answer(alice, 1, decision), at: end)
            let before = request
            #expect(try request.take(answer(alice, 1, decision), at: end + 1_000_000) == .repeated)
            #expect(request == before)
        }
    }

    @Test("is open in its last second and closed in the next")
    func expiry() throws {
        #expect(refusal(request(), answer(alice), at: end) == nil)
        #expect(refusal(request(), answer(alice), at: end + 1) == .expired)
        #expect(refusal(request(), answer(alice), at: .max) == .expired)
        var request = request()
        #expect(request.state(at: end) == .pending)
        #expect(request.state(at: end + 1) == .expired)
        request.settle(at: end)
        #expect(request.state == .pending)
        #expect(throws: ApprovalError.expired) { try request.cancel(at: end + 1) }
        #expect(throws: ApprovalError.expired) { try request.noteWrongCode(at: end + 1) }
        request.settle(at: end + 1)
        #expect(request.state == .expired)
        // A clock that goes back opens nothing again.
        #expect(refusal(request, answer(alice), at: 1) == .expired)
    }

    @Test("that is cancelled stays so")
    func cancelled() throws {
        var request = request()
        try request.cancel(at: 1)
        try request.cancel(at: end + 1)
        #expect(request.state == .cancelled)
        #expect(refusal(request, answer(alice)) == .alreadyAnswered)
        #expect(request.state(at: end + 1) == .cancelled)
    }

    @Test("takes no answer from an account that was not asked")
    func stranger() {
        #expect(refusal(request(), answer(bob)) == .unknownDevice)
    }

    @Test("ends after three wrong codes")
    func wrongCodes() throws {
        var request = request()
        try request.noteWrongCode(at: 1)
        try request.noteWrongCode(at: 1)
        #expect(refusal(request, answer(alice)) == nil)
        try request.noteWrongCode(at: 1)
        #expect(request.state == .cancelled)
        #expect(refusal(request, answer(alice)) == .alreadyAnswered)
        #expect(throws: ApprovalError.alreadyAnswered) { try request.noteWrongCode(at: 1) }
    }

    @Test("to several is approved by as many as it needs, each of them once")
    func quorum() throws {
        var request = ApprovalLifecycle(expires: end, approvers: [alice, bob, carol], need: 2)
        #expect(try request.take(answer(alice, 1), at: 1) == .counted(missing: 1))
        #expect(request.state == .pending)
        #expect(try request.take(answer(alice, 1), at: 2) == .repeated)
        #expect(refusal(request, answer(alice, 2)) == .alreadyAnswered)
        #expect(refusal(request, answer(alice, 1, .deny(.mistake, .request))) == .alreadyAnswered)
        #expect(try request.take(answer(carol, 3), at: 3) == .approved)
        #expect(request.answers.map { $0.approver } == [alice, carol])
        #expect(refusal(request, answer(bob, 4)) == .alreadyAnswered)
        #expect(try request.take(answer(alice, 1), at: end + 1) == .repeated)
    }

    @Test("to several is denied by the first who denies")
    func denial() throws {
        var request = ApprovalLifecycle(expires: end, approvers: [alice, bob, carol], need: 3)
        _ = try request.take(answer(alice, 1), at: 1)
        #expect(try request.take(answer(bob, 2, .deny(.notMe, .service)), at: 2) == .denied)
        #expect(refusal(request, answer(carol, 3)) == .alreadyAnswered)
        #expect(try request.take(answer(alice, 1), at: 3) == .repeated)
    }

    @Test("comes to the same whichever of two answers is first, but for who it was")
    func race() throws {
        for order in [[1, 2], [2, 1]] as [[UInt8]] {
            var request = request()
            #expect(try request.take(answer(alice, order[0]), at: 1) == .approved)
            #expect(refusal(request, answer(alice, order[1])) == .alreadyAnswered)
            #expect(request.answers.map { $0.key } == [key(order[0])])
        }
    }
}

@Suite("The budget of prompts")
struct PromptRulesTests {
    private let bank = Bytes(text: "bank.example")
    private let shop = Bytes(text: "shop.example")
    private let now: Int64 = 1_000_000

    private func sent(
        _ ago: Int64, service: Bytes? = nil, browser: String? = nil, _ outcome: SentPrompt.Outcome = .over
    ) -> SentPrompt {
        SentPrompt(
            service: service ?? bank, browser: browser.map { Bytes(text: $0) }, time: now - ago, outcome: outcome)
    }

    private func refusal(
        _ sent: [SentPrompt], browser: String? = nil, budget: PromptBudget = .usual, isFrozen: Bool = false,
        at time: Int64? = nil
    ) -> PromptRefusal? {
        do {
            try PromptRules.check(
                service: bank, browser: browser.map { Bytes(text: $0) }, sent: sent, budget: budget,
                isFrozen: isFrozen, now: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    @Test("lets a service ask as often in an hour as the owner chose, and says when it may again")
    func perService() {
        let budget = PromptBudget(perService: 3, together: 30)
        let two = [sent(3_599), sent(20)]
        #expect(refusal(two, budget: budget) == nil)
        #expect(refusal(two + [sent(10)], budget: budget) == .budgetUsed(until: now + 1))
        #expect(refusal(two + [sent(10)], budget: budget, at: now + 1) == nil)
        #expect(refusal([sent(3_600), sent(3_600), sent(20), sent(10)], budget: budget) == nil)
        // More than the budget was sent before the owner lowered it: so many have to be over.
        #expect(refusal([sent(40), sent(30), sent(20), sent(10)], budget: budget) == .budgetUsed(until: now + 3_570))
    }

    @Test("has a limit for all services together")
    func together() {
        let budget = PromptBudget(perService: 10, together: 3)
        let others = [sent(30, service: shop), sent(20, service: shop)]
        #expect(refusal(others, budget: budget) == nil)
        #expect(refusal(others + [sent(10)], budget: budget) == .notNow)
        // A service's own part is told by its own name, whatever others have asked.
        let own = (0..<10).map { sent(Int64(20 - $0)) }
        #expect(refusal(others + own, budget: budget) == .budgetUsed(until: now + 3_580))
    }

    @Test("keeps within its range")
    func range() {
        #expect(PromptBudget(perService: 0, together: -1) == PromptBudget(perService: 1, together: 1))
        #expect(PromptBudget(perService: .max, together: .max) == PromptBudget(perService: 60, together: 240))
    }

    @Test("lets a browser have one sign-in waiting, and no other browser suffer for it")
    func waiting() {
        let stranger = sent(10, browser: "stranger", .waiting)
        #expect(refusal([stranger], browser: "stranger") == .alreadyWaiting)
        #expect(refusal([stranger], browser: "owner") == nil)
        #expect(refusal([stranger]) == nil)
        #expect(refusal([sent(10, service: shop, browser: "stranger", .waiting)], browser: "stranger") == nil)
        #expect(refusal([sent(10, browser: "stranger", .over)], browser: "stranger") == nil)
    }

    @Test("makes a service wait after each \"not me\", longer each time, until the owner approves")
    func backOff() {
        func denied(_ ago: Int64) -> SentPrompt { sent(ago + 5, .denied(.notMe, .request, at: now - ago)) }
        #expect(refusal([denied(59)]) == .backingOff(until: now + 1))
        #expect(refusal([denied(60)]) == nil)
        #expect(refusal([denied(500), denied(119)]) == .backingOff(until: now + 1))
        #expect(refusal([denied(500), denied(120)]) == nil)
        #expect(refusal([denied(900), denied(500), denied(239)]) == .backingOff(until: now + 1))
        // What expires unanswered does not forgive, an approval does.
        #expect(refusal([denied(500), sent(200, .over), denied(119)]) == .backingOff(until: now + 1))
        #expect(refusal([denied(500), sent(200, .approved(at: now - 190)), denied(60)]) == nil)
        // Questions may be answered in another order than they came.
        let late = sent(300, .denied(.notMe, .request, at: now - 10))
        #expect(refusal([late, sent(200, .approved(at: now - 100))]) == .backingOff(until: now + 50))
        #expect(refusal([sent(300, .approved(at: now - 10)), denied(30)]) == nil)
        #expect(refusal([sent(300, .approved(at: now - 30)), denied(30)]) == .backingOff(until: now + 30))
        let many = (0..<40).map { denied(Int64(80_000 - 1_000 * $0)) }
        #expect(refusal(many) == .backingOff(until: now - 41_000 + 86_400))
        let other = SentPrompt(service: shop, browser: nil, time: now - 5, outcome: .denied(.notMe, .request, at: now))
        #expect(refusal([other]) == nil)
        #expect(refusal([sent(5, .denied(.mistake, .request, at: now))]) == nil)
    }

    @Test("obeys a denial of the service for an hour, and a frozen account")
    func scopes() {
        let denied = sent(10, .denied(.mistake, .service, at: now - 5))
        #expect(refusal([denied]) == .serviceDenied(until: now + 3_595))
        #expect(refusal([denied], at: now + 3_594) == .serviceDenied(until: now + 3_595))
        #expect(refusal([denied], at: now + 3_595) == nil)
        #expect(refusal([], isFrozen: true) == .notNow)
        // What the service knows anyway comes first, frozen or not.
        #expect(refusal([denied], isFrozen: true) == .serviceDenied(until: now + 3_595))
    }
}
