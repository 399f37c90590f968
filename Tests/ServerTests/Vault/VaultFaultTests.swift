import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import HTTPTypes
import Interface
import Storage
import Synchronization
import Testing

@testable import Server

/// Contents whose storage is full, fails, or takes its time.
@Suite("Faults of the storage under a vault", .timeLimit(.minutes(10)))
struct VaultFaultTests {
    /// A whole part and a rest.
    private static let long: Bytes = (0..<(Int(Limits.vaultPart) + 1_000)).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }
    private static let fault = FaultyObjectStore.Fault.answer(500, code: "InternalError")

    /// A vault whose contents are in a bucket.
    private static func inBucket(
        patience: Duration? = nil,
        _ body: @escaping @Sendable (VaultScene, FaultyObjectStore) async throws -> Void
    ) async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await TestOrganisation(stores: try await store.stores(patience: patience))
            try await VaultScene.serve(organisation) { scene in try await body(scene, store) }
        }
    }

    private static func removeOrphans(_ scene: VaultScene) async throws {
        try await OrphanService.removeOrphans(scene.environment, from: scene.environment.blobs, olderThan: -1)
    }

    /// The contents that have objects in the bucket.
    private static func contents(_ store: FaultyObjectStore) -> Set<String> {
        Set(store.objects.keys.filter { $0.hasPrefix("p/blobs/vault/") }.map { String($0.split(separator: "/")[3]) })
    }

    // MARK: A full disk

    @Test(
        "a part that finds the disk full is refused in words; nothing of it is seen, and later the upload goes on",
        arguments: [StorageFaults.Step.writeBlob, .write])
    func full(_ step: StorageFaults.Step) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await VaultScene.serve(organisation) { scene in
            let part = Int(Limits.vaultPart)
            let (first, rest) = (Array(Self.long[..<part]), Array(Self.long[part...]))
            let upload = try await scene.begin(Int64(Self.long.count))
            #expect(try await scene.putPart(0, of: upload.id, first).status == 204)
            let version = VaultChange.Put.Version(
                id: VaultScene.identifier(), content: upload.id, key: "AA", size: Int64(Self.long.count))
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])])
            faults.fail(step, .full)
            for _ in 0..<2 {
                let refused = try await scene.putPart(1, of: upload.id, rest)
                #expect(refused.status == 507 && refused.problem == "storage", "\(refused.text)")
                #expect(refused.text.contains("storage is full"))
            }
            let found = try await scene.send(.get, "uploads/\(upload.id)").decode(VaultUpload.self)
            #expect(found.received == [0])
            #expect(try await scene.content(upload.id).status == 404)
            // What was set aside for the upload is still the upload's, and once.
            #expect(try await scene.compartment().bytes == Int64(Self.long.count))
            faults.heal()
            #expect(try await scene.change(put).errorName == "content")
            #expect(try await scene.putPart(1, of: upload.id, rest).status == 204)
            // The same for the change that makes it visible.
            faults.fail(.write, .full)
            #expect(try await scene.change(put).problem == "storage")
            #expect(try await scene.nodes().items.isEmpty)
            #expect(try await scene.content(upload.id).status == 404)
            faults.heal()
            #expect(try await scene.change(put).status == 200)
            let whole = try await scene.content(upload.id)
            #expect(whole.status == 200 && whole.body == Self.long)
            #expect(try await scene.compartment().bytes == Int64(Self.long.count) + 8)
            try await Self.removeOrphans(scene)
            #expect(try await scene.blobs().count == 2)
        }
    }

    /// The disk under the guard's files, which a test fills.
    private final class Disk: Sendable {
        private let isFull = Mutex(false)

        func fill() { isFull.withLock { $0 = true } }
        func heal() { isFull.withLock { $0 = false } }

        func replace(_ file: String, _ bytes: Bytes) throws {
            guard !isFull.withLock({ $0 }) else { throw StorageError.full }
            try DurableFile.replace(file, bytes)
        }
    }

    /// The vault, whose guard counts tries on the test's disk.
    private struct OpenVault: OpenSlice {
        let environment: Environment
        let disk: Disk

        func add(to routes: inout RouteTable) {
            var pins = VaultGuard(environment: environment)
            pins.folder.replace = { [disk] file, bytes in try disk.replace(file, bytes) }
            VaultRoutes(environment: environment, epochs: VaultEpochs(environment), pins: pins).add(to: &routes)
        }
    }

    @Test("a try that finds the disk full is not counted and not answered; later three are")
    func uncounted() async throws {
        let disk = Disk()
        var slices = Slice.all
        let place = slices.firstIndex { $0.name == "vault" }
        slices[try #require(place)].open = { OpenVault(environment: $0, disk: disk) }
        let organisation = try await TestOrganisation(sharing: nil, slices: slices)
        try await VaultScene.serve(organisation) { scene in
            let question = try NewVaultTry(blinded: GuardQuestion([1]).blinded.base64URL)
            disk.fill()
            for _ in 0..<5 {
                let refused = try await scene.send(.post, "guard/tries", question)
                #expect(refused.status == 507 && refused.problem == "storage", "\(refused.text)")
                #expect(refused.text.contains("storage is full") && !refused.text.contains("evaluations"))
            }
            #expect(try await scene.counts() == [0, 0, 0, 0])
            disk.heal()
            var answers: [TestClient.Answer] = []
            for _ in 0..<6 { answers.append(try await scene.send(.post, "guard/tries", question)) }
            #expect(answers.map(\.status) == [200, 200, 200, 429, 429, 429])
            #expect(answers.suffix(3).allSatisfy { $0.errorName == "wait" })
            #expect(try await scene.counts() == [3, 3, 3, 3])
        }
    }

    // MARK: A bucket that answers 500

    @Test(
        "a part that the bucket refuses is refused in words and not counted; what passes is not noticed",
        arguments: [fault, .hangUp, .hangUpAfterwards])
    func put(_ fault: FaultyObjectStore.Fault) async throws {
        try await Self.inBucket { scene, store in
            let bytes = Array(Self.long[..<1_000])
            let upload = try await scene.begin(1_000)
            store.fail(fault, method: "PUT", keyPart: "blobs/vault")
            let refused = try await scene.putPart(0, of: upload.id, bytes)
            #expect(refused.status == 503 && refused.problem == "storage-unreachable", "\(refused.text)")
            #expect(refused.retryAfter == "5")
            let found = try await scene.send(.get, "uploads/\(upload.id)").decode(VaultUpload.self)
            #expect(found.received.isEmpty)
            #expect(try await scene.content(upload.id).status == 404)
            store.heal()
            store.fail(fault, times: 4, method: "PUT", keyPart: "blobs/vault")
            #expect(try await scene.putPart(0, of: upload.id, bytes).status == 204)
            let version = VaultChange.Put.Version(
                id: VaultScene.identifier(), content: upload.id, key: "AA", size: 1_000)
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])])
            #expect(try await scene.change(put).status == 200)
            #expect(try await scene.content(upload.id).body == bytes)
            #expect(try await scene.compartment().bytes == 1_008)
            // What was written although no answer came goes with the sweep.
            try await Self.removeOrphans(scene)
            #expect(try await scene.blobs().count == 1)
            #expect(try await scene.content(upload.id).body == bytes)
        }
    }

    @Test("a content that the bucket does not give is refused in words; it is never cut short without a sign")
    func get() async throws {
        try await Self.inBucket { scene, store in
            let part = Int(Limits.vaultPart)
            let version = try await scene.upload(Self.long)
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])])
            #expect(try await scene.change(put).status == 200)
            store.fail(Self.fault, method: "GET", keyPart: "blobs/vault")
            for range in [nil, "bytes=5-10", "bytes=\(part)-"] {
                let refused = try await scene.content(version.content, range)
                #expect(refused.status == 503 && refused.problem == "storage-unreachable", "\(refused.text)")
                #expect(refused.retryAfter == "5")
            }
            store.heal()
            store.fail(Self.fault, times: 4, method: "GET", keyPart: "blobs/vault")
            #expect(try await scene.content(version.content).body == Self.long)
            // Once the head is sent, the connection is cut.
            store.heal()
            store.fail(Self.fault, method: "GET", keyPart: "/1.")
            await #expect(throws: (any Error).self) { _ = try await scene.content(version.content) }
            store.heal()
            let rest = try await scene.content(version.content, "bytes=\(part)-")
            #expect(rest.status == 206 && rest.body == Array(Self.long[part...]))
        }
    }

    @Test("a slow bucket gives the whole content, and takes one; what it never answers is asked for again")
    func slow() async throws {
        // So long a busy machine has for an attempt that is answered.
        try await Self.inBucket(patience: .seconds(4)) { scene, store in
            store.fail(.slow(milliseconds: 200), keyPart: "blobs/vault")
            let version = try await scene.upload(Self.long)
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier(), [version])])
            #expect(try await scene.change(put).status == 200)
            #expect(try await scene.content(version.content).body == Self.long)
            store.heal()
            let before = store.seen.count
            store.fail(.silence, times: 1, method: "GET", keyPart: "/1.")
            #expect(try await scene.content(version.content).body == Self.long)
            #expect(store.seen.dropFirst(before).count { $0.contains("/1.") } == 2)
        }
    }

    @Test("what is removed is gone at once, also if the bucket deletes nothing; its bytes go later, and no others")
    func delete() async throws {
        try await Self.inBucket { scene, store in
            let ids = (0..<4).map { _ in VaultScene.identifier() }
            var versions: [VaultChange.Put.Version] = []
            for number in 0..<4 { versions.append(try await scene.upload([UInt8(number)])) }
            let puts = zip(ids, versions).map { VaultScene.put($0, [$1]) }
            #expect(try await scene.change(VaultScene.change(0, put: puts)).status == 200)
            store.fail(Self.fault, method: "DELETE")
            let answer = try await scene.change(VaultScene.change(1, remove: Array(ids[..<3])))
            #expect(answer.status == 200, "\(answer.text)")
            // Nobody waits for each of them in turn.
            #expect(Set(store.seen.filter { $0.hasPrefix("DELETE p/blobs/vault/") }).count == 1)
            #expect(Self.contents(store) == Set(versions.map(\.content)))
            let items = try await scene.nodes().items
            for (id, version) in zip(ids, versions).prefix(3) {
                let item = try #require(items.first { $0.id == id })
                #expect(item.removed != nil && item.key.isEmpty && item.versions.isEmpty)
                #expect(try await scene.content(version.content).status == 404)
            }
            #expect(try await scene.compartment().bytes == 9)
            await #expect(throws: StorageError.self) { try await Self.removeOrphans(scene) }
            #expect(try await scene.content(versions[3].content).body == [3])
            store.heal()
            try await Self.removeOrphans(scene)
            #expect(Self.contents(store) == [versions[3].content])
            #expect(try await scene.content(versions[3].content).body == [3])
        }
    }

    @Test("a bucket that is away saves no key from being destroyed; what is live opens, and the bytes go later")
    func shredding() async throws {
        try await Self.inBucket { scene, store in
            let (gone, kept) = (VaultScene.identifier(), VaultScene.identifier())
            let (old, live) = (try await scene.upload([1, 2]), try await scene.upload([3, 4]))
            _ = try await scene.change(
                VaultScene.change(0, put: [VaultScene.put(gone, [old]), VaultScene.put(kept, [live])]))
            #expect(try await scene.change(VaultScene.change(1, trash: [gone])).status == 200)
            let first = VaultEpochs.number(at: scene.clock.clock.now())
            store.fail(Self.fault)
            for _ in 0..<51 {
                scene.clock.advance(.seconds(86_400))
                try await scene.sweepVault()
            }
            let numbers = try await VaultEpochs(scene.environment).numbers()
            // The key that the removed item had at last was that of the week before these.
            #expect(numbers == [first + 5, first + 6, first + 7])
            #expect(Self.contents(store) == [old.content, live.content])
            store.heal()
            let items = try await scene.nodesAgain().items
            #expect(items.first { $0.id == gone }?.removed != nil)
            let item = try #require(items.first { $0.id == kept })
            #expect(item.lost == nil && item.key == Bytes(text: "key").base64URL)
            #expect(item.versions.map(\.key) == [live.key])
            try await Self.removeOrphans(scene)
            #expect(Self.contents(store) == [live.content])
        }
    }

    /// All slices, the first of which has a rule that fails.
    private static var failing: [Slice] {
        var slices = Slice.all
        slices[0].retention.insert(.work(batch: 1) { _ in throw StorageError.full }, at: 0)
        return slices
    }

    @Test("what another part cannot sweep keeps nothing in the vault, and no key")
    func otherRule() async throws {
        let organisation = try await TestOrganisation(sharing: nil, slices: Self.failing)
        try await VaultScene.serve(organisation) { scene in
            let put = VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())])
            #expect(try await scene.change(put).status == 200)
            _ = try await scene.upload([1, 2, 3])
            let first = VaultEpochs.number(at: scene.clock.clock.now())
            scene.clock.advance(.seconds(21 * 86_400))
            await #expect(throws: StorageError.full) { try await scene.sweep() }
            #expect(try await scene.blobs().isEmpty)
            #expect(try await VaultEpochs(scene.environment).numbers() == [first + 3])
        }
    }

    // MARK: A store that takes its time

    @Test(
        "while the store takes its time over one request the others go on, and see nothing half done",
        arguments: [StorageFaults.Step.writeBlob, .readBlob, .deleteBlob])
    func slow(_ step: StorageFaults.Step) async throws {
        let (faults, gate) = (StorageFaults(), Gate())
        let organisation = try await TestOrganisation(faults: faults)
        try await VaultScene.serve(organisation) { scene in
            let (first, second) = (VaultScene.identifier(), VaultScene.identifier())
            let version = try await scene.upload([1, 2, 3])
            _ = try await scene.change(VaultScene.change(0, put: [VaultScene.put(first, [version])]))
            let upload = try await scene.begin(3)
            gate.close()
            faults.hold(step, at: gate)
            async let slow = Self.act(step, scene, upload: upload.id, content: version.content, item: first)
            defer { gate.open() }
            await gate.someoneWaits()
            #expect(try await scene.client.send(.get, "/api/account", token: scene.token).status == 200)
            let found = try await scene.send(.get, "uploads/\(upload.id)").decode(VaultUpload.self)
            #expect(found.received.isEmpty)
            #expect(try await scene.content(upload.id).status == 404)
            let page = try await scene.nodes()
            // What is removed is removed before its bytes are.
            let isRemoved = step == .deleteBlob
            #expect(page.items.map(\.id) == [first] && (page.items[0].removed != nil) == isRemoved)
            if isRemoved { #expect(try await scene.content(version.content).status == 404) }
            let put = VaultScene.change(page.sequence, put: [VaultScene.put(second)])
            #expect(try await scene.change(put).status == 200)
            gate.open()
            let answer = try await slow
            switch step {
            case .writeBlob: #expect(answer.status == 204)
            case .readBlob: #expect(answer.status == 200 && answer.body == [1, 2, 3])
            default: #expect(answer.status == 200)
            }
            #expect(try await scene.blobs().count == (step == .writeBlob ? 2 : step == .readBlob ? 1 : 0))
        }
    }

    /// The request that comes to the step.
    private static func act(
        _ step: StorageFaults.Step, _ scene: VaultScene, upload: String, content: String, item: String
    ) async throws -> TestClient.Answer {
        switch step {
        case .writeBlob: try await scene.putPart(0, of: upload, [4, 5, 6])
        case .readBlob: try await scene.content(content)
        default: try await scene.change(VaultScene.change(1, remove: [item]))
        }
    }
}
