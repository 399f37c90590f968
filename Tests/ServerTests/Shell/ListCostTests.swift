import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What lists ask the database.
@Suite("No list costs a query a row")
struct ListCostTests {
    /// Lists that grow with the organisation, and what they are asked with.
    private static let lists = [
        "/api/members": "", "/api/documents": "?issued=true", "/api/requests": "?show=all", "/api/log/mine": "",
        "/api/clients": "", "/api/signings": "", "/api/workspace": "", "/api/operators": "",
        "/api/delegations": "", "/api/approvals/history": "", "/api/invitations": "", "/api/shares": "",
        "/api/clients/{id}/acts": "", "/api/desk/attempts": "",
    ]

    @Test("sixty rows cost as many statements as three")
    func statements() async throws {
        let count = StatementCount()
        let organisation = try await TestOrganisation(counting: count)
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            // The main administrator makes no links.
            let member = try await client.join(organisation.person("mary"))
            func costs(_ rows: Int) async throws -> [String: Int] {
                var costs: [String: Int] = [:]
                for (path, query) in Self.lists {
                    let uri = path.replacing("{id}", with: "c0") + query
                    let token = path == "/api/shares" ? member.token : owner.token
                    // What is remembered of a session is remembered now.
                    _ = try await client.send(.get, uri, token: token)
                    _ = count.take()
                    let answer = try await client.send(.get, uri, token: token)
                    costs[path] = count.take()
                    #expect(answer.status == 200)
                    let items = String(decoding: answer.body, as: UTF8.self)
                    #expect(items.count > rows * 50, "\(path) has no rows")
                }
                return costs
            }
            try await ListRows.add(0..<3, organisation)
            let few = try await costs(3)
            try await ListRows.add(3..<60, organisation)
            #expect(try await costs(60) == few)
            #expect(few.values.allSatisfy { 1...12 ~= $0 }, "\(few)")
        }
    }

    @Test("words are looked up once, however many parts of a list are counted")
    func search() async throws {
        let count = StatementCount()
        let organisation = try await TestOrganisation(counting: count)
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await ListRows.add(0..<3, organisation)
            for path in [
                "members?", "requests?show=all&", "documents?issued=true&", "clients?", "signings?", "operators?",
                "delegations?", "desk/attempts?", "invitations?", "approvals/history?",
            ] {
                for _ in 0..<2 {
                    _ = count.take()
                    #expect(try await client.send(.get, "/api/\(path)q=a", token: owner.token).status == 200)
                }
                // Whether it is one word, how many have it, the page, all parts counted in one pass, and the session.
                #expect(count.take() <= 7, "\(path)")
            }
        }
    }

    @Test("every list that has a file is among them")
    func complete() async throws {
        let organisation = try await TestOrganisation()
        let lists = organisation.server.routes.endpoints.filter { $0.query.contains { $0.name == "format" } }
        #expect(Set(lists.map(\.path)) == Set(Self.lists.keys))
    }
}
