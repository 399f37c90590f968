import HTTPTypes
import Interface
import Testing

@testable import Server

@Suite("Saved filters")
struct SavedFilterTests {
    private static let path = "/api/saved-filters"

    @Test("are the account's own: kept, renamed, removed, and nobody else's")
    func own() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            let eve = try await test.join(organisation.person("eve"))
            let new = NewSavedFilter(list: "/console/members", name: "  To check ", query: "q=ada+l&show=unverified")
            let made = try await test.send(.post, Self.path, new, token: owner.token).decode(SavedFilter.self)
            #expect(made.name == "To check" && made.query == new.query)
            // The same again is the same, under its new name.
            var again = new
            again.name = "Waiting"
            #expect(
                try await test.send(.post, Self.path, again, token: owner.token).decode(SavedFilter.self).id == made.id)
            for (method, body) in [
                (HTTPRequest.Method.patch, SavedFilterRename(name: "mine") as (any Encodable)?), (.delete, nil),
            ] {
                let answer = try await test.send(method, "\(Self.path)/\(made.id)", body, token: eve.token)
                #expect(answer.problem == "not-found")
            }
            let theirs = try await test.send(.get, Self.path, token: eve.token).decode(Listing<SavedFilter>.self)
            #expect(theirs.items.isEmpty)
            _ = try await test.send(
                .patch, "\(Self.path)/\(made.id)", SavedFilterRename(name: "Später"), token: owner.token
            ).decode(SavedFilter.self)
            let all = try await test.send(.get, Self.path, token: owner.token).decode(Listing<SavedFilter>.self)
            #expect(all.items.map(\.name) == ["Später"])
            #expect(try await test.send(.delete, "\(Self.path)/\(made.id)", token: owner.token).status == 204)
            #expect(try await test.send(.delete, "\(Self.path)/\(made.id)", token: owner.token).problem == "not-found")
        }
    }

    @Test("are few, short, and of lists that there are")
    func limits() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { test in
            let owner = try await test.setUp(organisation.person("owner"))
            func save(_ filter: NewSavedFilter) async throws -> TestClient.Answer {
                try await test.send(.post, Self.path, filter, token: owner.token)
            }
            for bad in [
                NewSavedFilter(list: "/console/members", name: "", query: "q=a"),
                NewSavedFilter(list: "/console/members", name: String(repeating: "a", count: 61), query: "q=a"),
                NewSavedFilter(list: "/console/members", name: "a\nb", query: "q=a"),
                NewSavedFilter(list: "/console/members", name: "a", query: ""),
                NewSavedFilter(list: "/console/members", name: "a", query: "q=\"><script>"),
                NewSavedFilter(list: "/console/members", name: "a", query: String(repeating: "q", count: 501)),
                NewSavedFilter(list: "/sign-in", name: "a", query: "q=a"),
                NewSavedFilter(list: "https://evil.example", name: "a", query: "q=a"),
            ] { #expect(try await save(bad).problem == "invalid-member", "\(bad)") }
            for number in 0..<Limits.savedFilters {
                let answer = try await save(NewSavedFilter(list: "/console/members", name: "a", query: "q=\(number)"))
                #expect(answer.status == 201)
            }
            let more = try await save(NewSavedFilter(list: "/console/members", name: "a", query: "q=more"))
            #expect(more.problem == "conflict")
        }
    }
}
