import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Files and folders of a compartment: put, moved, read.
@Suite("Changes of a vault's compartment")
struct VaultChangeTests {
    private static func ids(_ count: Int) -> [String] { (0..<count).map { _ in VaultScene.identifier() }.sorted() }

    @Test("what was put is read back, under the wallet's wrapping alone; the database has it under another")
    func reads() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(3)
            let answer = try await scene.change(
                VaultScene.change(0, put: ids.map { VaultScene.put($0, key: "node key \($0)") }))
            #expect(try answer.decode(VaultChanged.self).sequence == 1)
            let page = try await scene.nodes()
            #expect(page.items.map(\.id) == ids && page.next == nil && page.sequence == 1)
            #expect(page.head == Bytes(text: "head 1").base64URL)
            for item in page.items {
                #expect(item.key == Bytes(text: "node key \(item.id)").base64URL)
                #expect(item.place == Bytes(text: "place").base64URL && item.revision == 1)
                #expect(item.metadata == Bytes(text: "metadata").base64URL && item.lost == nil)
            }
            let stored = try await scene.organisation.rows()["vault_nodes"] ?? []
            for row in stored {
                for id in ids { #expect(!row.contains(.text(Bytes(text: "node key \(id)").base64URL))) }
            }
            let compartment = try await scene.compartment()
            #expect(compartment.bytes == 24 && compartment.nodes == 3)
        }
    }

    @Test("two devices at once: the second is refused and loses nothing, and nothing of it is stored")
    func compared() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(4)
            #expect(try await scene.change(VaultScene.change(0, put: [VaultScene.put(ids[0])])).status == 200)
            let late = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(ids[1])], trash: [ids[0]]))
            #expect(late.status == 409 && late.errorName == "sequence" && late.text.contains("at 1"))
            #expect(try await scene.nodes().items.map(\.id) == [ids[0]])
            // At the same moment: exactly one.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for id in ids[1..<3] {
                    group.addTask { try await scene.change(VaultScene.change(1, put: [VaultScene.put(id)])).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 409])
            #expect(try await scene.compartment().sequence == 2)
        }
    }

    @Test("a change with one wrong part does nothing")
    func whole() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(3)
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(ids[0])]))
            let good = VaultScene.put(ids[1])
            var moved = VaultScene.put(ids[0])
            moved.place = Bytes(text: "other").base64URL
            let before = try await scene.organisation.rows()
            let wrong: [(VaultChange, Int, String?)] = [
                (VaultScene.change(1, put: [good, VaultScene.put(ids[0], metadata: "other")]), 409, "revision"),
                (VaultScene.change(1, put: [good, moved]), 409, "revision"),
                (VaultScene.change(1, put: [good, VaultScene.put(ids[0], revision: 3)]), 409, "revision"),
                (VaultScene.change(1, put: [good, VaultScene.put(ids[2], revision: 2)]), 409, "revision"),
                (VaultScene.change(1, put: [good], trash: [ids[2]]), 409, "node"),
                (VaultScene.change(1, put: [good], restore: [ids[0]]), 409, "node"),
                (VaultScene.change(1, put: [good], remove: [ids[2]]), 409, "node"),
                (VaultScene.change(1, put: [good, good]), 422, nil),
                (VaultScene.change(1, put: [good], trash: [ids[0]], remove: [ids[0]]), 422, nil),
                (VaultScene.change(1, put: [VaultScene.put("x")]), 422, nil),
                (VaultScene.change(1, put: [VaultScene.put(ids[1].uppercased())]), 422, nil),
                (VaultScene.change(1, put: [good, VaultScene.put(ids[2], key: "")]), 422, nil),
                (
                    VaultScene.change(
                        1, put: [VaultScene.put(ids[2], metadata: String(repeating: "m", count: 262_145))]),
                    422, nil
                ),
                (
                    VaultScene.change(
                        1,
                        put: [
                            VaultScene.put(
                                ids[2],
                                [
                                    .init(
                                        id: VaultScene.identifier(), content: VaultScene.identifier(), key: "AA",
                                        size: 1)
                                ])
                        ]), 409, "content"
                ),
            ]
            for (change, status, error) in wrong {
                let answer = try await scene.change(change)
                #expect(answer.status == status && answer.errorName == error, "\(answer.text)")
            }
            let after = try await scene.organisation.rows()
            for table in after.keys where table.hasPrefix("vault") {
                #expect(after[table] == before[table], "\(table)")
            }
        }
    }

    @Test("an item whose folder has another key keeps its revision: its key comes wrapped again, and nothing else")
    func wrappedAgain() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(2)
            let version = try await scene.upload(Bytes(repeating: 5, count: 600))
            let file = VaultScene.put(ids[0], [version])
            _ = try await scene.change(VaultScene.change(0, put: [file]))
            var again = VaultScene.put(ids[0], key: "other key", [version])
            let answer = try await scene.change(VaultScene.change(1, put: [again, VaultScene.put(ids[1])]))
            #expect(answer.status == 200, "\(answer.text)")
            let item = try #require(try await scene.nodes("?after=1").items.first { $0.id == ids[0] })
            #expect(item.key == Bytes(text: "other key").base64URL && item.revision == 1 && item.versions.count == 1)
            // Its contents stay, whatever the change says.
            again.versions = []
            #expect(try await scene.change(VaultScene.change(2, put: [again])).errorName == "revision")
            #expect(try await scene.content(version.content).status == 200)
        }
    }

    @Test("into the trash, out of it, and away for good: others learn of each, in the order of the changes")
    func trash() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(3)
            _ = try await scene.change(VaultScene.change(0, put: ids.map { VaultScene.put($0) }))
            #expect(try await scene.change(VaultScene.change(1, trash: [ids[0], ids[1]])).status == 200)
            let now = scene.clock.clock.now()
            #expect(try await scene.nodes("?after=1").items.map(\.trashed) == [now, now])
            #expect(try await scene.change(VaultScene.change(2, trash: [ids[0]])).errorName == "node")
            #expect(try await scene.change(VaultScene.change(2, restore: [ids[0]], remove: [ids[2]])).status == 200)
            let page = try await scene.nodes("?after=2")
            #expect(Set(page.items.map(\.id)) == [ids[0], ids[2]] && page.items.allSatisfy { $0.trashed == nil })
            let removed = try #require(page.items.first { $0.id == ids[2] })
            #expect(removed.removed == now && removed.key.isEmpty && removed.metadata.isEmpty && removed.place.isEmpty)
            // What is removed never comes back.
            let again = try await scene.change(VaultScene.change(3, put: [VaultScene.put(ids[2], revision: 2)]))
            #expect(again.errorName == "node")
            #expect(try await scene.compartment().nodes == 2)
            // A put of something in the trash leaves it there.
            _ = try await scene.change(VaultScene.change(3, put: [VaultScene.put(ids[1], revision: 2)]))
            #expect(try await scene.nodes("?after=3").items.map(\.trashed) == [now])
        }
    }

    @Test("what moves together has only so much metadata, since others wait while it is written; one alone always may")
    func together() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(2)
            _ = try await scene.change(VaultScene.change(0, put: ids.map { VaultScene.put($0) }))
            func setSizes(_ bytes: Int64) async throws {
                try await scene.environment.database.write { transaction in
                    try transaction.execute("UPDATE vault_nodes SET size = $1", [.integer(bytes)])
                }
            }
            func isRefused(_ change: VaultChange) async throws -> Bool {
                let answer = try await scene.change(change)
                return answer.status != 200 && answer.text.contains("trash, restore, remove")
            }
            // A byte more than both may have.
            try await setSizes(Limits.vaultMoved / 2 + 1)
            #expect(try await isRefused(VaultScene.change(1, trash: ids)))
            #expect(try await isRefused(VaultScene.change(1, remove: ids)))
            #expect(try await scene.change(VaultScene.change(1, trash: [ids[0]])).status == 200)
            #expect(try await isRefused(VaultScene.change(2, trash: [ids[1]], restore: [ids[0]])))
            try await setSizes(Limits.vaultMoved / 2)
            #expect(try await scene.change(VaultScene.change(2, trash: [ids[1]], restore: [ids[0]])).status == 200)
        }
    }

    @Test("the trash is emptied after 30 days, not before, and the head stays the wallet's")
    func emptied() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(2)
            let version = try await scene.upload([1, 2, 3])
            _ = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(ids[0], [version]), VaultScene.put(ids[1])]))
            _ = try await scene.change(VaultScene.change(1, trash: [ids[0]]))
            scene.clock.advance(.seconds(Limits.vaultTrashTime - 1))
            try await scene.sweep()
            #expect(try await scene.nodesAgain().items.count { $0.removed == nil } == 2)
            #expect(try await scene.blobs().count == 1)
            scene.clock.advance(.seconds(1))
            try await scene.sweep()
            let page = try await scene.nodesAgain()
            #expect(page.items.first { $0.id == ids[0] }?.removed != nil)
            #expect(page.sequence == 2 && page.head == Bytes(text: "head 2").base64URL)
            #expect(try await scene.blobs().isEmpty)
            let compartment = try await VaultCompartments(
                environment: scene.environment, epochs: VaultEpochs(scene.environment)
            ).find(scene.main, scene.principal)
            #expect(compartment.bytes == 8 && compartment.nodes == 1)
        }
    }

    @Test("read page by page, whatever the pages' size; what changes meanwhile comes again at the end")
    func pages() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(25)
            _ = try await scene.change(VaultScene.change(0, put: ids[..<20].map { VaultScene.put($0) }))
            _ = try await scene.change(VaultScene.change(1, put: ids[20...].map { VaultScene.put($0) }))
            for limit in [1, 7, 20, 25, 500] {
                var (read, next): ([String], String?) = ([], nil)
                repeat {
                    let page = try await scene.nodes("?limit=\(limit)" + (next.map { "&after=\($0)" } ?? ""))
                    read += page.items.map(\.id)
                    next = page.next
                } while next != nil
                #expect(read == Array(ids[..<20]) + ids[20...], "\(limit)")
            }
            let first = try await scene.nodes("?limit=5")
            _ = try await scene.change(VaultScene.change(2, put: [VaultScene.put(ids[0], revision: 2)]))
            let rest = try await scene.nodes("?after=\(try #require(first.next))")
            #expect(rest.items.count == 21 && rest.items.last?.id == ids[0] && rest.sequence == 3)
            for query in ["?after=x", "?after=-1", "?after=1.x", "?limit=0", "?limit=501", "?limit=x"] {
                let answer = try await scene.send(.get, "compartments/\(scene.main)/nodes\(query)")
                #expect(answer.problem == "bad-request", "\(query)")
            }
        }
    }

    @Test("a page of long metadata is cut, and always has one item")
    func long() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(20)
            let long = String(repeating: "m", count: 262_144)
            for (sequence, id) in ids.enumerated() {
                let change = VaultScene.change(Int64(sequence), put: [VaultScene.put(id, metadata: long)])
                #expect(try await scene.change(change).status == 200)
            }
            let page = try await scene.nodesAgain()
            #expect(page.items.count == 11 && page.next != nil)
        }
    }

    @Test("nobody reads or changes another's compartment, or learns that it is there")
    func others() async throws {
        try await VaultScene.serve { scene in
            let eve = try scene.organisation.person("eve")
            let session = try await scene.client.join(eve)
            let other = try await VaultScene.make(scene.client, scene.organisation, eve, session)
            let version = try await scene.upload([1, 2, 3])
            let id = VaultScene.identifier()
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(id, [version])]))
            let open = try await scene.begin(5)
            for (method, path, body) in [
                (HTTPRequest.Method.get, "compartments/\(scene.main)", nil as (any Encodable)?),
                (.get, "compartments/\(scene.main)/nodes", nil), (.delete, "compartments/\(scene.main)", nil),
                (.post, "compartments/\(scene.main)/changes", VaultScene.change(1, remove: [id])),
                (.post, "uploads", NewVaultUpload(compartment: scene.main, size: 1)),
                (.get, "uploads/\(open.id)", nil), (.delete, "uploads/\(open.id)", nil),
                (.get, "contents/\(version.content)", nil), (.get, "compartments/\(VaultScene.identifier())", nil),
            ] {
                let answer = try await other.send(method, path, body)
                #expect(answer.problem == "not-found", "\(method) \(path)")
            }
            #expect(try await other.putPart(0, of: open.id, [1, 2, 3, 4, 5]).problem == "not-found")
            let taken = try await other.send(.post, "compartments", NewVaultCompartment(id: scene.main, head: "AA"))
            #expect(taken.errorName == "taken")
            // Not even into their own compartment.
            let stolen = try await other.change(VaultScene.change(0, put: [VaultScene.put(id, [version])]))
            #expect(stolen.errorName == "content")
            #expect(try await scene.content(version.content).body == [1, 2, 3])
        }
    }

    @Test("at most sixteen compartments, each with a quota of its own, and no answer lists them")
    func compartments() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(16)
            for id in ids.dropLast() {
                let made = try await scene.send(.post, "compartments", NewVaultCompartment(id: id, head: "AA"))
                #expect(made.status == 201)
            }
            let more = try await scene.send(.post, "compartments", NewVaultCompartment(id: ids[15], head: "AA"))
            #expect(more.errorName == "compartments")
            let state = try await scene.send(.get, "").text
            for id in ids + [scene.main] { #expect(!state.contains(id)) }
            #expect(try await scene.send(.delete, "compartments/\(ids[0])").status == 204)
            #expect(try await scene.send(.get, "compartments/\(ids[0])").status == 404)
            let whole = NewVaultUpload(compartment: ids[1], size: Limits.vaultQuota)
            #expect(try await scene.send(.post, "uploads", whole).status == 201)
            let full = try await scene.send(.post, "uploads", NewVaultUpload(compartment: ids[1], size: 1))
            #expect(full.errorName == "quota")
            let refused = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())]), in: ids[1])
            #expect(refused.errorName == "quota")
            #expect(try await scene.send(.post, "uploads", NewVaultUpload(compartment: ids[2], size: 1)).status == 201)
        }
    }

    @Test("what was removed counts on, since its id stays: nobody fills a compartment with what is gone")
    func ever() async throws {
        try await VaultScene.serve { scene in
            let ids = Self.ids(3)
            func removed() async throws -> Int64? {
                try await scene.environment.database.read {
                    try VaultCompartmentStore(transaction: $0).find(scene.main)?.removed
                }
            }
            _ = try await scene.change(VaultScene.change(0, put: ids[..<2].map { VaultScene.put($0) }))
            _ = try await scene.change(VaultScene.change(1, trash: [ids[0]]))
            #expect(try await removed() == 0)
            _ = try await scene.change(VaultScene.change(2, remove: [ids[1]]))
            #expect(try await removed() == 1)
            // As if as many had been there as may ever be.
            try await scene.environment.database.write { [main = scene.main] transaction in
                try VaultCompartmentStore(transaction: transaction).add(
                    main, bytes: 0, removed: Int64(Limits.vaultNodesEver) - 2)
            }
            let full = try await scene.change(VaultScene.change(3, put: [VaultScene.put(ids[2])]))
            #expect(full.errorName == "nodes")
            // What is there is changed and removed all the same.
            let other = VaultScene.put(ids[0], revision: 2)
            #expect(try await scene.change(VaultScene.change(3, put: [other])).status == 200)
            scene.clock.advance(.seconds(Limits.vaultTrashTime))
            try await scene.sweep()
            #expect(try await removed() == Int64(Limits.vaultNodesEver))
        }
    }

    @Test("a page costs as many statements with sixty items as with three")
    func cost() async throws {
        let count = StatementCount()
        let organisation = try await TestOrganisation(counting: count)
        try await VaultScene.serve(organisation) { scene in
            func cost() async throws -> Int {
                _ = try await scene.nodes()
                _ = count.take()
                _ = try await scene.nodes()
                return count.take()
            }
            let ids = Self.ids(60)
            _ = try await scene.change(VaultScene.change(0, put: ids[..<3].map { VaultScene.put($0) }))
            let few = try await cost()
            _ = count.take()
            _ = try await scene.change(VaultScene.change(1, put: ids[3...].map { VaultScene.put($0) }))
            // One for each item, and a few for all.
            #expect(count.take() < 57 + 12)
            #expect(try await cost() == few && few <= 6)
        }
    }

    @Test("how long items are is read a few at a time: an engine reads all of what it says the length of")
    func lengths() async throws {
        let count = StatementCount()
        let organisation = try await TestOrganisation(counting: count)
        try await VaultScene.serve(organisation) { scene in
            let change = VaultScene.change(0, put: Self.ids(130).map { VaultScene.put($0) })
            #expect(try await scene.change(change).status == 200)
            // All of them are 64, 64 and two; of the first 64 a few are enough.
            for (bytes, statements, hasMore) in [(Int64.max, 3, false), (100, 1, true)] {
                _ = count.take()
                let end = try await scene.environment.database.read { transaction in
                    try VaultNodeStore(transaction: transaction).end(
                        behind: VaultNodeStore.Place(sequence: -1, id: ""), in: scene.main, limit: 500, bytes: bytes)
                }
                #expect(count.take() == statements && end?.hasMore == hasMore)
            }
        }
    }
}
