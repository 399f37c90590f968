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
