import Encodings
import Foundation
import HTTPTypes
import HummingbirdTesting
import Interface
import Logging
import ServiceLifecycle
import Storage
import Testing

@testable import Server

/// A slice made up here, which plugs in by one line: everything that the house does for slices, it does for this one.
@Suite("A slice plugs in at one place")
struct MadeUpSliceTests {
    private static let permission = Permission("keep_keepsakes", [.owner], "see the keepsakes")

    private static let kept = TrustEvent.Kind("keepsake.kept")
    private static let secret = ServerKey(name: "keepsake-secret", kind: .secret)
    private static let notice = LiveEvent.Kind("keepsake")
    private static let given = NotificationKind(name: "keepsake", page: "/desk/keepsakes")
    private static let sentence = NotificationDetail.Sentence("keepsake-given", "A keepsake has come: {0}.")

    /// One table, one page, one permission, one kind of entry and of notice, one secret, one column of blobs, one service.
    private static let keepsakes = Slice(
        name: "keepsakes",
        migrations: [
            Migration(
                name: "keepsakes-0001",
                statements: [
                    """
                    CREATE TABLE keepsakes (
                        id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (id),
                        giver TEXT REFERENCES accounts (id), blob TEXT NOT NULL, expires BIGINT NOT NULL)
                    """
                ])
        ],
        permissions: [permission], events: [kept], notices: [notice], notifications: [given],
        sentences: [sentence],
        pages: [
            Page(
                "/desk/keepsakes", "made-up/keepsakes", "The keepsakes",
                at: .init(.desk, 35, "Keepsakes", icon: "document", needs: permission))
        ],
        blobs: [BlobColumn(table: "keepsakes", column: "blob", kept: "expires > $1", owner: "account")],
        people: [
            PersonColumn(table: "keepsakes", column: "account", erasure: .delete),
            PersonColumn(table: "keepsakes", column: "giver", erasure: .null),
        ],
        retention: [.rows(.init(table: "keepsakes", key: "id"))],
        keys: [secret], open: { OpenKeepsakes(environment: $0) })

    private struct OpenKeepsakes: OpenSlice {
        let environment: Environment
        /// What its service says, for a test that listens.
        var said: AsyncStream<String>.Continuation?

        func add(to routes: inout RouteTable) {
            let keys = environment.keys
            let own = Slice.all.keys + [MadeUpSliceTests.secret]
            let known = own.filter(keys.has).map { "\($0.name) \(keys.secret($0).count)" }.joined(separator: ", ")
            routes.securedRaw(
                .get, "/api/keepsakes", "The keepsakes", MadeUpSliceTests.permission, answers: "text/plain"
            ) { _, _ in .text(known, mediaType: "text/plain") }
        }

        func services(_ shell: Shell, _ logger: Logger) -> [any Service] {
            [KeepsakeCount(environment: environment, said: said)]
        }
    }

    /// Counts the keepsakes when the server starts, and again when it stops.
    private struct KeepsakeCount: Service {
        let environment: Environment
        let said: AsyncStream<String>.Continuation?

        func run() async throws {
            let first = try await count()
            said?.yield("began with \(first)")
            try? await cancelWhenGracefulShutdown {
                while !Task.isCancelled { try await environment.clock.sleep(.seconds(86_400)) }
            }
            let last = try await count()
            said?.yield("ended with \(last)")
        }

        private func count() async throws -> Int {
            try await environment.database.read { try $0.rows("SELECT id FROM keepsakes").count }
        }
    }

    /// The one line.
    private static let slices = Slice.all + [keepsakes]

    /// The pages, and those of the made-up slice.
    private static func web(in folder: BackupFolder) throws -> WebSource {
        let web = folder.path("web")
        try FileManager.default.copyItem(atPath: Pages.builtFolder, toPath: web)
        try FileManager.default.createDirectory(atPath: web + "/made-up", withIntermediateDirectories: true)
        let page = "{{<shell/area-layout}}\n{{$title}}Keepsakes{{/title}}\n{{$main}}<h1>Keepsakes</h1>{{/main}}\n"
        try Data((page + "{{/shell/area-layout}}\n").utf8).write(
            to: URL(fileURLWithPath: web + "/made-up/keepsakes.mustache"))
        return .live(folder: web)
    }

    /// Gives somebody a keepsake, and tells them.
    private static func keep(
        _ id: String, of account: String, from giver: String, until expires: Int64, in server: CountersignServer
    ) async throws {
        let environment = server.environment
        try await environment.blobs.write("blob-of-\(id)", Bytes(text: id))
        try await environment.database.write { transaction in
            try transaction.execute(
                "INSERT INTO keepsakes (id, account, giver, blob, expires) VALUES ($1, $2, $3, $4, $5)",
                [.text(id), .text(account), .text(giver), .text("blob-of-\(id)"), .integer(expires)])
            try environment.notify(
                Self.given, account, about: id, saying: NotificationDetail(Self.sentence, id), in: transaction,
                now: environment.now())
        }
    }

    private static func kept(_ organisation: TestOrganisation) async throws -> [String: String?] {
        try await organisation.place.snapshot { transaction in
            try transaction.rows("SELECT id, giver FROM keepsakes").reduce(into: [:]) {
                $0[try $1.text("id")] = .some(try $1.optionalText("giver"))
            }
        }
    }

    private static func blobs(_ organisation: TestOrganisation) async throws -> [String] {
        try await organisation.server.environment.blobs.list().map(\.name).sorted()
    }

    @Test(
        "its page is served and in the navigation, and its route is described, counted and refused without the permission"
    )
    func shown() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation(
            sharing: nil, slices: Self.slices, web: try Self.web(in: folder))
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let bob = try await client.join(organisation.person("bob"))
            for path in ["/desk/keepsakes", "/desk"] {
                let page = try await client.client.execute(uri: path, method: .get)
                #expect(page.status == .ok)
                let link = #"<li hidden data-may="keep_keepsakes"><a href="/desk/keepsakes">"#
                #expect(page.text.contains(link), "\(path)")
                #expect(page.text.contains(#"<a href="/desk/clients" data-also="/desk/client /desk/enrol">"#))
            }
            let answer = try await client.send(.get, "/api/keepsakes", token: owner.token)
            // Its own secret, and no other.
            #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "keepsake-secret 32")
            #expect(try await client.send(.get, "/api/keepsakes", token: bob.token).problem == "forbidden")
            #expect(try await client.send(.get, "/api/keepsakes").problem == "unauthenticated")
            // Pages learn from the session who may go there.
            for (session, isGranted) in [(owner, true), (bob, false)] {
                let current = try await client.send(.get, "/api/sessions/current", token: session.token)
                    .decode(CurrentSession.self)
                #expect(current.permissions.contains("keep_keepsakes") == isGranted)
                #expect(current.permissions.contains("own_account"))
            }
            let description = try JSON.parse(
                try await client.send(.get, "/openapi.json").body, maximumLength: 1 << 24, maximumDepth: 64)
            let described = description["paths"]?["/api/keepsakes"]?["get"]
            #expect(described?["x-permission"]?.isString("keep_keepsakes") == true)
            #expect(described?["tags"]?.array?.first?.isString("keepsakes") == true)
            let metrics = try await client.client.execute(uri: "/metrics", method: .get).text
            #expect(metrics.contains(#"route="/api/keepsakes",slice="keepsakes",status="200"} 1"#), "\(metrics)")
            #expect(
                Self.slices.permissionsPage().contains("| `keep_keepsakes` | see the keepsakes | yes | - | - | - |"))
        }
    }

    @Test("the log takes its entries, and no others; a program without it takes none")
    func logged() async throws {
        func record(_ event: TrustEvent, in organisation: TestOrganisation) async throws -> Int64 {
            let environment = organisation.server.environment
            return try await environment.database.write { try environment.log.record(event, in: $0, now: 1) }
        }
        let with = try await TestOrganisation(sharing: nil, slices: Self.slices)
        let index = try await record(TrustEvent(Self.kept, account: "a", []), in: with)
        _ = try await with.server.environment.log.receipt(index)
        await #expect(throws: TransparencyLog.LogError.unclaimed("keepsake.lost")) {
            _ = try await record(TrustEvent(TrustEvent.Kind("keepsake.lost"), account: "a", []), in: with)
        }
        let without = try await TestOrganisation(sharing: nil)
        await #expect(throws: TransparencyLog.LogError.unclaimed("keepsake.kept")) {
            _ = try await record(TrustEvent(Self.kept, account: "a", []), in: without)
        }
    }

    @Test("its kind of notice goes out, is among those that a member may switch off, and is silent when it is off")
    func told() async throws {
        let push = FakePushService()
        let organisation = try await TestOrganisation(push: push, slices: Self.slices)
        let until = organisation.clock.clock.now() + 60
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let bob = try await client.join(organisation.person("bob"))
            try await client.subscribe(bob)
            func give(_ id: String) async throws {
                try await Self.keep(
                    id, of: bob.account.id, from: owner.account.id, until: until, in: organisation.server)
            }
            try await give("one")
            #expect(try await organisation.outbox() == ["keepsake push"])
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [])
            #expect(push.posts.map(\.address) == ["https://push.example/send/ada?v=1"])
            let settings = try await client.notifications(bob)
            #expect(settings.kinds.last == NotificationKindInfo(name: "keepsake", isSecurity: false))
            #expect(settings.kinds.count == Slice.all.notifications.count + 1)
            let off = try await client.choose(.push, "keepsake", false, bob).decode(NotificationSettings.self)
            #expect(off.off == [NotificationChoice(way: .push, kind: "keepsake")])
            try await give("two")
            #expect(try await organisation.outbox() == [])
            #expect(try await organisation.deliver() == 0)
            #expect(push.posts.count == 1)
            let on = try await client.choose(.push, "keepsake", true, bob).decode(NotificationSettings.self)
            #expect(on.off == [])
            try await give("three")
            #expect(try await organisation.deliver() == 1)
            #expect(push.posts.count == 2)
        }
        let without = try await TestOrganisation(push: push)
        try await without.serve { client in
            let owner = try await client.setUp(without.person("owner"))
            #expect(try await client.choose(.push, "keepsake", false, owner).problem == "invalid-member")
            #expect(try await client.notifications(owner).kinds.count == Slice.all.notifications.count)
        }
    }

    @Test("its notice says in its own words what it is about, where that is wanted")
    func said() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail, slices: Self.slices)
        let until = organisation.clock.clock.now() + 60
        try await organisation.serve { client in
            let mine = try await client.setUp(organisation.person("owner")).account.id
            let bob = try await client.join(organisation.person("bob"))
            let way = try await client.addEmail("bob@mail.example", bob, mail)
            try await organisation.deliver()
            let waits = "Something waits for you in Countersign."
            for (id, isOn, words) in [("one", false, waits), ("two", true, "\(waits) A keepsake has come: two.")] {
                let path = "/api/notifications/ways/\(way.id)/content"
                let put = try await client.send(.put, path, NotificationContent(isOn: isOn), token: bob.token)
                #expect(put.status == 200)
                try await Self.keep(id, of: bob.account.id, from: mine, until: until, in: organisation.server)
                #expect(try await organisation.deliver() == 1)
                #expect(mail.letters.last?.text?.hasPrefix("\(words)\n\n") == true, "\(id)")
            }
        }
        // A program without it says no more than that something waits.
        let stored = NotificationDetail(Self.sentence, "two").stored
        #expect(NotificationDetail(stored: stored, of: Slice.all.sentences) == nil)
    }

    @Test(
        "its service runs as long as the server does, and still has the database when it ends", .timeLimit(.minutes(5)))
    func run() async throws {
        let folder = try BackupFolder()
        let (words, said) = AsyncStream.makeStream(of: String.self)
        var keepsakes = Self.keepsakes
        keepsakes.open = { OpenKeepsakes(environment: $0, said: said) }
        var configuration = ServerConfiguration()
        configuration.port = 0
        let organisation = try await TestOrganisation(
            sharing: nil, slices: Slice.all + [keepsakes], web: try Self.web(in: folder), configuration: configuration)
        let until = organisation.clock.clock.now() + 60
        try await organisation.serve { client in
            let mine = try await client.setUp(organisation.person("owner")).account.id
            try await Self.keep("mine", of: mine, from: mine, until: until, in: organisation.server)
        }
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let server = organisation.server
        let quiet = Logger(label: "test") { _ in LineLogHandler(format: .text) { _ in } }
        let heard = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await testGracefulShutdown(stops) {
                    // A server that does not start says nothing more either.
                    defer { said.finish() }
                    try await server.run(logger: quiet, stopsOnSignals: false) { _ in said.yield("listening") }
                }
            }
            var heard: [String] = []
            for await word in words {
                heard.append(word)
                guard heard.count == 2 else { continue }
                // Nobody has stopped it before.
                said.yield("stopped")
                stop.yield()
            }
            stop.finish()
            try await group.waitForAll()
            return heard
        }
        // Which of these two comes first is up to the machine.
        #expect(heard.prefix(2).sorted() == ["began with 1", "listening"])
        #expect(Array(heard.dropFirst(2)) == ["stopped", "ended with 1"])
    }

    @Test("it is erased, swept and kept at a start")
    func forgotten() async throws {
        let organisation = try await TestOrganisation(sharing: nil, slices: Self.slices)
        let now = organisation.clock.clock.now()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let bob = try await client.join(organisation.person("bob"))
            let (mine, his) = (owner.account.id, bob.account.id)
            let server = organisation.server
            try await Self.keep("bobs", of: his, from: mine, until: now + 60, in: server)
            try await Self.keep("mine", of: mine, from: his, until: now + 60, in: server)
            try await Self.keep("old", of: mine, from: mine, until: now - 1, in: server)
            try await server.environment.blobs.write("nobodys", [1])
            _ = try await client.send(
                .post, "/api/members/\(his)/erase", Erasure(username: "bob", keepsDocuments: false),
                token: owner.token
            ).decode(Acknowledgement.self)
            #expect(try await Self.kept(organisation) == ["mine": nil, "old": mine])
            #expect(try await Self.blobs(organisation) == ["blob-of-mine", "blob-of-old", "nobodys"])
            try await RetentionService(environment: server.environment, days: .init()).sweep()
            #expect(try await Self.kept(organisation) == ["mine": nil])
            let names = try await organisation.place.snapshot {
                try BlobColumnStore(transaction: $0, slices: Self.slices).names(at: now)
            }
            #expect(names == ["blob-of-mine"])
        }
    }

    @Test("it is backed up and restored; a program without it refuses both backup and database")
    func restored() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation(sharing: nil, slices: Self.slices)
        let now = organisation.clock.clock.now()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let mine = owner.account.id
            try await Self.keep("mine", of: mine, from: mine, until: now + 60, in: organisation.server)
        }
        try await organisation.server.environment.blobs.write("nobodys", [1])
        let manifest = try await BackupWriter(
            place: organisation.place, blobs: organisation.server.environment.blobs,
            directory: organisation.folder.path, includesKeys: true, slices: Self.slices
        ).write(to: folder.path("a.backup"), passphrase: nil, now: now).manifest
        #expect(manifest.contents.parts.map(\.name).filter { $0.hasPrefix("blobs/") } == ["blobs/blob-of-mine"])
        #expect(manifest.contents.parts.contains { $0.name == "keys/keepsake-secret" })
        await #expect(throws: BackupError.newer("migration keepsakes-0001")) {
            _ = try await BackupCheck(path: folder.path("a.backup"), passphrase: nil).run()
        }
        let check = BackupCheck(path: folder.path("a.backup"), passphrase: nil, slices: Self.slices)
        let place = folder.place("restored")
        try await BackupRestore(
            check: check, report: try await check.run(), directory: folder.path("restored"), place: place
        ).run()
        await #expect(throws: StorageError.migration(.unknown(name: "keepsakes-0001"))) {
            _ = try await TestOrganisation(folder: folder.url.appendingPathComponent("restored"), place: place)
        }
        // A file that no row names goes; the slice's stays.
        let nobodys = folder.path("restored/blobs/nobodys")
        try Data([1]).write(to: URL(fileURLWithPath: nobodys))
        // Younger ones may be what another process is just writing.
        let written = Date(timeIntervalSince1970: TimeInterval(now - 7_200))
        try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: nobodys)
        let again = try await TestOrganisation(
            folder: folder.url.appendingPathComponent("restored"), place: place, slices: Self.slices)
        try await again.server.orphans.sweep()
        #expect(try await Self.blobs(again) == ["blob-of-mine"])
        #expect(try await again.server.environment.blobs.read("blob-of-mine") == Bytes(text: "mine"))
        #expect(try await Self.kept(again).keys.sorted() == ["mine"])
        // The doctor misses what is the slice's: a file, a secret. Without the slice it does not know the tables.
        #expect(await Self.troubles(again) == [])
        #expect(await Self.troubles(again, Slice.all).contains("database"))
        for (lost, check) in [("blobs/blob-of-mine", "documents"), ("keys/keepsake-secret", "keys")] {
            let path = folder.path("restored/\(lost)")
            try FileManager.default.moveItem(atPath: path, toPath: folder.path("away"))
            #expect(await Self.troubles(again) == [check])
            try FileManager.default.moveItem(atPath: folder.path("away"), toPath: path)
        }
    }

    /// Names of the checks that find something, except room on the disk, which depends on the machine.
    private static func troubles(_ organisation: TestOrganisation, _ slices: [Slice] = slices) async -> [String] {
        var configuration = ServerConfiguration()
        configuration.dataDirectory = organisation.folder.path
        let findings = await Doctor(
            Deployment(
                configuration: configuration, place: organisation.place,
                stores: .folders(asTheyAreIn: organisation.folder.path), now: organisation.clock.clock.now(),
                slices: slices)
        ).run()
        return findings.filter { $0.result != .good && !$0.detail.hasSuffix("MiB are free") }.map(\.name)
    }
}
