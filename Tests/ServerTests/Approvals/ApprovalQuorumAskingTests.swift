import Approvals
import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// What a service with a quorum may ask, of how many.
@Suite("Asking under a quorum")
struct ApprovalQuorumAskingTests {
    private static let rule = ApprovalQuorum(
        currency: "GBP", steps: [.init(from: 0, need: 1), .init(from: 100_000, need: 2)])

    /// A bank whose alice, bob and carol have a device.
    private struct Stage {
        let bank: TestBank
        let people: [TestApprover]

        init(_ client: TestClient) async throws {
            bank = try await client.bank()
            var people: [TestApprover] = []
            for name in ["alice", "bob", "carol"] {
                people.append(try await bank.enrol(name, try await client.join(client.organisation.person(name))))
            }
            self.people = people
        }
    }

    private static func payment(
        _ key: String, _ fields: [ApprovalField], action: ApprovalActionName = .pay,
        of users: [String] = ["alice", "bob", "carol"], need: Int? = nil
    ) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: key, action: action, fields: fields + [ApprovalField(.payee, text: "Purple Plumbing")],
            approvers: users, need: need, lifetime: 120, matchDigits: 0)
    }

    private static func pounds(_ value: Int64) -> ApprovalField {
        ApprovalField(.amount, value: value, currency: "GBP")
    }

    @Test("1,000 GBP need two: one approval leaves it pending, the second decides, and one receipt has both")
    func whole() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            try await stage.bank.setQuorum(Self.rule)
            let small = try await stage.bank.ask(Self.payment("1", [Self.pounds(99_999)]))
            #expect(small.missing == 1)
            #expect(try await client.decide(small.id, .allow(code: nil), stage.people[1]).status == 200)
            #expect(try await stage.bank.find(small.id).state == .approved)

            let large = try await stage.bank.ask(Self.payment("2", [Self.pounds(100_000)]))
            #expect(large.missing == 2)
            let first = try await client.decide(large.id, .allow(code: nil), stage.people[0])
                .decode(AnsweredChallenge.self)
            #expect(first.state == .pending && first.missing == 1)
            #expect(try await stage.bank.send(.get, "challenges/\(large.id)/receipt").problem == "not-found")
            let second = try await client.decide(large.id, .allow(code: nil), stage.people[2])
                .decode(AnsweredChallenge.self)
            #expect(second.state == .approved)
            let receipt = try await stage.bank.receipt(large.id)
            #expect(receipt.challenge.need == 2 && receipt.answers.count == 2)
            #expect(Set(receipt.answers.map(\.account)).count == 2)
        }
    }

    @Test("the receipt holds though the server that takes the second answer has a clock that is behind")
    func clocks() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            try await stage.bank.setQuorum(Self.rule)
            let asked = try await stage.bank.ask(Self.payment("1", [Self.pounds(100_000)]))
            organisation.clock.advance(.seconds(1))
            #expect(try await client.decide(asked.id, .allow(code: nil), stage.people[0]).status == 200)
            organisation.clock.advance(.seconds(-2))
            #expect(try await client.decide(asked.id, .allow(code: nil), stage.people[1]).status == 200)
            let receipt = try await stage.bank.receipt(asked.id)
            #expect(receipt.answers.map(\.time) == [asked.created + 1, asked.created + 1])
            #expect(receipt.time == asked.created + 1)
        }
    }

    /// What a question says, and how many have to approve it.
    private static let demands: [(fields: [ApprovalField], action: ApprovalActionName, need: Int)] = [
        ([pounds(99_999)], .pay, 1), ([pounds(100_000)], .pay, 2), ([pounds(100_000)], .change, 2),
        ([pounds(100_000)], .agree, 2),
        // Split, converted or left out.
        ([pounds(99_999), pounds(1)], .pay, 2), ([ApprovalField(.amount, value: 1, currency: "EUR")], .pay, 2),
        ([pounds(1), ApprovalField(.amount, value: 1, currency: "JPY")], .agree, 2), ([], .pay, 2),
        ([ApprovalField(.text, text: "1.00 GBP")], .pay, 2),
        // What moves no money takes the first step.
        ([], .change, 1), ([], .agree, 1),
    ]

    @Test("who leaves out 'need' gets the rule's; less and fewer approvers are refused, more is allowed")
    func demanded() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            try await stage.bank.setQuorum(Self.rule)
            for (number, (fields, action, need)) in Self.demands.enumerated() {
                let asked = try await stage.bank.ask(Self.payment("\(number)", fields, action: action))
                #expect(asked.missing == need, "\(fields) \(action)")
                for given in 1...3 {
                    let key = "\(number) \(given)"
                    let answer = try await stage.bank.send(
                        .post, "challenges", Self.payment(key, fields, action: action, need: given))
                    #expect((answer.status == 201) == (given >= need), "\(fields) \(action) \(given)")
                    if given < need {
                        #expect(answer.problem == "invalid-member" && answer.errorName == "quorum")
                        #expect(answer.problemDetail.hasPrefix("need: ") && answer.problemDetail.contains(" \(need) "))
                    } else {
                        #expect(try answer.decode(ServiceChallenge.self).missing == given)
                        _ = try await stage.bank.send(
                            .post, "challenges/\(try answer.decode(ServiceChallenge.self).id)/cancel")
                    }
                }
                let few = try await stage.bank.send(
                    .post, "challenges", Self.payment("\(number) few", fields, action: action, of: ["alice"]))
                #expect((few.status == 201) == (need == 1))
                if need > 1 {
                    #expect(few.problem == "invalid-member" && few.errorName == "quorum")
                    #expect(few.problemDetail.hasPrefix("approvers: "), "\(few.problemDetail)")
                }
                // The budget of questions begins again.
                organisation.clock.advance(.seconds(3_601))
            }
        }
    }

    @Test("who is not asked enough is asked nothing: nobody notices what was refused")
    func unnoticed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            try await stage.bank.setQuorum(Self.rule)
            for need in [nil, 1] {
                let answer = try await stage.bank.send(
                    .post, "challenges", Self.payment("1", [Self.pounds(100_000)], of: ["alice"], need: need))
                #expect(answer.errorName == "quorum")
            }
            #expect(try await client.pending(stage.people[0].session) == [])
            // The key was not used up.
            #expect(try await stage.bank.ask(Self.payment("1", [Self.pounds(100_000)])).missing == 2)
        }
    }

    @Test("a sign-in is for one person even if everything else needs two")
    func signIn() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            try await stage.bank.setQuorum(ApprovalQuorum(currency: "GBP", steps: [.init(from: 0, need: 2)]))
            #expect(try await stage.bank.ask(stage.bank.signIn("1")).missing == 1)
            var paid = stage.bank.signIn("2", browser: "another browser of alice")
            paid.fields.append(Self.pounds(0))
            #expect(try await stage.bank.send(.post, "challenges", paid).errorName == "quorum")
            let change = Self.payment("3", [], action: .change, of: ["alice"])
            #expect(try await stage.bank.send(.post, "challenges", change).errorName == "quorum")
        }
    }

    @Test("a rule is for what is asked from then on: what was asked is found by its key, and keeps its number")
    func later() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await Stage(client)
            let left = Self.payment("1", [Self.pounds(100_000)], of: ["alice"])
            let said = Self.payment("2", [Self.pounds(100_000)], need: 1)
            let (one, two) = (try await stage.bank.ask(left), try await stage.bank.ask(said))
            try await stage.bank.setQuorum(Self.rule)
            #expect(try await stage.bank.ask(left).id == one.id)
            #expect(try await stage.bank.ask(said).id == two.id)
            #expect(try await client.decide(one.id, .allow(code: nil), stage.people[0]).status == 200)
            #expect(try await stage.bank.find(one.id).state == .approved)
            try await stage.bank.setQuorum(nil)
            #expect(try await stage.bank.ask(Self.payment("3", [Self.pounds(100_000)])).missing == 1)
        }
    }

    @Test("version 1 asks one person in free text: a service that ever needs more does not ask in it")
    func original() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let bank = stage.bank
            try await bank.setQuorum(Self.rule)
            let begin = NewOriginalEnrolment(user: "alice", session: TestBank.session)
            for (path, body) in [
                ("authreq/enrolments", begin as any Encodable), ("authreq/challenges", bank.originalRequest()),
            ] {
                let refused = try await bank.send(.post, path, body)
                #expect(refused.problem == "conflict" && refused.errorName == "quorum")
                #expect(refused.problemDetail.contains("ask in version 2"))
            }
            // A rule by which one is always enough forbids nothing.
            try await bank.setQuorum(ApprovalQuorum(currency: "GBP", steps: [.init(from: 0, need: 1)]))
            #expect(try await bank.send(.post, "authreq/challenges", bank.originalRequest()).status == 201)
            try await bank.setQuorum(nil)
            #expect(try await bank.send(.post, "authreq/challenges", bank.originalRequest()).status == 201)
        }
    }
}

extension TestClient.Answer {
    /// What the problem says to people.
    fileprivate var problemDetail: String {
        (try? JSON.parse(body))?["detail"]?.string.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
