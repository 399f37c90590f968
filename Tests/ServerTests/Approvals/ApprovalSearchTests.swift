import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// How a member finds again what a service asked them.
@Suite("Searching what services asked a member")
struct ApprovalSearchTests {
    /// What a service asked an account, and what it answered.
    private struct Question: Sendable {
        let id: String
        let service: String
        let account: String
        var decision: String?
    }

    @Test("finds nobody else's questions, and their own by the beginnings of words of the service's domain")
    func found() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            let (mine, theirs) = (owner.account.id, ada.account.id)
            try await Self.add(
                [
                    Question(id: "q1", service: "bank.example", account: mine, decision: "allow"),
                    Question(id: "q2", service: "city-bank.test", account: mine),
                    Question(id: "a1", service: "bank.example", account: theirs, decision: "deny"),
                    Question(id: "q3", service: "shop.example", account: mine, decision: "deny"),
                    Question(id: "q4", service: "bank.example", account: mine),
                    Question(id: "a2", service: "club.example", account: theirs),
                    Question(id: "q5", service: "gone.example", account: mine),
                ], organisation)
            try await organisation.server.environment.database.write { transaction in
                try ApprovalServiceStore(transaction: transaction).remove(Self.id("gone.example"), at: 2_000)
            }
            func page(_ query: String, _ session: NewSession) async throws -> Listing<MemberChallenge> {
                try await client.send(.get, "/api/approvals/history?\(query)", token: session.token)
                    .decode(Listing<MemberChallenge>.self)
            }
            // The counts are of those that were answered, and of all.
            let cases: [(query: String, ids: [String], counts: [Int])] = [
                ("", ["q5", "q4", "q3", "q2", "q1"], [2, 5]), ("q=-", ["q5", "q4", "q3", "q2", "q1"], [2, 5]),
                ("q=bank", ["q4", "q2", "q1"], [1, 3]), ("q=ba", ["q4", "q2", "q1"], [1, 3]),
                ("q=BANK", ["q4", "q2", "q1"], [1, 3]), ("q=b%C3%A4nk", ["q4", "q2", "q1"], [1, 3]),
                ("q=exam", ["q5", "q4", "q3", "q1"], [2, 4]), ("q=bank+exam", ["q4", "q1"], [1, 2]),
                ("q=example.bank", ["q4", "q1"], [1, 2]), ("q=city-bank", ["q2"], [0, 1]),
                ("q=bank&show=answered", ["q1"], [1, 3]), ("q=gone", ["q5"], [0, 1]),
                // No word begins so, no domain has both, and this one has asked somebody else alone.
                ("q=ank", [], [0, 0]), ("q=shop+bank", [], [0, 0]), ("q=club", [], [0, 0]),
            ]
            for (query, ids, counts) in cases {
                let found = try await page(query, owner)
                #expect(found.items.map(\.id) == ids && found.next == nil, "\(query)")
                #expect(found.counts?.map(\.total) == counts, "\(query)")
            }
            #expect(try await page("q=bank", ada).items.map(\.id) == ["a1"])
            #expect(try await page("q=club", ada).items.map(\.id) == ["a2"])
            #expect(try await page("q=shop", ada).items.isEmpty)
            let files: [(query: String, ids: [String])] = [
                ("q=bank+exam", ["q4", "q1"]), ("q=exam&show=answered", ["q3", "q1"]), ("q=club", []),
            ]
            for (query, ids) in files {
                let file = try await client.send(
                    .get, "/api/approvals/history?\(query)&format=csv", token: owner.token)
                let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n")
                #expect(lines.first == "id,service,state,created,expires,answer")
                #expect(lines.dropFirst().map { String($0.split(separator: ",")[0]) } == ids, "\(query)")
            }
        }
    }

    @Test(
        "goes on from page to page, whether each service is looked for by itself or there are too many",
        arguments: [1, 3, Limits.mergedServices, Limits.mergedServices + 1])
    func pages(_ services: Int) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            // Two were asked in each second, so that pages also end between questions of the same time.
            let count = 3 * services + 9
            let questions = (0..<count).map { (number: Int) -> Question in
                let service = number < 9 ? "bank.example" : "shop\(number % services).example"
                return Question(
                    id: "q\(1_000 + number)", service: service, account: owner.account.id,
                    decision: number.isMultiple(of: 3) ? "allow" : nil)
            }
            try await Self.add(questions, organisation)
            func ids(_ query: String) async throws -> [String] {
                var seen: [String] = []
                var cursor: String?
                repeat {
                    let place = cursor.map { "&cursor=\($0)" } ?? ""
                    let page = try await client.send(
                        .get, "/api/approvals/history?\(query)&limit=4\(place)", token: owner.token
                    ).decode(Listing<MemberChallenge>.self)
                    let isFirst = cursor == nil
                    #expect(isFirst == (page.counts != nil))
                    #expect(page.next == nil || page.items.count == 4)
                    seen += page.items.map(\.id)
                    cursor = page.next
                } while cursor != nil
                return seen
            }
            let shops = questions.dropFirst(9).reversed()
            #expect(try await ids("q=shop") == shops.map(\.id))
            #expect(try await ids("q=shop&show=answered") == shops.filter { $0.decision != nil }.map(\.id))
            #expect(try await ids("q=bank") == questions.prefix(9).reversed().map(\.id))
            let first = try await client.send(
                .get, "/api/approvals/history?q=shop&limit=2", token: owner.token
            ).decode(Listing<MemberChallenge>.self)
            #expect(first.counts?.map(\.total) == [services, 3 * services])
            // A place in one search is none in another.
            let next = try #require(first.next)
            let other = try await client.send(
                .get, "/api/approvals/history?q=bank&limit=2&cursor=\(next)", token: owner.token)
            #expect(other.problem == "bad-request")
        }
    }

    private static func id(_ domain: String) -> String { "id of \(domain)" }

    /// Adds services and what they asked, the oldest question first, two in each second.
    private static func add(_ questions: [Question], _ organisation: TestOrganisation) async throws {
        try await organisation.server.environment.database.write { transaction in
            for domain in Set(questions.map(\.service)) {
                let info = ApprovalServiceInfo(
                    id: id(domain), domain: domain, name: "A service", publicKey: "k", created: 1)
                try ApprovalServiceStore(transaction: transaction).insert(
                    ApprovalServiceStore.Stored(info: info, keyHash: "h"))
            }
            for (number, one) in questions.enumerated() {
                let (challenge, service) = (SQLValue.text(one.id), SQLValue.text(id(one.service)))
                let time = SQLValue.integer(1_000 + Int64(number / 2))
                try transaction.execute(
                    """
                    INSERT INTO approval_challenges
                        (id, service, idempotency, request, message, state, wrong_codes, created, expires)
                    VALUES ($1, $2, $1, '', '', 'cancelled', 0, $3, $3)
                    """, [challenge, service, time])
                try transaction.execute(
                    """
                    INSERT INTO approval_prompts (challenge, account, label, service, created, decision)
                    VALUES ($1, $2, 'label', $3, $4, $5)
                    """, [challenge, .text(one.account), service, time, .optional(one.decision)])
            }
        }
    }
}
