import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// What a person reads of the log about themselves: counted, narrowed to kinds of acts, and as a file.
@Suite("The own log")
struct OwnLogTests {
    /// Adds entries about an account, the oldest first.
    private static func add(
        _ kinds: [TrustEvent.Kind], about account: String, _ organisation: TestOrganisation
    ) async throws {
        let environment = organisation.server.environment
        try await environment.database.write { transaction in
            for kind in kinds {
                _ = try environment.log.record(TrustEvent(kind, account: account, []), in: transaction, now: 1)
            }
        }
    }

    private static func page(
        _ client: TestClient, _ query: String, _ token: String
    ) async throws -> Listing<LoggedEntry> {
        try await client.send(.get, "/api/log/mine?\(query)", token: token).decode(Listing<LoggedEntry>.self)
    }

    /// All pages of a list, one after the other.
    private static func pages(
        _ client: TestClient, _ query: String, _ token: String
    ) async throws -> [Listing<LoggedEntry>] {
        var pages: [Listing<LoggedEntry>] = []
        repeat {
            let cursor = pages.last?.next.map { "&cursor=\($0)" } ?? ""
            pages.append(try await page(client, query + cursor, token))
        } while pages.last?.next != nil && pages.count < 200
        return pages
    }

    @Test("the first page says how many entries there are, exactly up to ten thousand")
    func counted() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let before = try await Self.page(client, "", owner.token)
            #expect(before.counts == [ListCount(show: "all", total: before.items.count, isMore: false)])
            try await Self.add(Array(repeating: .keyRotated, count: 5), about: owner.account.id, organisation)
            let pages = try await Self.pages(client, "limit=3", owner.token)
            let total = before.items.count + 5
            #expect(pages.first?.counts == [ListCount(show: "all", total: total, isMore: false)])
            #expect(pages.count > 1 && pages.dropFirst().allSatisfy { $0.counts == nil })
            #expect(pages.flatMap(\.items).count == total)
        }
        // These are in no tree: they are only counted.
        try await organisation.server.environment.database.write { transaction in
            try transaction.execute(
                """
                WITH RECURSIVE number (n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= \(Limits.counted))
                INSERT INTO log_entries (position, account, type, time, entry, opening, record)
                SELECT 1000000 + n, 'many', 'key.rotated', 1, '', '', '' FROM number
                """)
        }
        func counts(_ types: [String]?) async throws -> [ListCount]? {
            try await organisation.server.environment.database.read { transaction in
                try LogListStore(transaction: transaction).page(account: "many", types: types, ListRequest()).counts
            }
        }
        #expect(try await counts(nil) == [ListCount(show: "all", total: Limits.counted, isMore: true)])
        // A count that takes too long is left out.
        #expect(try await counts(["key.rotated"]) == [])
    }

    @Test("it is narrowed to one kind of act and to several, page by page, and counted so")
    func narrowed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let ada = try await client.join(organisation.person("ada"))
            for _ in 0..<7 {
                try await Self.add([.keyRotated, .documentIssued, .faceChanged], about: ada.account.id, organisation)
                // Of the same kinds, about somebody else.
                try await Self.add([.documentIssued], about: owner.account.id, organisation)
            }
            let all = try await Self.pages(client, "", ada.token).flatMap(\.items)
            #expect(all.count == 22)
            for (types, count) in [
                ("document.issued", 7), ("device.enrolled", 1), ("key.rotated,document.issued", 14),
                ("document.issued,key.rotated,face.changed,device.enrolled", 22), ("vault.created", 0),
                ("organisation.created", 0),
            ] {
                let wanted = Set(types.split(separator: ",").map(String.init))
                for limit in [1, 3, 7, 100] {
                    let pages = try await Self.pages(client, "types=\(types)&limit=\(limit)", ada.token)
                    let found = pages.flatMap(\.items)
                    let expected = all.filter { wanted.contains($0.type) }
                    #expect(found.map(\.index) == expected.map(\.index) && found.count == count, "\(types), \(limit)")
                    #expect(pages.count == max(1, (count + limit - 1) / limit), "\(types), \(limit)")
                    #expect(pages.first?.counts == [ListCount(show: "all", total: count, isMore: false)], "\(types)")
                    #expect(pages.dropFirst().allSatisfy { $0.counts == nil })
                }
            }
            let proofs = try await Self.page(client, "types=document.issued", ada.token).items.map(\.receipt.proof)
            #expect(Set(proofs).count == 7 && !proofs.contains(""))
            // Every kind at once is still a question.
            let every = Slice.all.events.map(\.rawValue).joined(separator: "%2C")
            #expect(try await Self.page(client, "types=\(every)", ada.token).items.map(\.index) == all.map(\.index))
        }
    }

    @Test("a rare act far back is found by going on, and no page looks at more than so many entries")
    func rare() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let account = owner.account.id
            try await Self.add([.faceChanged], about: account, organisation)
            try await Self.add(Array(repeating: .keyRotated, count: Limits.walked * 2), about: account, organisation)
            try await Self.add([.faceChanged], about: account, organisation)
            let pages = try await Self.pages(client, "types=face.changed&limit=5", owner.token)
            #expect(pages.map(\.items.count) == [1, 0, 1])
            #expect(pages.flatMap(\.items).allSatisfy { $0.type == "face.changed" })
            // Nobody knows yet how many there are.
            #expect(pages.first?.counts == [])
            // A page may also be full before the walk ends: nothing is left out where it goes on.
            let few = try await Self.pages(client, "types=face.changed&limit=1", owner.token)
            #expect(few.flatMap(\.items).map(\.index) == pages.flatMap(\.items).map(\.index))
            let often = try await Self.page(client, "types=key.rotated&limit=3", owner.token)
            let cursor = try #require(often.next)
            let later = try await Self.page(client, "types=key.rotated&limit=3&cursor=\(cursor)", owner.token)
            let last = try #require(often.items.last?.index)
            #expect(often.items.count == 3 && later.items.map(\.index) == [last - 1, last - 2, last - 3])
            let none = try await Self.pages(client, "types=vault.created", owner.token)
            #expect(none.count == 3 && none.allSatisfy { $0.items.isEmpty })
            // A file follows the pages to the end, through those that are empty.
            let lines = try await Self.file(client, "types=face.changed", owner.token)
            #expect(lines.count == 3 && lines.dropFirst().allSatisfy { $0.contains(",face.changed,") })
        }
    }

    private static func file(_ client: TestClient, _ query: String, _ token: String) async throws -> [Substring] {
        let answer = try await client.send(.get, "/api/log/mine?\(query)&format=csv", token: token)
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\r\n")
    }

    @Test("a file has the entries of the kinds that were asked for, and no others")
    func narrowedFile() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.add([.keyRotated, .faceChanged, .keyRotated], about: owner.account.id, organisation)
            let lines = try await Self.file(client, "types=key.rotated", owner.token)
            #expect(lines.first == "index,type,time" && lines.count == 3)
            #expect(lines.dropFirst().allSatisfy { $0.contains(",key.rotated,") })
            #expect(try await Self.file(client, "types=vault.created", owner.token) == ["index,type,time"])
        }
    }

    @Test("a cursor is for the kinds that it came from")
    func otherCursors() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await Self.add(Array(repeating: .keyRotated, count: 5), about: owner.account.id, organisation)
            let cursor = try #require(try await Self.page(client, "types=key.rotated&limit=2", owner.token).next)
            for (query, isIts) in [
                ("limit=9&types=key.rotated", true), ("limit=2", false), ("types=key.rotated,face.changed", false),
                ("types=face.changed", false),
            ] {
                let answer = try await client.send(
                    .get, "/api/log/mine?\(query)&cursor=\(cursor)", token: owner.token)
                #expect(answer.status == (isIts ? 200 : 400), "\(query)")
            }
        }
    }

    @Test(
        "what is no kind of act is refused, and says why",
        arguments: [
            "", ",", "key.rotated,", "credential.issued", "KEY.ROTATED", "key.rotated%20", "key.rotated,key.rotated",
            "key.rotated,nothing.done", "%25", "key", "*",
        ])
    func refused(types: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            for format in ["", "&format=csv"] {
                let answer = try await client.send(.get, "/api/log/mine?types=\(types)\(format)", token: owner.token)
                #expect(answer.status == 400 && answer.problem == "bad-request")
                #expect(String(decoding: answer.body, as: UTF8.self).contains("types: "))
            }
        }
    }
}
