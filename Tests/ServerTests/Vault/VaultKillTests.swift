import Encodings
import Foundation
import HTTPTypes
import Hummingbird
import Interface
import NIOCore
import Storage
import Testing

@testable import Server

/// Servers that die between any two steps of their work on vaults, and what the next one makes of it.
@Suite("A server that is killed at work on vaults", .timeLimit(.minutes(10)))
struct VaultKillTests {
    private static let day: Int64 = 86_400

    private static func removeOrphans(_ scene: VaultScene) async throws {
        try await OrphanService.removeOrphans(scene.environment, from: scene.environment.blobs, olderThan: -1)
    }

    @Test(
        "while it stores a part, before or after each step: the part is there or is not, and is brought again",
        arguments: [false, true])
    func uploading(isDone: Bool) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await VaultScene.serve(organisation) { scene in
            let bytes: Bytes = [1, 2, 3]
            var (steps, isAlive) = (0, false)
            while !isAlive {
                let upload = try await scene.begin(3)
                let version = VaultChange.Put.Version(
                    id: VaultScene.identifier(), content: upload.id, key: "AA", size: 3)
                let change = VaultScene.change(
                    Int64(steps), put: [VaultScene.put(VaultScene.identifier(), [version])])
                faults.kill(after: steps, isDone: isDone)
                do {
                    try await VaultUploads(environment: scene.environment).put(
                        0, of: upload.id, try scene.pieces(bytes), scene.principal)
                    isAlive = true
                } catch is StorageFaults.Killed {}
                faults.heal()
                let found = try await scene.send(.get, "uploads/\(upload.id)").decode(VaultUpload.self)
                if isAlive {
                    #expect(found.received == [0])
                } else if found.received.isEmpty {
                    #expect(try await scene.change(change).errorName == "content")
                }
                #expect(try await scene.content(upload.id).status == 404)
                #expect(try await scene.putPart(0, of: upload.id, bytes).status == 204)
                #expect(try await scene.change(change).status == 200)
                #expect(try await scene.content(upload.id).body == bytes)
                steps += 1
            }
            // It asks, writes the blob, and names it: three places to die at.
            #expect(steps == 4)
            try await Self.removeOrphans(scene)
            #expect(try await scene.blobs().count == steps)
            #expect(try await scene.compartment().bytes == Int64(steps) * 11)
        }
    }

    @Test(
        "while it sweeps and shreds, before or after each step: the next ends it; no key and no blob is left over",
        arguments: [false, true])
    func shredding(isDone: Bool) async throws {
        let faults = StorageFaults()
        let organisation = try await TestOrganisation(faults: faults)
        try await VaultScene.serve(organisation) { scene in
            func apply(_ change: VaultChange) async throws {
                let changing = VaultChanging(environment: scene.environment, epochs: VaultEpochs(scene.environment))
                _ = try await changing.change(scene.main, change, scene.principal)
            }
            /// The item that stays opens, with its content.
            func expectLive(_ id: String, _ version: VaultChange.Put.Version) async throws {
                let items = try await scene.nodesAgain().items
                let item = try #require(items.first { $0.id == id })
                #expect(item.lost == nil && item.key == Bytes(text: "key").base64URL)
                #expect(item.versions.first?.key == version.key)
                let content = version.content
                let parts = try await scene.environment.database.read {
                    try VaultContentStore(transaction: $0).parts(content)
                }
                let blob = try #require(parts.first).blob
                #expect(try await scene.environment.blobs.read(blob) == [2, 2])
            }
            let kept = VaultScene.identifier()
            var newest = try await scene.uploadAgain([2, 2])
            try await apply(VaultScene.change(0, put: [VaultScene.put(kept, [newest])]))
            var (sequence, steps, isAlive): (Int64, Int, Bool) = (1, 0, false)
            while !isAlive {
                // An older version, something in the trash, and an upload that nobody uses: all of it is over later.
                let (gone, old) = (VaultScene.identifier(), newest)
                newest = try await scene.uploadAgain([2, 2])
                let removed = try await scene.uploadAgain([3])
                try await apply(
                    VaultScene.change(
                        sequence,
                        put: [
                            VaultScene.put(kept, revision: Int64(steps) + 2, [newest, old]),
                            VaultScene.put(gone, [removed]),
                        ]))
                try await apply(VaultScene.change(sequence + 1, trash: [gone]))
                sequence += 2
                _ = try await scene.uploadAgain([4])
                scene.clock.advance(.seconds(31 * Self.day))
                faults.kill(after: steps, isDone: isDone)
                do {
                    try await scene.sweepVault()
                    isAlive = true
                } catch is StorageFaults.Killed {}
                faults.heal()
                try await expectLive(kept, newest)
                try await scene.sweepVault()
                try await Self.removeOrphans(scene)
                try await expectLive(kept, newest)
                let left = try await scene.blobs()
                #expect(left.count == 1, "after \(steps) steps")
                #expect(left.first?.hasPrefix("vault/\(newest.content)/") == true, "after \(steps) steps")
                let numbers = try await VaultEpochs(scene.environment).numbers()
                #expect(numbers == [VaultEpochs.number(at: scene.clock.clock.now())], "after \(steps) steps")
                let page = try await scene.nodesAgain()
                #expect(page.items.first { $0.id == kept }?.versions.map(\.id) == [newest.id])
                let item = try #require(page.items.first { $0.id == gone })
                #expect(item.removed != nil && item.key.isEmpty && item.versions.isEmpty)
                #expect(page.bytes == 10)
                steps += 1
            }
            // Fewer would mean that the sweep had less to do than was meant.
            #expect(steps > 10)
        }
    }

    @Test("while it destroys a key: one that cannot be destroyed is not said to be, and half of it goes with the rest")
    func destroying() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            let id = VaultScene.identifier()
            #expect(try await scene.change(VaultScene.change(0, put: [VaultScene.put(id)])).status == 200)
            let first = VaultEpochs.number(at: scene.clock.clock.now())
            let file = organisation.folder.appendingPathComponent("\(VaultEpochs.name)/\(first)")
            let key = try Data(contentsOf: file)
            /// A folder in the key's place can be neither read nor overwritten.
            func takeAway() throws {
                try FileManager.default.removeItem(at: file)
                try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            }
            func bringBack(_ bytes: Data) throws {
                try FileManager.default.removeItem(at: file)
                try bytes.write(to: file)
            }
            scene.clock.advance(.seconds(21 * Self.day))
            try takeAway()
            // A key that cannot be read now is not lost: nothing is set aside.
            await #expect(throws: StorageError.self) { try await scene.sweepVault() }
            try bringBack(key)
            let shredding = VaultShredding(environment: scene.environment)
            while try await shredding.wrap() > 0 {}
            try takeAway()
            await #expect(throws: StorageError.self) { _ = try await shredding.destroy() }
            #expect(try await VaultEpochs(scene.environment).numbers() == [first, first + 3])
            // Overwritten, and then the power went.
            try bringBack(Data(VaultScene.random(key.count)))
            try await scene.sweepVault()
            #expect(try await VaultEpochs(scene.environment).numbers() == [first + 3])
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let items = try await scene.nodesAgain().items
            let item = try #require(items.first)
            #expect(item.lost == nil && item.key == Bytes(text: "key").base64URL)
        }
    }

    @Test("keys that are brought late to a server that runs are not destroyed before what needs them is there again")
    func late() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            #expect(
                try await scene.change(VaultScene.change(0, put: [VaultScene.put(VaultScene.identifier())])).status
                    == 200)
            let first = VaultEpochs.number(at: scene.clock.clock.now())
            let file = organisation.folder.appendingPathComponent("\(VaultEpochs.name)/\(first)")
            let key = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
            scene.clock.advance(.seconds(21 * Self.day))
            try await scene.sweep()
            #expect(try await scene.nodesAgain().items.map(\.lost) == [true])
            try key.write(to: file)
            try await scene.sweep()
            #expect(try await VaultEpochs(scene.environment).numbers() == [first + 3])
            let items = try await scene.nodesAgain().items
            #expect(items.map(\.lost) == [nil] && items.map(\.key) == [Bytes(text: "key").base64URL])
        }
    }

    @Test("while it stores what the guard counts: the half-written file, with keys in it, is overwritten and goes")
    func counting() async throws {
        let organisation = try await TestOrganisation()
        try await VaultScene.serve(organisation) { scene in
            let file = URL(fileURLWithPath: VaultGuard(environment: scene.environment).folder.file(scene.account))
            let left = file.deletingLastPathComponent().appendingPathComponent(".tmp-left")
            let bytes = try Data(contentsOf: file)
            try bytes.write(to: left)
            // Another name for the same bytes on the disk.
            let disk = organisation.folder.appendingPathComponent("disk")
            try FileManager.default.linkItem(at: left, to: disk)
            try await scene.sweepVault()
            #expect(!FileManager.default.fileExists(atPath: left.path))
            let overwritten = try Data(contentsOf: disk)
            #expect(overwritten.count == bytes.count && overwritten != bytes)
            #expect(try Data(contentsOf: file) == bytes)
            #expect(try await scene.attempt(scene.pins[1]).opened == [1])
        }
    }
}

extension VaultScene {
    /// What a server does with vaults at its start and then each hour; nothing is remembered from before.
    func sweepVault() async throws {
        try await VaultShredding(environment: environment).bringBack()
        for case .work(let batch, let work) in Slice.vault.retention {
            while try await work(environment.with(keys: Slice.vault.keys)) == batch {}
        }
    }

    /// The body of a request that brings a part.
    func pieces(_ bytes: Bytes) throws -> RequestPieces {
        let head = HTTPRequest(
            method: .put, scheme: nil, authority: nil, path: "/",
            headerFields: [.contentType: "application/octet-stream", .contentLength: "\(bytes.count)"])
        return try RequestPieces(
            Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes))), limit: .part,
            limits: TimeLimits(clock: environment.clock))
    }

    /// The body of a request that brings the same bytes twice, with something that happens in between.
    func pieces(_ half: Bytes, twiceAround act: @escaping @Sendable () async throws -> Void) throws -> RequestPieces {
        let head = HTTPRequest(
            method: .put, scheme: nil, authority: nil, path: "/",
            headerFields: [.contentType: "application/octet-stream", .contentLength: "\(2 * half.count)"])
        let body = InterruptedBody(half: ByteBuffer(bytes: half), act: act)
        return try RequestPieces(
            Request(head: head, body: RequestBody(asyncSequence: body)), limit: .part,
            limits: TimeLimits(clock: environment.clock))
    }

    /// As `upload`, of a content of one part, where the session may be over by the clock.
    func uploadAgain(_ bytes: Bytes) async throws -> VaultChange.Put.Version {
        let uploads = VaultUploads(environment: environment)
        let upload = try await uploads.begin(
            NewVaultUpload(compartment: main, size: Int64(bytes.count)), principal)
        try await uploads.put(0, of: upload.id, try pieces(bytes), principal)
        return VaultChange.Put.Version(
            id: Self.identifier(), content: upload.id, key: Bytes(text: "content key").base64URL,
            size: Int64(bytes.count))
    }
}

/// Two halves, with something that happens in between.
private struct InterruptedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let half: ByteBuffer
    let act: @Sendable () async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        let body: InterruptedBody
        private var given = 0

        init(body: InterruptedBody) { self.body = body }

        mutating func next() async throws -> ByteBuffer? {
            guard given < 2 else { return nil }
            if given == 1 { try await body.act() }
            given += 1
            return body.half
        }
    }
}
