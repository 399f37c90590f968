import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Lists of the desk in pages: clients and transactions.
@Suite("Lists of the desk")
struct DeskListTests {
    /// A desk with clients `c0`, `c1`, …, and one transaction of each; three of each second, so that keys are shared.
    private struct Place {
        let client: TestClient
        let owner: NewSession
        var environment: Environment { client.organisation.server.environment }

        init(_ client: TestClient) async throws {
            self.client = client
            owner = try await client.setUp(client.organisation.person("owner"))
            try await environment.database.write { transaction in
                try transaction.execute(
                    "INSERT INTO signed_files (digest, blob, media_type, created) VALUES ('d', '', '', 1)")
            }
        }

        func add(
            _ numbers: Range<Int>, state: Signing.State = .confirmed, created: Int64? = nil,
            enrolled: Int64? = nil, name: @escaping @Sendable (Int) -> String = { "Client\($0) Person" }
        ) async throws {
            let account = owner.account.id
            try await environment.database.write { transaction in
                for number in numbers {
                    let time = created ?? 1_000 + Int64(number / 3)
                    let names = name(number).split(separator: " ")
                    let clients = ClientStore(transaction: transaction)
                    try clients.insert(
                        ClientStore.Stored(
                            id: "c\(number)", numberHash: "h\(number)", givenName: String(names[0]),
                            familyName: String(names[1]), tool: .pen, sealed: "", created: time))
                    try clients.replace(
                        ClientStore.StoredTemplate(
                            id: "t\(number)", client: "c\(number)", sealed: "", enrolled: enrolled ?? time,
                            sittings: number.isMultiple(of: 2) ? 1 : 2))
                    try SigningStore(transaction: transaction).insert(
                        SigningStore.Stored(
                            id: "s\(number)", state: state, client: "c\(number)", operatorID: account,
                            document: number.isMultiple(of: 2) ? "even" : "odd", documentName: "Consent", digest: "d",
                            isMatch: true, created: time, sealed: ""))
                }
            }
        }

        func page<Row: Codable & Sendable>(_ path: String, _ type: Row.Type) async throws -> Listing<Row> {
            try await client.send(.get, path, token: owner.token).decode(Listing<Row>.self)
        }

        func clients(_ query: String) async throws -> Listing<Client> {
            try await page("/api/clients?\(query)", Client.self)
        }

        func signings(_ query: String) async throws -> Listing<Signing> {
            try await page("/api/signings?\(query)", Signing.self)
        }
    }

    private func atPlace(_ body: @escaping @Sendable (Place) async throws -> Void) async throws {
        try await TestOrganisation().serve { try await body(Place($0)) }
    }

    @Test("pages hold every client and transaction once, in one order, while others are added")
    func stable() async throws {
        try await atPlace { place in
            try await place.add(0..<100)
            var (clients, signings): ([Client], [Signing]) = ([], [])
            var (nextClient, nextSigning): (String?, String?)
            repeat {
                let page = try await place.clients("limit=7" + (nextClient.map { "&cursor=\($0)" } ?? ""))
                #expect((page.counts != nil) == (nextClient == nil))
                let other = try await place.signings("limit=7" + (nextSigning.map { "&cursor=\($0)" } ?? ""))
                #expect((other.counts != nil) == (nextSigning == nil))
                clients += page.items
                signings += other.items
                (nextClient, nextSigning) = (page.next, other.next)
                // Later than all, so before the first page.
                try await place.add(10_000 + clients.count..<10_001 + clients.count)
            } while nextClient != nil && nextSigning != nil
            #expect(nextClient == nil && nextSigning == nil)
            #expect(clients.count == 100 && Set(clients.map(\.id)).count == 100)
            #expect(signings.count == 100 && Set(signings.map(\.id)).count == 100)
            #expect(zip(clients, clients.dropFirst()).allSatisfy { ($0.created, $0.id) > ($1.created, $1.id) })
            #expect(zip(signings, signings.dropFirst()).allSatisfy { ($0.created, $0.id) > ($1.created, $1.id) })
            #expect(signings.allSatisfy { $0.clientName.hasSuffix(" Person") })
            #expect(signings.allSatisfy { $0.operatorID == place.owner.account.id })
            #expect(clients.allSatisfy { $0.signings == 1 && $0.lastSigning == $0.created && $0.number == nil })
        }
    }

    @Test("each part of the transactions holds its own, and is counted under the same filters")
    func states() async throws {
        try await atPlace { place in
            let now = place.environment.now()
            try await place.add(0..<4, state: .pending, created: now - Limits.signingTime)
            try await place.add(4..<10, state: .pending, created: now - Limits.signingTime - 1)
            try await place.add(10..<20, state: .refused, created: now)
            try await place.add(20..<21, state: .confirmed, created: now)
            func total(_ listing: Listing<Signing>) -> [Int]? { listing.counts?.map(\.total) }
            for (show, state, count) in [
                ("pending", Signing.State.pending, 4), ("lapsed", .lapsed, 6), ("refused", .refused, 10),
                ("confirmed", .confirmed, 1),
            ] {
                let page = try await place.signings("show=\(show)")
                #expect(page.items.count == count && page.items.allSatisfy { $0.state == state }, "\(show)")
                #expect(page.counts?.map(\.show) == ["all", "pending", "confirmed", "refused", "lapsed"])
                #expect(total(page) == [21, 4, 1, 10, 6])
            }
            #expect(total(try await place.signings("document=odd")) == [10, 2, 0, 5, 3])
            #expect(total(try await place.signings("from=\(now)")) == [11, 0, 1, 10, 0])
            #expect(total(try await place.signings("to=\(now - 1)")) == [10, 4, 0, 0, 6])
            #expect(total(try await place.signings("client=c5")) == [1, 0, 0, 0, 1])
            #expect(total(try await place.signings("operator=nobody")) == [0, 0, 0, 0, 0])
            #expect(total(try await place.signings("q=client1")) == [11, 1, 0, 10, 0])
        }
    }

    @Test("who is due for another visit is listed by themselves")
    func due() async throws {
        try await atPlace { place in
            let now = place.environment.now()
            try await place.add(0..<10, created: now, enrolled: now - Limits.secondSittingRest)
            try await place.add(10..<20, created: now, enrolled: now - Limits.secondSittingRest + 1)
            let page = try await place.clients("show=due&limit=3")
            #expect(page.counts?.map(\.show) == ["all", "due"] && page.counts?.map(\.total) == [20, 5])
            let rest = try await place.clients("show=due&limit=3&cursor=\(try #require(page.next))")
            #expect((page.items + rest.items).map(\.id) == ["c8", "c6", "c4", "c2", "c0"] && rest.next == nil)
            #expect((page.items + rest.items).allSatisfy { $0.secondSittingFrom == now })
        }
    }

    @Test("clients sort by family name, with a new name too, and operators by theirs")
    func names() async throws {
        try await atPlace { place in
            try await place.add(0..<4) { ["Zoe Ábel", "Ada Lind", "Bo abel", "Cy Öst"][$0] }
            #expect(try await place.clients("sort=name").items.map(\.id) == ["c2", "c0", "c1", "c3"])
            let first = try await place.clients("sort=name&limit=3")
            let rest = try await place.clients("sort=name&limit=3&cursor=\(try #require(first.next))")
            #expect(rest.items.map(\.id) == ["c3"] && rest.next == nil)
            try await place.environment.database.write { transaction in
                let clients = ClientStore(transaction: transaction)
                var client = try #require(try clients.find(id: "c3"))
                client.familyName = "Bell"
                try clients.update(client)
            }
            #expect(try await place.clients("sort=name").items.map(\.id) == ["c2", "c0", "c3", "c1"])
            #expect(try await place.clients("sort=name&q=abel").items.map(\.id) == ["c2", "c0"])
            let operators = try await place.client.send(.get, "/api/operators?sort=name", token: place.owner.token)
            #expect(operators.status == 200)
        }
    }

    @Test("clients and their transactions are found by the beginnings of words of the name they have now")
    func search() async throws {
        try await atPlace { place in
            try await place.add(0..<2) { ["Åsa Öberg", "Asaph O'Brien"][$0] }
            func found(_ words: String) async throws -> Set<String> {
                let (clients, signings) = (
                    try await place.clients("q=\(words)"), try await place.signings("q=\(words)")
                )
                #expect(clients.counts?.first?.total == clients.items.count)
                #expect(Set(clients.items.map(\.id)) == Set(signings.items.map(\.client)))
                return Set(clients.items.map(\.id))
            }
            #expect(try await found("asa") == ["c0", "c1"])
            #expect(try await found("ob%20AS") == ["c0"])
            #expect(try await found("berg") == [])
            try await place.environment.database.write { transaction in
                let clients = ClientStore(transaction: transaction)
                var client = try #require(try clients.find(id: "c0"))
                client.familyName = "Lind"
                try clients.update(client)
            }
            #expect(try await found("lind") == ["c0"])
            #expect(try await found("oberg") == [])
        }
    }

    @Test("no word of an erased client is left, and old clients get words at the next start")
    func words() async throws {
        try await atPlace { place in
            try await place.add(0..<700)
            let database = place.environment.database
            func words() async throws -> Int64? {
                try await database.read { transaction in
                    try transaction.row(
                        "SELECT COUNT(DISTINCT item) AS total FROM search_words WHERE list = 'clients'")?
                        .integer("total")
                }
            }
            let erasure = try await place.client.send(
                .post, "/api/clients/c5/erasure", Reason(reason: "She asked."), token: place.owner.token)
            #expect(erasure.status == 200)
            let left = try await database.read { try $0.rows("SELECT word FROM search_words WHERE item = 'c5'").count }
            #expect(left == 0)
            #expect(try await words() == 699)
            #expect(try await place.clients("q=client5&limit=1000").items.allSatisfy { $0.id != "c5" })
            try await database.write { transaction in
                try transaction.execute("DELETE FROM search_words")
                try transaction.execute("UPDATE clients SET sort_name = ''")
            }
            try await ClientStore.fillNames(in: database)
            #expect(try await words() == 699)
        }
    }

    @Test("members are not given the lists, and unknown parts are refused")
    func refused() async throws {
        try await atPlace { place in
            let member = try await place.client.join(place.client.organisation.person("member"))
            for path in ["/api/clients?show=due&q=a", "/api/signings?show=all&q=a"] {
                #expect(try await place.client.send(.get, path, token: member.token).problem == "forbidden")
            }
            for path in ["/api/clients?show=lapsed", "/api/signings?show=open", "/api/signings?from=x"] {
                #expect(try await place.client.send(.get, path, token: place.owner.token).problem == "bad-request")
            }
        }
    }

    @Test("no page walks a table or sorts one", .enabled(if: !TestDatabase.isPostgres))
    func plans() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.server.environment.database.read { transaction in
            let signings = SigningListStore(transaction: transaction)
            let clients = ClientListStore(transaction: transaction)
            var queries = try SigningListStore.Part.allCases.map { try signings.query($0, .init(), [], now: 5_000) }
            let operators = OperatorListStore(transaction: transaction)
            for sort in ListSort.allCases {
                queries += try ClientListStore.Part.allCases.map { try clients.query($0, [], sort, now: 5_000) }
                queries += try OperatorListStore.Part.allCases.map { try operators.query($0, [], sort) }
            }
            queries += try [
                SigningListStore.Filter(client: "c"), .init(operatorID: "o"), .init(document: "d"),
                .init(from: 1, to: 2),
            ].map { try signings.query(.all, $0, [], now: 5_000) }
            for statement in queries.flatMap({ $0.statements(.after(5, in: $0.order)).parts }) {
                let filled = statement.replacing(/\$\d+/, with: "5")
                let plan = try transaction.rows("EXPLAIN QUERY PLAN \(filled)").map { try $0.text("detail") }
                #expect(plan.first?.hasPrefix("SEARCH ") == true, "\(statement): \(plan)")
                #expect(plan.allSatisfy { !$0.contains("SCAN") && !$0.contains("TEMP") }, "\(statement): \(plan)")
            }
        }
    }
}
