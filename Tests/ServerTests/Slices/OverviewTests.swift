import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("What administrators see of the organisation")
struct OverviewTests {
    @Test("counts what it says: documents without identity credentials, members without operators")
    func statistics() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            // A checked member, a checked operator and a degree for each number.
            try await ListRows.add(0..<3, organisation)
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute(
                    "UPDATE documents SET type = 'identity', revoked = 5 WHERE id IN ('d0', 'd1')", [])
            }
            let found = try await client.send(.get, "/api/statistics", token: owner.token).decode(Statistics.self)
            #expect(found.members == 3 && found.verifiedMembers == 3 && found.operators == 3)
            #expect(found.issuedDocuments == 1)
            #expect(found.revokedDocuments == 0)
        }
    }

    @Test("calls no operator not verified")
    func operators() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(
                organisation.person("desk"), invitation: client.invite(.operator, token: owner.token))
            _ = try await client.join(organisation.person("ada"))
            let page = try await client.send(.get, "/api/members?show=unverified", token: owner.token)
                .decode(Listing<Account>.self)
            #expect(page.items.map(\.username) == ["ada"])
            #expect(page.counts?.first { $0.show == "unverified" }?.total == 1)
        }
    }

    @Test("does not count an administrator as an operator")
    func desk() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            _ = try await client.join(
                organisation.person("admin"), invitation: client.invite(.administrator, token: owner.token))
            let before = try await client.send(.get, "/api/desk", token: owner.token).decode(DeskOverview.self)
            #expect(before.operators == 0)
            _ = try await client.join(
                organisation.person("desk"), invitation: client.invite(.operator, token: owner.token))
            let after = try await client.send(.get, "/api/desk", token: owner.token).decode(DeskOverview.self)
            #expect(after.operators == 1)
        }
    }
}
