import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Interface
import Storage
import Synchronization
import Testing

@testable import Server

/// Lists as files.
@Suite("A list as a file")
struct TableFileTests {
    @Test("has every row once, in the list's order, however many pages it takes, and what the search finds")
    func whole() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            try await organisation.server.environment.database.write { transaction in
                for number in 0..<2_345 {
                    try AccountStore(transaction: transaction).insert(
                        Account(
                            id: "m\(number)", username: "member\(number)", name: "Member \(number % 10)", role: .member,
                            isVerified: number.isMultiple(of: 2), created: 1_000 + Int64(number / 3)),
                        passphraseHash: nil, userHandle: nil)
                }
            }
            func rows(_ query: String) async throws -> [[Substring]] {
                let answer = try await client.send(.get, "/api/members?\(query)", token: owner.token)
                #expect(answer.status == 200)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(text.hasSuffix("\r\n"))
                return text.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            }
            let all = try await rows("format=csv")
            #expect(all.first == ["id", "username", "name", "role", "is_verified", "created"])
            #expect(all.count == 2_347 && Set(all.map(\.[0])).count == 2_347)
            // The newest first: the main administrator, then those with the highest numbers; of one second the higher id.
            #expect(
                all[1][1] == "owner"
                    && all[2] == ["m2344", "member2344", "Member 4", "member", "true", "1970-01-01T00:29:41Z"])
            let verified = try await rows("format=csv&show=verified")
            #expect(verified.count == 1_174 && verified.dropFirst().allSatisfy { $0[4] == "true" })
            let found = try await rows("format=csv&q=member+7")
            #expect(found.dropFirst().allSatisfy { $0[2] == "Member 7" || $0[1].hasPrefix("member7") })
            #expect(found.filter { $0[2] == "Member 7" }.count == 234)
        }
    }

    /// Every list that has a file, and what the file is called.
    static let lists: [(String, String)] = [
        ("members", "members"), ("documents?issued=true", "documents"), ("documents", "documents"),
        ("requests", "requests"), ("log/mine", "log"), ("clients", "clients"), ("signings", "transactions"),
        ("workspace", "workspace"), ("operators", "operators"), ("delegations", "certifications"),
        ("approvals/history", "approvals"), ("invitations", "invitations"), ("shares", "links"),
        ("clients/c/acts", "history"), ("desk/attempts", "tries"),
    ]

    @Test("no list that has one is left out here")
    func complete() async throws {
        let organisation = try await TestOrganisation()
        let files = organisation.server.routes.endpoints.filter { $0.query.contains { $0.name == "format" } }
        let tried = Self.lists.map { "/api/\($0.0.split(separator: "?")[0])".replacing("/c/", with: "/{id}/") }
        #expect(Set(files.map(\.path)) == Set(tried))
    }

    @Test("every list has one, called by its name", arguments: lists)
    func every(_ path: String, _ name: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let member = try await client.join(organisation.person("ada"))
            // The main administrator makes no links.
            let (reader, other) = path == "shares" ? (member, owner) : (owner, member)
            try await organisation.server.environment.database.write { transaction in
                try ClientStore(transaction: transaction).insert(
                    ClientStore.Stored(
                        id: "c", numberHash: "h", givenName: "Ada", familyName: "L", tool: .pen, sealed: "", created: 1)
                )
            }
            let headers: HTTPFields = [.authorization: "Bearer \(reader.token)"]
            let uri = "/api/\(path)\(path.contains("?") ? "&" : "?")format=csv"
            let answer = try await client.client.execute(uri: uri, method: .get, headers: headers) { $0 }
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            #expect(answer.headers[.contentDisposition] == "attachment; filename=\"\(name).csv\"")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.text.contains(name == "log" ? "index," : "id,"))
            for wrong in ["&limit=5", "&cursor=MSAyIDM"] {
                let refused = try await client.client.execute(uri: uri + wrong, method: .get, headers: headers) { $0 }
                #expect(refused.status == .badRequest)
            }
            let unknown = uri.replacing("format=csv", with: "format=xls")
            let refused = try await client.client.execute(uri: unknown, method: .get, headers: headers) { $0 }
            #expect(refused.status == .badRequest && refused.text.contains("format: json, csv"))
            // Members get their own rows of the lists that have some.
            let own: Set<String> = [
                "documents", "documents?issued=true", "requests", "log/mine", "delegations", "approvals/history",
            ]
            let others = try await client.send(.get, uri, token: other.token)
            #expect(others.status == (own.contains(path) ? 200 : 403))
        }
    }

    @Test(
        "nothing in it is a formula, and every text comes back as it was",
        arguments: [
            ("Ada Lovelace", "Ada Lovelace"), ("=1+1", "'=1+1"), ("+44 1", "'+44 1"), ("-2", "'-2"), ("@x", "'@x"),
            ("\t=1", "\"'\t=1\""), ("\r=1", "\"'\r=1\""), ("\n", "\"'\n\""), ("  =1", "'  =1"), ("＝1", "'＝1"),
            ("a,b", "\"a,b\""), ("a;b", "\"a;b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\r\nb", "\"a\r\nb\""),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""), ("", ""), ("a=b", "a=b"),
        ])
    func cells(_ text: String, _ cell: String) {
        #expect(CSVText.line([text, "z"]) == cell + ",z\r\n")
    }

    @Test(
        "breaks off, without its end, when its reader's session ends or the list can be read no further",
        arguments: [true, false])
    func broken(_ endsSession: Bool) async throws {
        let sessions = OneSession()
        let shell = Shell(
            clock: ManualClock().clock, authenticator: sessions, readiness: [], publicURL: "https://sign.example.test")
        var routes = RouteTable()
        routes.list("/api/people", "People", .readMembers, file: "people", of: Account.self) { request, _, _ in
            let number = request.cursor?.time ?? 0
            if number == 2 {
                guard endsSession else { throw Unexpected() }
                sessions.isOver.withLock { $0 = true }
            }
            let next = ListCursor(key: .time(number + 1), id: "x").text
            return Listing(
                [Account(id: "p\(number)", username: "", name: "", role: .member, isVerified: false, created: 0)],
                next: number == 5 ? nil : next)
        }
        try await withLiveServer(shell, routes: routes) { port in
            let request = """
                GET /api/people?format=csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n
                """
            let text = try await exchange(port, [Bytes(text: request)])
            #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("p1,") && !text.contains("p3,"))
            #expect(!text.hasSuffix("0\r\n\r\n"), "half a file passes for a whole one")
        }
    }
}

/// Files that take long.
@Suite("A list as a file, with others under way", .timeLimit(.minutes(5)))
struct TableFilePlaceTests {
    @Test("waits while as many of the account are sent as may be, and comes when one is over")
    func places() async throws {
        let shell = Shell(
            clock: ManualClock().clock, authenticator: OneSession(), readiness: [],
            publicURL: "https://sign.example.test")
        let begun = Atomic<Int>(0)
        let isReleased = Atomic<Bool>(false)
        var routes = RouteTable()
        routes.list("/api/people", "People", .readMembers, file: "people", of: Account.self) { request, _, _ in
            let isLast = request.cursor != nil
            if isLast {
                // One that should not have begun is not waited for.
                let number = begun.add(1, ordering: .relaxed).newValue
                while number <= Limits.tableFilesPerAccount, !isReleased.load(ordering: .relaxed) {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            return Listing(
                [Account(id: "p", username: "", name: "", role: .member, isVerified: false, created: 0)],
                next: isLast ? nil : ListCursor(key: .time(1), id: "x").text)
        }
        try await withLiveServer(shell, routes: routes) { port in
            @Sendable func file() async throws -> String {
                let request = """
                    GET /api/people?format=csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n
                    """
                return try await exchange(port, [Bytes(text: request)])
            }
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<Limits.tableFilesPerAccount { group.addTask { try await file() } }
                while begun.load(ordering: .relaxed) < Limits.tableFilesPerAccount {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let refused = try await file()
                #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.lowercased().contains("retry-after: 2"))
                isReleased.store(true, ordering: .relaxed)
                for try await text in group { #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("0\r\n\r\n")) }
            }
            // A place is free some time after the reader has the end.
            while try await file().hasPrefix("HTTP/1.1 503 ") { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}

/// One administrator, whose session can end.
private final class OneSession: SessionAuthenticator {
    let isOver = Mutex(false)

    func authenticate(token: String, evenLocked: Bool) async throws -> Principal? {
        isOver.withLock { $0 } ? nil : Principal(account: "a", role: .administrator, session: "s", device: "d")
    }
}
