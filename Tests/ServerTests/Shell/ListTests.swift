import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Lists in pages: members, requests, documents and the own log.
@Suite("Lists")
struct ListTests {
    /// Accounts `from` up to, not including, `to`; three of each second, so that keys are shared.
    private static func addMembers(
        _ from: Int, _ to: Int, _ organisation: TestOrganisation,
        name: @escaping @Sendable (Int) -> String = { "Member \($0)" }
    ) async throws {
        try await organisation.server.environment.database.write { transaction in
            for number in from..<to {
                try AccountStore(transaction: transaction).insert(
                    Account(
                        id: "m\(number)", username: "member\(number)", name: name(number), role: .member,
                        isVerified: number.isMultiple(of: 2), created: 1_000 + Int64(number / 3)),
                    passphraseHash: nil, userHandle: nil)
            }
        }
    }

    static func page(_ client: TestClient, _ query: String, _ token: String) async throws -> Listing<Account> {
        try await client.send(.get, "/api/members?\(query)", token: token).decode(Listing<Account>.self)
    }

    @Test("pages hold every account once, in one order, while others join")
    func stable() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, 100, organisation)
            var seen: [Account] = []
            var next: String?
            repeat {
                let page = try await Self.page(
                    client, "limit=7" + (next.map { "&cursor=\($0)" } ?? ""), owner.token)
                #expect((page.counts != nil) == (next == nil))
                seen += page.items
                next = page.next
                // Later than all, so before the first page.
                try await Self.addMembers(10_000 + seen.count, 10_001 + seen.count, organisation)
            } while next != nil
            #expect(seen.count == 101 && Set(seen.map(\.id)).count == 101)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.created, $0.id) > ($1.created, $1.id) })
        }
    }

    @Test("the parts of the list hold who they say, and are counted")
    func parts() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, 30, organisation)
            let staff = try await Self.page(client, "show=staff", owner.token)
            #expect(staff.items.map(\.username) == ["owner"] && staff.next == nil)
            #expect(
                staff.counts == [
                    ListCount(show: "all", total: 31, isMore: false),
                    ListCount(show: "verified", total: 15, isMore: false),
                    ListCount(show: "unverified", total: 15, isMore: false),
                    ListCount(show: "staff", total: 1, isMore: false),
                ])
            let verified = try await Self.page(client, "show=verified&limit=10", owner.token)
            #expect(verified.items.allSatisfy(\.isVerified) && verified.items.count == 10)
            let rest = try await Self.page(
                client, "show=verified&limit=10&cursor=\(try #require(verified.next))", owner.token)
            #expect(rest.items.count == 5 && rest.next == nil)
            #expect(Set((verified.items + rest.items).map(\.id)).count == 15)
        }
    }

    @Test("nobody counts beyond ten thousand")
    func counted() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await organisation.server.environment.database.write { transaction in
                try transaction.execute(
                    """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10000)
                    INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
                    SELECT 'x' || n, 'x' || n, 'X', 'member', '', 0, n FROM number
                    """)
            }
            let page = try await Self.page(client, "limit=1", owner.token)
            #expect(page.counts?.first == ListCount(show: "all", total: 10_000, isMore: true))
            #expect(page.counts?.last == ListCount(show: "staff", total: 1, isMore: false))
        }
    }

    @Test("people are found by the beginnings of their names' words, whatever case and accents")
    func search() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, 3, organisation) { ["Åsa Öberg", "Asaph O'Brien", "ΆΝΝΑ Ωμέγα"][$0] }
            func found(_ words: String) async throws -> Set<String> {
                let words = try #require(words.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let page = try await Self.page(client, "q=\(words)", owner.token)
                #expect(page.counts?.first?.total == page.items.count)
                return Set(page.items.map(\.id))
            }
            #expect(try await found("asa") == ["m0", "m1"])
            #expect(try await found("ASA ob") == ["m0"])
            #expect(try await found("öb ås") == ["m0"])
            #expect(try await found("brien") == ["m1"])
            #expect(try await found("berg") == [])
            #expect(try await found("άννα") == ["m2"])
            #expect(try await found("member1") == ["m1"])
            #expect(try await found("%") == ["m0", "m1", "m2", owner.account.id])
            // A new name is found from now on, and the old one is not.
            try await organisation.server.environment.database.write {
                try AccountStore(transaction: $0).rename(id: "m0", to: "Åsa Lind")
            }
            #expect(try await found("lind") == ["m0"])
            #expect(try await found("oberg") == [])
        }
    }

    @Test("words that many have are found too, page by page")
    func commonWords() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await organisation.server.environment.database.write { transaction in
                for statement in [
                    """
                    INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
                    SELECT 'x' || n, 'x' || n, 'X', 'member', '', 0, n FROM number
                    """,
                    "INSERT INTO search_words (list, item, word) SELECT 'accounts', 'x' || n, 'smith' FROM number",
                ] {
                    try transaction.execute(
                        """
                        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 10002)
                        \(statement)
                        """)
                }
            }
            let page = try await Self.page(client, "q=smi&limit=2", owner.token)
            #expect(page.items.map(\.id) == ["x10002", "x10001"])
            let next = try await Self.page(client, "q=smi&limit=2&cursor=\(try #require(page.next))", owner.token)
            #expect(next.items.map(\.id) == ["x10000", "x9999"])
            #expect(page.counts?.first == ListCount(show: "all", total: 10_000, isMore: true))
            // None of them has asked for anything: how many people have the word is not how many requests there are.
            let requests = try await client.send(.get, "/api/requests?show=all&q=smi", token: owner.token)
                .decode(Listing<DocumentRequest>.self)
            #expect(requests.items.isEmpty && (requests.counts ?? []).isEmpty)
        }
    }

    @Test("people with several words that begin alike are counted once, however many entries that makes")
    func wordsAlike() async throws {
        let organisation = try await TestOrganisation()
        let counts = try await organisation.server.environment.database.write { transaction -> [Int] in
            // Entries of the first letter are more than are read at once, and people fewer than are looked up.
            for item in 0..<Limits.found * 3 / 4 {
                for word in ["alpha", "alto", "avis"] {
                    try transaction.execute(
                        "INSERT INTO search_words (list, item, word) VALUES ('clients', $1, $2)",
                        [.text("item-\(item)"), .text(word)])
                }
            }
            let store = SearchWordStore(transaction: transaction)
            return try ["a", "al", "alpha", "b"].map { prefix in
                guard case .found(let found) = try store.search(.clients, item: "id", words: [prefix]) else {
                    return -1
                }
                var conditions = SQLConditions()
                let sql = conditions.bind(found.sql, found.values)
                let row = try transaction.row(
                    "SELECT COUNT(DISTINCT item) AS total FROM (\(sql)) AS named", conditions.values)
                return Int(try row?.integer("total") ?? -1)
            }
        }
        #expect(counts == [1_500, 1_500, 1_500, 0])
    }

    @Test("two words that many have, and few have both: pages may be short, and nobody is left out")
    func rareTogether() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await organisation.server.environment.database.write { transaction in
                for statement in [
                    """
                    INSERT INTO accounts (id, username, name, role, passphrase, verified, created)
                    SELECT 'x' || n, 'x' || n, 'X', CASE n % 3 WHEN 0 THEN 'operator' ELSE 'member' END, '', n % 2,
                        n / 10 FROM number
                    """,
                    """
                    INSERT INTO search_words (list, item, word)
                    SELECT 'accounts', 'x' || n, CASE n % 2 WHEN 0 THEN 'anna' ELSE 'bert' END FROM number
                    """,
                    """
                    INSERT INTO search_words (list, item, word)
                    SELECT 'accounts', 'x' || n, 'bertram' FROM number WHERE n IN (7000, 3002, 8, 9996)
                    """,
                ] {
                    try transaction.execute(
                        """
                        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 12000)
                        \(statement)
                        """)
                }
            }
            for (show, expected) in [
                ("all", ["x9996", "x7000", "x3002", "x8"]), ("unverified", ["x7000", "x3002", "x8"]),
                ("verified", []),
            ] {
                var (seen, pages, next) = ([String](), 0, String?.none)
                repeat {
                    let page = try await Self.page(
                        client, "q=anna+ber&show=\(show)&limit=3" + (next.map { "&cursor=\($0)" } ?? ""), owner.token)
                    // A count that takes too long is left out.
                    #expect((page.counts ?? []).isEmpty)
                    (seen, pages, next) = (seen + page.items.map(\.id), pages + 1, page.next)
                } while next != nil && pages < 50
                #expect(seen == expected && (2...30).contains(pages), "\(show): \(seen), \(pages) pages")
            }
            // By a rare word it is one page, with numbers.
            let found = try await Self.page(client, "q=bertram+anna&show=unverified&limit=2", owner.token)
            // One of the four is an operator, who needs no check.
            #expect(found.items.map(\.id) == ["x7000", "x3002"] && found.next != nil)
            #expect(found.counts?.map(\.total) == [4, 0, 3, 0])
            #expect(try await client.send(.get, "/api/members?q=a+b+c+d+e+f+g+h+i", token: owner.token).status == 400)
        }
    }

    @Test("a cursor is for the list, the part and the search that it came from, however many rows are asked for")
    func otherCursors() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, 30, organisation)
            let page = try await Self.page(client, "q=member&show=unverified&limit=3", owner.token)
            let cursor = try #require(page.next)
            for (path, isIts) in [
                ("/api/members?limit=5&show=unverified&q=member", true), ("/api/members?q=member", false),
                ("/api/members?q=member&show=verified", false), ("/api/members?q=membe&show=unverified", false),
                ("/api/requests?q=member&show=open", false), ("/api/log/mine?q=member&show=unverified", false),
            ] {
                let answer = try await client.send(.get, "\(path)&cursor=\(cursor)", token: owner.token)
                #expect(answer.status == (isIts ? 200 : 400), "\(path)")
            }
        }
    }

    @Test("accounts from before there were words get theirs at the next start, once")
    func filling() async throws {
        let organisation = try await TestOrganisation()
        try await Self.addMembers(0, 1_100, organisation)
        let database = organisation.server.environment.database
        try await database.write { transaction in
            try transaction.execute("DELETE FROM search_words")
            try transaction.execute("UPDATE accounts SET sort_name = ''")
        }
        try await AccountStore.fillNames(in: database)
        let unsorted = try await database.read { try $0.rows("SELECT id FROM accounts WHERE sort_name = ''").count }
        #expect(unsorted == 0)
        func words() async throws -> Int64? {
            try await database.read { transaction in
                try transaction.row(
                    "SELECT COUNT(DISTINCT item) AS total FROM search_words WHERE list = 'accounts'")?.integer("total")
            }
        }
        #expect(try await words() == 1_100)
        try await database.write { _ = try $0.execute("DELETE FROM search_words WHERE list = 'accounts'") }
        try await AccountStore.fillNames(in: database)
        #expect(try await words() == 0)
    }

    @Test(
        "what is no page is refused, and says why",
        arguments: [
            ("cursor=x", "cursor"), ("cursor=MSAy", "cursor"), ("cursor=MSAyIDM", "cursor"), ("cursor=", "cursor"),
            ("cursor=YQAgICA1", "cursor"), ("limit=0", "limit"), ("sort=age", "sort"),
            ("limit=1001", "limit"), ("limit=many", "limit"), ("show=nobody", "show"),
            ("q=" + String(repeating: "a", count: 201), "q"),
        ] as [(String, String?)])
    func refused(query: String, parameter: String?) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let answer = try await client.send(.get, "/api/members?\(query)", token: owner.token)
            #expect(answer.problem == (parameter == nil ? nil : "bad-request"))
            if let parameter { #expect(String(decoding: answer.body, as: UTF8.self).contains("\(parameter): ")) }
        }
    }

    @Test("sorted by name, whatever the case, the accents and the script; page by page, in every part and search")
    func names() async throws {
        let names = [
            "zoe Abel", "Ábel Zoltán", "Bela Kun", "ｂｅｌａ Lugosi", "Émile Zola", "emil Nolde", "Łucja", "李 娜", "山田 花子",
            "Иван", "ivan", "Ivan", "O’Brien", "o brien", "***",
        ]
        let sorted = [
            "***", "Ábel Zoltán", "Bela Kun", "ｂｅｌａ Lugosi", "emil Nolde", "Émile Zola", "ivan", "Ivan", "Łucja",
            "O’Brien", "o brien",
            "zoe Abel", "Иван", "山田 花子", "李 娜",
        ]
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, names.count, organisation) { names[$0] }
            func all(_ query: String) async throws -> [Account] {
                var seen: [Account] = []
                var next: String?
                repeat {
                    let page = try await Self.page(
                        client, "limit=2&sort=name\(query)" + (next.map { "&cursor=\($0)" } ?? ""), owner.token)
                    seen += page.items
                    next = page.next
                } while next != nil
                return seen.filter { $0.role == .member }
            }
            // Those with equal keys are in the order of their ids.
            let keys = try await all("").map { SortName.of($0.name) }
            #expect(keys == sorted.map { SortName.of($0) })
            #expect(keys == keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) })
            #expect(try await all("&show=verified").count == 8)
            #expect(try await all("&q=e").map(\.name) == ["emil Nolde", "Émile Zola"])
            let renamed = try await all("").last?.id
            try await organisation.server.environment.database.write { transaction in
                try AccountStore(transaction: transaction).rename(id: try #require(renamed), to: "Aaron")
            }
            #expect(try await all("").map(\.name)[1] == "Aaron")
        }
    }

    @Test("a place in one order is none in another, and lists without names have none to sort by")
    func otherOrder() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.addMembers(0, 5, organisation)
            let next = try #require(try await Self.page(client, "limit=2&sort=name", owner.token).next)
            var forged = try #require(ListCursor(text: next))
            for key in [ListCursor.Key.time(5), .name("a\u{0}")] {
                forged.key = key
                let answer = try await client.send(
                    .get, "/api/members?sort=name&cursor=\(forged.text)", token: owner.token)
                #expect(answer.problem == "bad-request")
            }
            for path in ["members?cursor=\(next)", "requests?sort=name", "documents?sort=name", "signings?sort=name"] {
                #expect(try await client.send(.get, "/api/\(path)", token: owner.token).problem == "bad-request")
            }
        }
    }

    @Test("the own log is newest first, beyond a page too")
    func log() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let environment = organisation.server.environment
            for number in 0..<5 {
                _ = try await environment.database.write { transaction in
                    try environment.log.record(
                        TrustEvent(.keyRotated, account: owner.account.id, [("key", .text("\(number)"))]),
                        in: transaction, now: 1)
                }
            }
            var indexes: [Int64] = []
            var next: String?
            repeat {
                let page = try await client.send(
                    .get, "/api/log/mine?limit=2" + (next.map { "&cursor=\($0)" } ?? ""), token: owner.token
                ).decode(Listing<LoggedEntry>.self)
                indexes += page.items.map(\.index)
                next = page.next
            } while next != nil
            #expect(indexes.count >= 7 && indexes == Array((0..<Int64(indexes.count)).reversed()))
        }
    }
}
