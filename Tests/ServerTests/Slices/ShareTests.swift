import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Links to presentations: what ends them.
@Suite("Shared links")
struct ShareTests {
    /// A member with one document, as the store holds it, and a link to it.
    private static func share(
        _ client: TestClient, views: Int = 2, lifetime: Int64 = 3_600, keyCheck: String? = nil
    ) async throws -> (session: NewSession, share: Share) {
        let organisation = client.organisation
        _ = try await client.setUp(organisation.person("owner"))
        let session = try await client.join(organisation.person("alice"))
        let account = session.account.id
        try await organisation.server.environment.database.write { transaction in
            try DocumentStore(transaction: transaction).insert(
                DocumentStore.Stored(
                    id: "document", type: "generic", holder: account, device: session.deviceID, issuer: account,
                    credential: "c", status: StatusPlace(list: 1, position: 1), size: 1, blob: "blob",
                    statement: "s", logIndex: 0, issued: 1))
        }
        let request = NewShare(
            sealed: [UInt8](repeating: 7, count: 64).base64URL, lifetime: lifetime, maximumViews: views,
            document: "document", keyCheck: keyCheck)
        let share = try await client.send(.post, "/api/shares", request, token: session.token).decode(Share.self)
        return (session, share)
    }

    @Test("five wrong codes end a link, for the right code too")
    func guessing() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client)
            func seen(_ show: String) async throws -> [Share] {
                try await client.send(.get, "/api/shares?show=\(show)", token: session.token)
                    .decode(Listing<Share>.self).items
            }
            for _ in 0..<5 {
                #expect(try await seen("open").map(\.id) == [share.id])
                let answer = try await client.send(
                    .post, "/api/shares/\(share.id)/open", ShareOpening(code: "AAAA-AAAA"))
                #expect(answer.problem == "wrong-code")
            }
            // Its owner sees that, and why; what it showed is gone.
            let ended = try await seen("ended")
            #expect(ended.map(\.stopped) == [organisation.server.environment.now()])
            #expect(ended.first?.stoppedByWrongCodes == true)
            #expect(try await seen("open").isEmpty)
            #expect(try await organisation.server.environment.blobs.list().isEmpty)
            let answer = try await client.send(
                .post, "/api/shares/\(share.id)/open", ShareOpening(code: share.code ?? ""))
            #expect(answer.problem == "gone")
        }
    }

    @Test("a link opens to its last second and no longer")
    func expiry() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (_, share) = try await Self.share(client, views: 9, lifetime: 3_600)
            let opening = ShareOpening(code: share.code ?? "")
            organisation.clock.advance(.seconds(3_599))
            #expect(try await client.send(.post, "/api/shares/\(share.id)/open", opening).status == 200)
            organisation.clock.advance(.seconds(1))
            #expect(try await client.send(.post, "/api/shares/\(share.id)/open", opening).problem == "gone")
        }
    }

    @Test("pages hold every link once, the newest first, whether it opens or not; or those to one document")
    func listed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client)
            try await organisation.server.environment.database.write { transaction in
                let store = ShareStore(transaction: transaction)
                for number in 0..<602 {
                    // Half are stopped, half have expired; three were made in each second.
                    let isStopped = number.isMultiple(of: 2)
                    let over = Share(
                        id: "over\(number)", document: "document", created: share.created + 1 + Int64(number / 3),
                        expires: isStopped ? share.expires : share.created, views: 0, maximumViews: 1, stopped: nil)
                    try store.insert(
                        ShareStore.Stored(
                            share: over, account: session.account.id, codeHash: "", failures: 0, blob: ""))
                    if isStopped { try store.stop(id: over.id, at: share.created + 2) }
                }
            }
            for query in ["limit=70", "limit=70&document=document"] {
                var (seen, pages, next) = ([Share](), 0, String?.none)
                repeat {
                    let page = try await client.send(
                        .get, "/api/shares?\(query)" + (next.map { "&cursor=\($0)" } ?? ""), token: session.token
                    ).decode(Listing<Share>.self)
                    (seen, pages, next) = (seen + page.items, pages + 1, page.next)
                } while next != nil && pages < 20
                #expect(pages == 9 && next == nil, "\(query)")
                #expect(seen.count == 603 && Set(seen.map(\.id)).count == 603, "\(query)")
                #expect(seen.last?.id == share.id, "\(query)")
                #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.created, $0.id) > ($1.created, $1.id) })
            }
            let other = try await client.send(.get, "/api/shares?document=other", token: session.token)
                .decode(Listing<Share>.self)
            #expect(other.items.isEmpty && other.next == nil)
            let eve = try await client.join(organisation.person("eve"))
            for query in ["", "?document=document"] {
                let hers = try await client.send(.get, "/api/shares\(query)", token: eve.token)
                    .decode(Listing<Share>.self)
                #expect(hers.items.isEmpty, "others' links\(query)")
            }
        }
    }

    @Test("those that still open and those that do not are parts, with numbers, of all links or of those to a document")
    func parts() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client)
            try await organisation.server.environment.database.write { transaction in
                let store = ShareStore(transaction: transaction)
                for id in ["stopped", "over", "used"] {
                    let one = Share(
                        id: id, document: "document", created: share.created + 1,
                        expires: id == "over" ? share.created : share.expires, views: 0, maximumViews: 1, stopped: nil)
                    try store.insert(
                        ShareStore.Stored(share: one, account: session.account.id, codeHash: "", failures: 0, blob: ""))
                }
                try store.stop(id: "stopped", at: share.created)
                try store.countView(id: "used", attempt: "", at: share.created)
            }
            for query in ["", "document=document&"] {
                for (show, ids) in [
                    ("all", ["used", "stopped", "over", share.id]), ("open", [share.id]),
                    ("ended", ["used", "stopped", "over"]),
                ] {
                    let page = try await client.send(.get, "/api/shares?\(query)show=\(show)", token: session.token)
                        .decode(Listing<Share>.self)
                    #expect(page.items.map(\.id) == ids, "\(query)\(show)")
                    #expect(page.counts?.map(\.show) == ["all", "open", "ended"])
                    #expect(page.counts?.map(\.total) == [4, 1, 3])
                }
            }
            let file = try await client.send(.get, "/api/shares?show=open&format=csv", token: session.token)
            let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\r\n").map(String.init)
            #expect(lines.count == 2)
            #expect(lines.first == "id,document,created,expires,views,maximum_views,stopped,stopped_by")
            #expect(lines.last?.hasPrefix("\(share.id),document,") == true && lines.last?.hasSuffix(",0,2,,") == true)
        }
    }

    @Test("its maker alone stops a link, and then what it showed is gone from the store")
    func stopping() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client, views: 9)
            let path = "/api/shares/\(share.id)"
            let opening = ShareOpening(code: share.code ?? "")
            let eve = try await client.join(organisation.person("eve"))
            #expect(try await client.send(.delete, path, token: eve.token).problem == "not-found")
            #expect(try await client.send(.delete, path).problem == "unauthenticated")
            #expect(try await client.send(.post, "\(path)/open", opening).status == 200)
            let blobs = organisation.server.environment.blobs
            #expect(try await blobs.list().count == 1)
            #expect(try await organisation.blobColumns() == ["shares.blob": 1])
            #expect(try await client.send(.delete, path, token: session.token).status == 204)
            #expect(try await client.send(.post, "\(path)/open", opening).problem == "gone")
            #expect(try await blobs.list().isEmpty)
            let listed = try await client.send(.get, "/api/shares", token: session.token).decode(Listing<Share>.self)
            #expect(listed.items.map(\.stopped) == [organisation.server.environment.now()])
        }
    }

    @Test("a link opens as often as allowed")
    func ending() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client, views: 2)
            let opening = ShareOpening(code: (share.code ?? "").lowercased().replacing("-", with: " "))
            for left in [1, 0] {
                let shown = try await client.send(.post, "/api/shares/\(share.id)/open", opening)
                    .decode(SharedPresentation.self)
                #expect(shown.viewsLeft == left)
            }
            #expect(try await client.send(.post, "/api/shares/\(share.id)/open", opening).problem == "gone")
            let listed = try await client.send(.get, "/api/shares", token: session.token).decode(Listing<Share>.self)
            #expect(listed.items.map(\.views) == [2])
            #expect(listed.items.first?.code == nil)
        }
    }

    @Test("an opening that showed nothing is given back by its attempt, three times, for ten minutes")
    func returning() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (session, share) = try await Self.share(client, views: 1)
            let path = "/api/shares/\(share.id)"
            func open(_ attempt: String) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "\(path)/open", ShareOpening(code: share.code ?? "", attempt: attempt))
            }
            func giveBack(_ attempt: String) async throws -> Int {
                try await client.send(.post, "\(path)/return", ShareAttempt(attempt: attempt)).status
            }
            func views() async throws -> [Int] {
                try await client.send(.get, "/api/shares", token: session.token).decode(Listing<Share>.self).items
                    .map(\.views)
            }
            let (mine, theirs) = (String(repeating: "m", count: 22), String(repeating: "t", count: 22))
            // What nobody has opened cannot be given back.
            #expect(try await giveBack(mine) == 204)
            #expect(try await views() == [0])
            #expect(try await open(mine).status == 200)
            #expect(try await giveBack(theirs) == 204)
            #expect(try await giveBack("short") == 422)
            #expect(try await views() == [1])
            // The last one is kept for as long as it can be given back or repeated.
            _ = try await ShareService(environment: organisation.server.environment).endFinished()
            #expect(try await open(theirs).problem == "gone")
            #expect(try await giveBack(mine) == 204)
            #expect(try await giveBack(mine) == 204)
            #expect(try await views() == [0])
            for _ in 0..<2 {
                #expect(try await open(theirs).status == 200)
                #expect(try await giveBack(theirs) == 204)
            }
            #expect(try await open(mine).status == 200)
            #expect(try await giveBack(mine) == 204)
            #expect(try await views() == [1], "a fourth one is not given back")
            #expect(
                try await client.send(
                    .post, "/api/shares/nowhere/return", ShareAttempt(attempt: mine)
                ).problem == "not-found")
        }
    }

    @Test("after ten minutes an opening is not given back, and what the last one showed is removed")
    func spent() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (_, share) = try await Self.share(client, views: 1)
            let mine = String(repeating: "m", count: 22)
            let opening = ShareOpening(code: share.code ?? "", attempt: mine)
            let blobs = organisation.server.environment.blobs
            let service = ShareService(environment: organisation.server.environment)
            #expect(try await client.send(.post, "/api/shares/\(share.id)/open", opening).status == 200)
            organisation.clock.advance(.seconds(Limits.shareAgain - 1))
            #expect(try await service.endFinished() == 0)
            #expect(try await blobs.list().count == 1)
            organisation.clock.advance(.seconds(1))
            try await service.giveBack(share.id, ShareAttempt(attempt: mine))
            #expect(try await service.endFinished() == 1)
            #expect(try await blobs.list().isEmpty)
            #expect(try await client.send(.post, "/api/shares/\(share.id)/open", opening).problem == "gone")
        }
    }

    @Test("an opening is spent by the key that opens, and once for the same attempt, for ten minutes")
    func spending() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let check = [UInt8](repeating: 1, count: 32).base64URL
            let (session, share) = try await Self.share(client, views: 2, keyCheck: check)
            let code = share.code ?? ""
            func open(_ keyCheck: String?, _ attempt: String?) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "/api/shares/\(share.id)/open",
                    ShareOpening(code: code, keyCheck: keyCheck, attempt: attempt))
            }
            func views() async throws -> Int? {
                try await client.send(.get, "/api/shares", token: session.token).decode(Listing<Share>.self).items
                    .first?
                    .views
            }
            let (mine, theirs) = (String(repeating: "m", count: 22), String(repeating: "t", count: 22))
            #expect(try await open([UInt8](repeating: 2, count: 32).base64URL, mine).problem == "conflict")
            #expect(try await open("short", mine).status == 422)
            #expect(try await open(check, "short").status == 422)
            #expect(try await views() == 0)
            for _ in 0..<3 {
                #expect(try await open(check, mine).decode(SharedPresentation.self).viewsLeft == 1)
            }
            #expect(try await views() == 1)
            // Another person's attempt is another opening, and the last.
            #expect(try await open(check, theirs).decode(SharedPresentation.self).viewsLeft == 0)
            #expect(try await open(check, theirs).status == 200)
            #expect(try await open(check, mine).problem == "gone")
            #expect(try await open(nil, nil).problem == "gone")
            organisation.clock.advance(.seconds(Limits.shareAgain))
            #expect(try await open(check, theirs).problem == "gone")
        }
    }

    @Test("a link is made for one's own document only")
    func others() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            _ = try await Self.share(client)
            let eve = try await client.join(organisation.person("eve"))
            let request = NewShare(
                sealed: [UInt8](repeating: 7, count: 64).base64URL, lifetime: 3_600, maximumViews: 1,
                document: "document")
            #expect(try await client.send(.post, "/api/shares", request, token: eve.token).problem == "not-found")
        }
    }
}
