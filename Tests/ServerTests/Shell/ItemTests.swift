import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// One row of a list by its own address.
@Suite("One of a list")
struct ItemTests {
    @Test("members, operators and documents are found by their ids, as the list has them")
    func found() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await ListRows.add(0..<3, organisation)
            func one<Row: Codable & Sendable>(_ path: String, _ type: Row.Type) async throws -> Row {
                try await client.send(.get, path, token: owner.token).decode(type)
            }
            let members = try await one("/api/members", Listing<Account>.self).items
            for member in members { #expect(try await one("/api/members/\(member.id)", Account.self) == member) }
            let operators = try await one("/api/operators", Listing<Operator>.self)
            #expect(operators.items.map(\.account.id) == ["o2", "o1", "o0"])
            #expect(operators.items.map(\.signings) == [1, 1, 1])
            #expect(operators.counts?.map(\.total) == [3, 3, 0])
            #expect(try await one("/api/operators/o1", Operator.self).account == operators.items[1].account)
            let document = try await one("/api/documents/d1", DocumentInfo.self)
            #expect(document.holder.id == "m1" && document.issuer.id == "o1")
            // Ids of missing items, and ids of items of another kind.
            for path in [
                "members/none", "documents/none", "operators/none", "operators/m1", "operators/\(owner.account.id)",
            ] {
                #expect(
                    try await client.send(.get, "/api/\(path)", token: owner.token).problem == "not-found", "\(path)")
            }
        }
    }

    @Test("operators come in pages, by parts and by words")
    func operators() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await ListRows.add(0..<30, organisation)
            try await organisation.server.environment.database.write { transaction in
                for number in 0..<5 {
                    try AccountStore(transaction: transaction).setBlock(of: "o\(number)", since: 5, reason: "left")
                }
                // An erased member can do nothing more, and is not listed.
                try transaction.execute("UPDATE accounts SET passphrase = '' WHERE id = 'o29'")
            }
            func page(_ query: String) async throws -> Listing<Operator> {
                try await client.send(.get, "/api/operators?\(query)", token: owner.token)
                    .decode(Listing<Operator>.self)
            }
            var seen: [String] = []
            var next: String?
            repeat {
                let listing = try await page("limit=7" + (next.map { "&cursor=\($0)" } ?? ""))
                seen += listing.items.map(\.account.id)
                next = listing.next
            } while next != nil
            #expect(seen == (0..<29).reversed().map { "o\($0)" })
            let blocked = try await page("show=blocked")
            #expect(blocked.items.map(\.reason) == Array(repeating: "left", count: 5))
            #expect(blocked.counts?.map(\.total) == [29, 24, 5])
            #expect(try await page("q=o17").items.map(\.account.id) == ["o17"])
            #expect(try await page("q=o2&show=active").items.count == 9)
        }
    }

    @Test(
        "another's document is not there, by its address or by its holder's; administrators narrow the list to one holder"
    )
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            try await ListRows.add(0..<3, organisation)
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute(
                    "UPDATE documents SET holder = $1 WHERE id = 'd2'", [.text(ada.account.id)])
            }
            func listed(_ query: String, _ token: String) async throws -> [String] {
                try await client.send(.get, "/api/documents?\(query)", token: token)
                    .decode(Listing<DocumentInfo>.self).items.map(\.id)
            }
            #expect(try await client.send(.get, "/api/documents/d2", token: ada.token).status == 200)
            #expect(try await client.send(.get, "/api/documents/d1", token: ada.token).problem == "not-found")
            #expect(try await client.send(.get, "/api/members/m1", token: ada.token).problem == "forbidden")
            #expect(try await client.send(.get, "/api/operators/o1", token: ada.token).problem == "forbidden")
            #expect(try await listed("issued=true&holder=m1", owner.token) == ["d1"])
            #expect(try await listed("issued=true&holder=none", owner.token) == [])
            #expect(try await listed("issued=true&holder=m1", ada.token) == [])
            #expect(try await listed("holder=m1", ada.token) == [])
            #expect(try await listed("holder=\(ada.account.id)", ada.token) == ["d2"])
        }
    }
}
