import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Invitations, page by page.
@Suite("The list of invitations")
struct InvitationListTests {
    /// Invitations by an account, three of each second, so that keys are shared.
    private static func add(_ numbers: Range<Int>, by account: String, _ organisation: TestOrganisation) async throws {
        try await organisation.server.environment.database.write { transaction in
            for number in numbers {
                let created = 1_000 + Int64(number / 3)
                try InvitationStore(transaction: transaction).insert(
                    Invitation(
                        id: "i\(number)", role: .operator, created: created, expires: created + 3_600, used: nil),
                    codeHash: "h\(number)", by: account)
            }
        }
    }

    private static func page(_ client: TestClient, _ query: String, _ token: String) async throws -> Listing<Invitation>
    {
        try await client.send(.get, "/api/invitations?\(query)", token: token).decode(Listing<Invitation>.self)
    }

    @Test("pages hold every invitation once, the newest first, while others are made, however many there are")
    func pages() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.add(0..<520, by: owner.account.id, organisation)
            var seen: [Invitation] = []
            var pages = 0
            var next: String?
            repeat {
                let page = try await Self.page(
                    client, "limit=50" + (next.map { "&cursor=\($0)" } ?? ""), owner.token)
                seen += page.items
                pages += 1
                next = page.next
                // Later than all, so before the first page.
                try await Self.add(10_000 + pages..<10_001 + pages, by: owner.account.id, organisation)
            } while next != nil && pages < 20
            #expect(pages == 11 && next == nil)
            #expect(seen.count == 520 && Set(seen.map(\.id)).count == 520)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.created, $0.id) > ($1.created, $1.id) })
            #expect(seen.allSatisfy { $0.code == nil && $0.link == nil })
        }
    }

    @Test("each part holds its own and is counted, and a file has the rows of its part")
    func parts() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let now = organisation.clock.clock.now()
            try await organisation.server.environment.database.write { transaction in
                let store = InvitationStore(transaction: transaction)
                for (id, expires) in [("open", now + 1), ("late", now), ("joined", now - 1)] {
                    try store.insert(
                        Invitation(
                            id: id, role: .operator, recipient: "=Grace", created: now - 9, expires: expires,
                            used: nil),
                        codeHash: id, by: owner.account.id)
                }
                _ = try store.consume(codeHash: "joined", now: now - 5)
            }
            for (show, ids) in [
                ("all", ["open", "late", "joined"]), ("open", ["open"]), ("used", ["joined"]), ("expired", ["late"]),
            ] {
                let page = try await Self.page(client, "show=\(show)", owner.token)
                #expect(page.items.map(\.id) == ids, "\(show)")
                #expect(page.counts?.map(\.show) == ["all", "open", "used", "expired"], "\(show)")
                #expect(page.counts?.map(\.total) == [3, 1, 1, 1], "\(show)")
            }
            let file = try await client.send(.get, "/api/invitations?show=open&format=csv", token: owner.token)
            let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n").map(String.init)
            #expect(lines.count == 2 && lines.first == "id,role,recipient,created,expires,used")
            #expect(lines.last?.hasPrefix("open,operator,'=Grace,") == true)
            let unknown = try await client.send(.get, "/api/invitations?show=withdrawn", token: owner.token)
            #expect(unknown.problem == "bad-request")
        }
    }

    @Test("invitations are found by the words of whom they are for, and these words go with them")
    func search() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let environment = organisation.server.environment
            func invite(_ recipient: String?, _ lifetime: Int64 = 3_600) async throws -> String {
                try await client.send(
                    .post, "/api/invitations",
                    InvitationRequest(role: .operator, lifetime: lifetime, recipient: recipient), token: owner.token
                ).decode(Invitation.self).id
            }
            let asa = try await invite("Åsa Öberg, front desk")
            let asaph = try await invite("Asaph", 86_400)
            _ = try await invite(nil)
            func found(_ words: String) async throws -> Set<String> {
                let page = try await Self.page(client, "q=\(words)", owner.token)
                #expect(page.counts?.first?.total == page.items.count)
                return Set(page.items.map(\.id))
            }
            func words() async throws -> Int {
                try await environment.database.read {
                    try $0.rows("SELECT word FROM search_words WHERE list = 'invitations' AND item <> ''").count
                }
            }
            #expect(try await found("asa") == [asa, asaph])
            #expect(try await found("desk%20OB") == [asa])
            #expect(try await found("berg") == [])
            #expect(try await words() == 5)
            // Those from before there were words get theirs at the next start.
            try await environment.database.write { transaction in
                try transaction.execute("DELETE FROM search_words WHERE list = 'invitations' OR item = 'invitations'")
            }
            try await InvitationStore.fillWords(in: environment.database)
            #expect(try await words() == 5)
            #expect(try await client.send(.delete, "/api/invitations/\(asaph)", token: owner.token).status == 204)
            #expect(try await found("asa") == [asa])
            #expect(try await words() == 4)
            var days = ServerConfiguration.KeepDays()
            days.invitations = 3
            organisation.clock.advance(.seconds(3_600 + 3 * 86_400))
            try await RetentionService(environment: environment, days: days).sweep()
            #expect(try await words() == 0)
            // Keys that are changed end what is open.
            try await environment.database.write { transaction in
                let store = InvitationStore(transaction: transaction)
                try store.insert(
                    Invitation(id: "i", role: .operator, recipient: "Bo", created: 1, expires: 2, used: nil),
                    codeHash: "h", by: owner.account.id)
                try store.deleteOpen()
            }
            #expect(try await words() == 0)
        }
    }

    @Test("without a limit a page has a hundred, and what is no page is refused")
    func limits() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.add(0..<101, by: owner.account.id, organisation)
            let page = try await Self.page(client, "", owner.token)
            #expect(page.items.count == 100)
            let next = try #require(page.next)
            #expect(try await Self.page(client, "limit=7&cursor=\(next)", owner.token).items.map(\.id) == ["i0"])
            for path in ["invitations?limit=0", "invitations?cursor=x", "delegations?cursor=\(next)"] {
                let answer = try await client.send(.get, "/api/\(path)", token: owner.token)
                #expect(answer.problem == "bad-request", "\(path)")
            }
        }
    }
}
