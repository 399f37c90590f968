import Approvals
import HTTPTypes
import Interface
import Testing

@testable import Server

/// What a member sees of what services asked, and how they stop it all.
@Suite("What services asked a member")
struct ApprovalHistoryTests {
    @Test("is a list of their own questions, newest first, page by page, with what became of each")
    func history() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let bob = try await client.join(organisation.person("bob"))
            let phone = try await bank.enrol("alice", alice)
            let other = try await bank.enrol("bob", bob)
            var asked: [String] = []
            for key in ["allowed", "denied", "cancelled", "late"] {
                asked.append(try await bank.ask(bank.request(key)).id)
                organisation.clock.advance(.seconds(1))
            }
            _ = try await client.decide(asked[0], .allow(code: nil), phone)
            _ = try await client.decide(asked[1], .deny(.mistake, .request), phone)
            _ = try await bank.send(.post, "challenges/\(asked[2])/cancel")
            let theirs = try await bank.ask(bank.request("bob's", of: ["bob"])).id
            organisation.clock.advance(.seconds(130))

            func page(_ query: String, _ session: NewSession = alice) async throws -> Listing<MemberChallenge> {
                try await client.send(.get, "/api/approvals/history\(query)", token: session.token)
                    .decode(Listing<MemberChallenge>.self)
            }
            let all = try await page("")
            #expect(all.items.map(\.id) == asked.reversed())
            #expect(all.items.map(\.state) == [.expired, .cancelled, .denied, .approved])
            #expect(all.items.map(\.isAllowed) == [nil, nil, false, true])
            #expect(all.items.allSatisfy { $0.domain == "bank.example" && $0.message == nil })
            #expect(try await page("?show=answered").items.map(\.id) == [asked[1], asked[0]])
            let first = try await page("?limit=3")
            let rest = try await page("?limit=3&cursor=\(try #require(first.next))")
            #expect((first.items + rest.items).map(\.id) == asked.reversed() && rest.next == nil)
            #expect(try await page("", bob).items.map(\.id) == [theirs])
            #expect(other.session.account.id == bob.account.id)
        }
    }

    @Test("ends when they freeze it, and nothing is asked until they unfreeze it")
    func freeze() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            let asked = try await bank.ask(bank.request("one"))
            let answer = try await client.answer(asked.id, .allow(code: nil), phone)
            let frozen = try await client.send(.put, "/api/approvals/freeze", token: alice.token)
                .decode(ApprovalSettings.self)
            #expect(frozen.frozen != nil)
            #expect(try await bank.find(asked.id).state == .cancelled)
            #expect(try await client.send(answer).errorName == "already_answered")
            #expect(try await bank.send(.post, "challenges", bank.request("two")).errorName == "not_now")
            // Again changes nothing: since when stays.
            organisation.clock.advance(.seconds(5))
            let again = try await client.send(.put, "/api/approvals/freeze", token: alice.token)
                .decode(ApprovalSettings.self)
            #expect(again == frozen)
            let open = try await client.send(.delete, "/api/approvals/freeze", token: alice.token)
                .decode(ApprovalSettings.self)
            #expect(open.frozen == nil)
            #expect(try await bank.ask(bank.request("three")).state == .pending)
        }
    }

    @Test("puts a question aside unanswered: it waits no longer, the service learns nothing, and it can come back")
    func discard() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let bob = try await client.join(organisation.person("bob"))
            let phone = try await bank.enrol("alice", alice)
            let (first, second) = (try await bank.ask(bank.request("1")), try await bank.ask(bank.request("2")))
            let path = "/api/approvals/challenges/\(first.id)/discard"
            #expect(try await client.send(.put, path, token: bob.token).errorName == "unknown_challenge")
            let aside = try await client.send(.put, path, token: alice.token).decode(MemberChallenge.self)
            #expect(aside.discarded != nil && aside.state == .pending && aside.isAllowed == nil)
            #expect(try await client.pending(alice).map(\.id) == [second.id])
            #expect(try await bank.find(first.id).state == .pending)
            let back = try await client.send(.delete, path, token: alice.token).decode(MemberChallenge.self)
            #expect(back.discarded == nil)
            #expect(try await client.pending(alice).map(\.id).sorted() == [first.id, second.id].sorted())
            #expect(try await client.send(.put, path, token: alice.token).status == 200)
            // Freezing ends what was put aside too.
            #expect(try await client.decide(first.id, .deny(.notMe, .account), phone).status == 200)
            #expect(try await bank.find(second.id).state == .cancelled)
            #expect(try await client.send(.put, path, token: alice.token).errorName == "already_answered")
        }
    }

    @Test("logs that they froze it, let services ask again, and changed how often: each once")
    func logged() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let alice = try await client.setUp(organisation.person("alice"))
            func send(_ method: HTTPRequest.Method, _ path: String, _ body: ApprovalBudget? = nil) async throws {
                #expect(try await client.send(method, "/api/approvals/\(path)", body, token: alice.token).status == 200)
            }
            for _ in 0..<2 {
                try await send(.put, "freeze")
            }
            for _ in 0..<2 {
                try await send(.delete, "freeze")
                try await send(.put, "settings", ApprovalBudget(perService: 3, together: 9))
            }
            let types = try await client.send(.get, "/api/log/mine", token: alice.token)
                .decode(Listing<LoggedEntry>.self).items.map(\.type)
            #expect(
                types.prefix(3) == ["approvals.budget_changed", "approvals.unfrozen", "approvals.frozen"]
                    && types.count { $0.hasPrefix("approvals.") } == 3)
        }
    }
}
