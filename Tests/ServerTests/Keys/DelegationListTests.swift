import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

@Suite("The list of certifications")
struct DelegationListTests {
    @Test("certifications are listed by their state, found by the administrator's name, and counted")
    func certifications() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await ListRows.add(0..<12, organisation)
            try await organisation.server.environment.database.write { transaction in
                let store = DelegationStore(transaction: transaction)
                for (id, state) in [("a1", Delegation.State.certified), ("a2", .revoked)] {
                    var stored = try #require(try store.find(id: id))
                    stored.state = state
                    try store.update(stored)
                }
            }
            func listed(_ query: String) async throws -> Listing<Delegation> {
                try await client.send(.get, "/api/delegations?\(query)", token: owner.token)
                    .decode(Listing<Delegation>.self)
            }
            let page = try await listed("show=pending&limit=4")
            #expect(page.items.map(\.id) == ["a11", "a10", "a9", "a8"] && page.next != nil)
            #expect(page.counts?.map(\.total) == [12, 10, 1, 1])
            #expect(try await listed("show=revoked").items.map(\.id) == ["a2"])
            #expect(try await listed("q=o11").items.map(\.account.username) == ["o11"])
            let file = try await client.send(.get, "/api/delegations?show=certified&format=csv", token: owner.token)
            #expect(String(decoding: file.body, as: UTF8.self).split(separator: "\r\n").count == 2)
        }
    }
    @Test("a request is rejected by the main administrator only, while it waits, and its key may ask again")
    func rejected() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try organisation.person("owner")
            let session = try await client.setUp(owner)
            let registrar = try organisation.person("registrar")
            let joined = try await client.join(
                registrar, invitation: try await client.invite(.administrator, token: session.token))
            func reject(_ id: String, token: String) async throws -> TestClient.Answer {
                try await client.send(.delete, "/api/delegations/\(id)", token: token)
            }
            let asked = try await organisation.ask(registrar, joined, client).decode(Delegation.self)
            // The same key asks once only.
            #expect(try await organisation.ask(registrar, joined, client).problem == "conflict")
            #expect(try await reject(asked.id, token: joined.token).problem == "forbidden")
            #expect(try await reject("nowhere", token: session.token).problem == "not-found")
            #expect(try await reject(asked.id, token: session.token).status == 204)
            #expect(try await reject(asked.id, token: session.token).problem == "not-found")
            let left = try await client.send(.get, "/api/delegations", token: joined.token)
                .decode(Listing<Delegation>.self)
            #expect(left.items.isEmpty)
            // What is certified is revoked, with a reason and an entry, and not rejected.
            try await organisation.certify(registrar, joined, by: owner.authority, session, client)
            let certified = try await client.send(.get, "/api/delegations", token: joined.token)
                .decode(Listing<Delegation>.self).items
            #expect(certified.map(\.state) == [.certified])
            let id = try #require(certified.first).id
            #expect(try await reject(id, token: session.token).problem == "conflict")
        }
    }
}
