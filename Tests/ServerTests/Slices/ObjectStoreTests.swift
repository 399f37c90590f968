import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import HTTPTypes
import Interface
import Storage
import Synchronization
import Testing
import Transparency

@testable import Server

/// Whole servers whose documents and log are in an object store.
@Suite("Documents and log in an object store", .timeLimit(.minutes(10)))
struct ObjectStoreTests {
    /// Hashes again what is in the bucket, from the first entry to the published checkpoint.
    ///
    /// - Returns: how many entries that covers.
    private static func audit(_ store: FaultyObjectStore) throws -> Int64 {
        let objects = store.objects
        let read = { (path: String) in try #require(objects["p/log/\(path)"]?.bytes, "\(path)") }
        let suite = SwiftCryptoSuite()
        let checkpoint = try Checkpoint.parse(SignedNote.parse(read("checkpoint")).text)
        var auditor = TreeAuditor(earlier: [])
        while let tile = auditor.nextBundle(inTreeOf: checkpoint.size) {
            for content in try auditor.add(tile, read(tile.path), suite: suite).tiles {
                #expect(try read(content.tile.path) == content.bytes)
            }
        }
        for content in try auditor.finish(checkpoint, suite: suite) {
            #expect(try read(content.tile.path) == content.bytes)
        }
        return Int64(checkpoint.size)
    }

    private static func count(_ organisation: TestOrganisation) async throws -> Int64 {
        try await organisation.server.environment.database.read { try LogStore(transaction: $0).count() }
    }

    @Test("while the store answers 500, acts fail with words; afterwards all goes on, and nothing is lost")
    func outage() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                let owner = try await client.setUp(organisation.person("owner"))
                _ = try await client.join(organisation.person("alice"))
                let before = try await Self.count(organisation)
                #expect(try Self.audit(store) == before)
                store.fail(.answer(500, code: "InternalError"))
                let answer = try await client.send(.post, "/api/accounts", organisation.person("bob").signUp())
                #expect(answer.status == 503 && answer.problem == "storage-unreachable")
                #expect(answer.retryAfter == "5")
                #expect(try await client.send(.get, "/api/account", token: owner.token).status == 200)
                #expect(try Self.audit(store) == before)
                store.heal()
                _ = try await client.join(organisation.person("carol"))
                let after = try await Self.count(organisation)
                // Bob's account was durable before the store failed.
                #expect(after == before + 2)
                #expect(try Self.audit(store) == after)
                for index in 0..<after { _ = try await organisation.server.environment.log.receipt(index) }
            }
        }
    }

    @Test("a checkpoint that could not be published is published with the next receipt, and until then there is none")
    func unpublished() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                _ = try await client.setUp(organisation.person("owner"))
                let before = try Self.audit(store)
                store.fail(.hangUp, method: "PUT", keyPart: "log/checkpoint")
                let log = organisation.server.environment.log
                let answer = try await client.send(.post, "/api/accounts", organisation.person("bob").signUp())
                #expect(answer.problem == "storage-unreachable")
                #expect(try Self.audit(store) == before)
                await #expect(throws: StorageError.self) { _ = try await log.receipt(before) }
                store.heal()
                _ = try await log.receipt(before)
                #expect(try Self.audit(store) == before + 1)
                let published = try #require(store.objects["p/log/checkpoint"]?.bytes)
                #expect(try await log.newestCheckpoint() == published)
            }
        }
    }

    @Test(
        "an act is stored and the log cannot be written: the answer does not say that nothing was stored",
        arguments: ["log/tile", "log/checkpoint"])
    func unsealed(_ part: String) async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                _ = try await client.setUp(organisation.person("owner"))
                let before = try await Self.count(organisation)
                store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: part)
                let answer = try await client.send(.post, "/api/accounts", organisation.person("bob").signUp())
                #expect(answer.status == 503 && answer.problem == "storage-unreachable", "\(answer.text)")
                #expect(answer.text.contains("may have been done") && !answer.text.contains("nothing was stored"))
                #expect(try await Self.count(organisation) == before + 1)
                let log = organisation.server.environment.log
                await #expect(throws: TransparencyLog.LogError.self) { _ = try await log.receipt(before) }
                store.heal()
                _ = try await log.receipt(before)
                #expect(try Self.audit(store) == before + 1)
            }
        }
    }

    @Test("a key is replaced and the log cannot be written: only the receipt is missing")
    func unsealedRotation() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                _ = try await client.setUp(organisation.person("owner"))
                store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: "log/tile")
                await #expect(throws: TransparencyLog.LogError.self) {
                    _ = try await KeyOrder.rotate(.labelSecret).carryOut(on: organisation.server)
                }
                store.heal()
            }
        }
    }

    @Test("the log's key is replaced and the log cannot be written: the old key stays, and it can be done again")
    func unsealedLogKey() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                let owner = try organisation.person("owner")
                let token = try await client.setUp(owner).token
                let server = organisation.server
                guard case .state(let state) = try await KeyOrder.logBegin.carryOut(on: server) else { return }
                let (old, next) = (state.current.verifierKey, try #require(state.next).verifierKey)
                let policy = "log \(old)\nlog \(next)\nquorum none\n"
                let request = try LogPolicyRequest.signed(
                    policy, by: owner.authority, time: organisation.clock.clock.now())
                #expect(try await client.send(.post, "/api/log/policy", request, token: token).status == 200)
                _ = try await client.join(organisation.person("member"))
                store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: "log/tile")
                // The words of a `LogError` would say that it is done and must not be repeated.
                await #expect(throws: StorageError.self) {
                    _ = try await KeyOrder.logFinish.carryOut(on: server)
                }
                #expect(server.environment.log.verifierKeys == [old, next])
                store.heal()
                guard case .rotated = try await KeyOrder.logFinish.carryOut(on: server) else { return }
                #expect(server.environment.log.verifierKeys == [next])
            }
        }
    }

    @Test("a document that cannot be stored leaves nothing")
    func documents() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores())
            let environment = organisation.server.environment
            let before = Set(store.objects.keys)
            store.fail(.answer(503, code: "SlowDown"))
            await #expect(throws: StorageError.self) { _ = try await environment.storePackage("sealed") }
            #expect(Set(store.objects.keys) == before)
            store.heal()
            let name = try await environment.storePackage("sealed")
            #expect(store.objects["p/blobs/\(name)"]?.bytes == Bytes(text: "sealed"))
            #expect(try await environment.blobs.read(name) == Bytes(text: "sealed"))
        }
    }

    @Test("blobs that no row names are removed by the daily sweep, but for the young; a start lists nothing")
    func orphans() async throws {
        try await FaultyObjectStore.run { store in
            store.setTime(1_790_000_000 - 7_200)
            store.set("p/blobs/old", [1])
            store.set("p/other", [1])
            store.setTime(1_790_000_000 - 60)
            store.set("p/blobs/young", [1])
            let stores = try await store.stores()
            let listings = Listings()
            let organisation = try await TestOrganisation(
                stores: BlobStores(
                    blobs: CountingStore(store: stores.blobs, listings: listings),
                    log: CountingStore(store: stores.log, listings: listings)))
            #expect(listings.count == 0 && store.objects["p/blobs/old"] != nil)
            try await organisation.server.orphans.sweep()
            #expect(Set(store.objects.keys) == ["p/blobs/young", "p/other", "p/log/checkpoint"])
            #expect(listings.count == 1)
        }
    }

    @Test("the sweep rests after every page, of young blobs too, by how long it took to list and look at it")
    func rests() async throws {
        let organisation = try await TestOrganisation()
        let environment = organisation.server.environment
        let listing = SlowListing(store: environment.blobs, clock: organisation.clock)
        var rests: [Duration] = []
        try await OrphanService.removeOrphans(environment, from: listing, olderThan: 3_600) { rests.append($0) }
        #expect(rests == [.seconds(1), .seconds(1)])
    }

    @Test("a server that finds another organisation's log does not start, and removes nothing")
    func another() async throws {
        try await FaultyObjectStore.run { store in
            store.setTime(1_790_000_000 - 7_200)
            let organisation = try await TestOrganisation(stores: try await store.stores())
            try await organisation.serve { client in
                _ = try await client.setUp(organisation.person("owner"))
                store.set("p/blobs/theirs", [1])
                let before = store.objects.mapValues(\.bytes)
                let stores = try await store.stores()
                await #expect(throws: TransparencyLog.LogError.self) { _ = try await TestOrganisation(stores: stores) }
                #expect(store.objects.mapValues(\.bytes) == before)
            }
        }
    }

    @Test(
        "servers that share database and bucket seal one log",
        .enabled(if: TestDatabase.isPostgres, "Needs TEST_ENGINE=postgres."))
    func shared() async throws {
        try await FaultyObjectStore.run { store in
            let one = try await TestOrganisation(stores: try await store.stores())
            let other = try await TestOrganisation(sharing: one, stores: try await store.stores())
            try await one.serve { here in
                try await other.serve { there in
                    _ = try await here.setUp(one.person("owner"))
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<20 {
                            let client = number % 2 == 0 ? here : there
                            let person = try one.person("member\(number)")
                            group.addTask { _ = try await client.join(person) }
                        }
                        try await group.waitForAll()
                    }
                    let count = try await Self.count(one)
                    for server in [one.server, other.server] {
                        for index in 0..<count { _ = try await server.environment.log.receipt(index) }
                    }
                    while try Self.audit(store) < count { try await Task.sleep(for: .milliseconds(2)) }
                    #expect(try Self.audit(store) == count)
                }
            }
        }
    }

    @Test(
        "a slow server's older checkpoint does not stay over a newer one",
        .enabled(if: TestDatabase.isPostgres, "Needs TEST_ENGINE=postgres."))
    func late() async throws {
        try await FaultyObjectStore.run { store in
            let gate = Gate()
            let stores = try await store.stores()
            let late = BlobStores(blobs: stores.blobs, log: LateStore(store: stores.log, gate: gate))
            let one = try await TestOrganisation(stores: late)
            let other = try await TestOrganisation(sharing: one, stores: stores)
            try await one.serve { here in
                try await other.serve { there in
                    _ = try await here.setUp(one.person("owner"))
                    gate.close()
                    async let slow = here.join(one.person("alice"))
                    await gate.someoneWaits()
                    _ = try await there.join(one.person("bob"))
                    let count = try await Self.count(one)
                    #expect(try Self.audit(store) == count)
                    gate.open()
                    _ = try await slow
                    while try Self.audit(store) < count { try await Task.sleep(for: .milliseconds(2)) }
                }
            }
        }
    }
}

/// A store that takes a second for each of two pages, of which one has a young blob and one an old one.
private struct SlowListing: BlobStore {
    let store: any BlobStore
    let clock: ManualClock

    func write(_ blobs: [Blob]) async throws { try await store.write(blobs) }
    func read(_ name: String) async throws -> [UInt8]? { try await store.read(name) }
    func delete(_ name: String) async throws -> Bool { try await store.delete(name) }
    func deleteAll(under folder: String) async throws { try await store.deleteAll(under: folder) }
    func size(_ name: String) async throws -> Int64? { try await store.size(name) }
    func list() async throws -> [BlobInfo] { try await store.list() }
    func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        for (name, age) in [("young", Int64(60)), ("old", 7_200)] {
            clock.advance(.seconds(1))
            try await body([BlobInfo(name: name, size: 1, modified: clock.clock.now() - age)])
        }
    }
}

/// How often a store was listed.
private final class Listings: Sendable {
    private let listed = Mutex(0)
    var count: Int { listed.withLock { $0 } }
    func add() { listed.withLock { $0 += 1 } }
}

/// A store that counts who lists it.
private struct CountingStore: BlobStore {
    let store: any BlobStore
    let listings: Listings

    func write(_ blobs: [Blob]) async throws { try await store.write(blobs) }
    func read(_ name: String) async throws -> [UInt8]? { try await store.read(name) }
    func delete(_ name: String) async throws -> Bool { try await store.delete(name) }
    func deleteAll(under folder: String) async throws { try await store.deleteAll(under: folder) }
    func size(_ name: String) async throws -> Int64? { try await store.size(name) }
    func list() async throws -> [BlobInfo] {
        listings.add()
        return try await store.list()
    }
    func forEachPage(_ body: ([BlobInfo]) async throws -> Void) async throws {
        listings.add()
        try await store.forEachPage(body)
    }
}
