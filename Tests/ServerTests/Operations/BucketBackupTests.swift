import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import Storage
import Testing
import Transparency

@testable import Server

/// Backups from and into object stores.
@Suite("Backup and restore of a bucket", .timeLimit(.minutes(10)))
struct BucketBackupTests {
    /// A small organisation, with enough documents that they are written in more than one go.
    private static func settle(stores: BlobStores? = nil) async throws -> TestOrganisation {
        let organisation = try await TestOrganisation(sharing: nil, stores: stores)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let session = try await client.join(organisation.person("alice"))
            for number in 0..<40 {
                try await organisation.addDocument(
                    "d\(number)", holder: session, sealed: Bytes(repeating: UInt8(number), count: 100 + number))
            }
        }
        try await organisation.addEntries(300)
        return organisation
    }

    /// The contents of two stores, without partial tiles that were replaced.
    private static func contents(_ stores: BlobStores) async throws -> [String: Bytes] {
        var found: [String: Bytes] = [:]
        for (folder, store) in [("blobs", stores.blobs), ("log", stores.log)] {
            for name in try await store.list().map(\.name) { found["\(folder)/\(name)"] = try await store.read(name) }
        }
        return found.filter { !$0.key.contains(".p/") }
    }

    @Test("from a bucket into folders, and from folders into a bucket: all is the same, and a server goes on with it")
    func thereAndBack() async throws {
        try await FaultyObjectStore.run { store in
            let stores = try await store.stores()
            let organisation = try await Self.settle(stores: stores)
            let folder = try BackupFolder()
            let before = store.seen.count
            let manifest = try await organisation.backUp(to: folder.path("one.backup"))
            // A key that may only read is enough; the server itself may still be tidying the log.
            let asked = store.seen.dropFirst(before).filter { !$0.contains("p/log/") }
            #expect(asked.count >= 40 && asked.allSatisfy { $0.hasPrefix("GET ") }, "\(asked)")
            #expect(manifest.contents.missing.count + manifest.contents.gone.count == 0)
            #expect(manifest.contents.parts.count { $0.name.hasPrefix("blobs/") } == 40)
            try await folder.restore("one.backup", into: "folders")
            let folders = BlobStores.folders(asTheyAreIn: folder.path("folders"))
            #expect(try await Self.contents(folders) == Self.contents(stores))
            #expect(try await TestOrganisation.rows(folder.place("folders")) == organisation.rows())
            let log = folder.path("folders/log/checkpoint")
            #expect(try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int == 0o644)

            let second = try await TestOrganisation(
                folder: folder.url.appendingPathComponent("folders"), place: folder.place("folders"))
            try await second.addEntries(5)
            try await second.backUp(to: folder.path("two.backup"))
            try await FaultyObjectStore.run { other in
                let bucket = try await other.stores()
                try await folder.restore("two.backup", into: "keys-only", bucket: bucket)
                #expect(try await Self.contents(bucket) == Self.contents(folders))
                for name in ["blobs", "log"] { #expect(!folder.exists("keys-only/\(name)")) }
                let third = try await TestOrganisation(
                    folder: folder.url.appendingPathComponent("keys-only"), place: folder.place("keys-only"),
                    stores: bucket)
                try await third.addEntries(1)
                let type = try #require(other.objects["p/log/checkpoint"]?.headers["content-type"])
                #expect(type == "text/plain; charset=utf-8")
            }
        }
    }

    @Test("a part of a bucket that is not empty is refused, and nothing there is touched", arguments: ["blobs", "log"])
    func notEmpty(part: String) async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await Self.settle()
            let folder = try BackupFolder()
            try await organisation.backUp(to: folder.path("one.backup"))
            store.set("p/\(part)/theirs", [1, 2, 3])
            let before = store.objects.mapValues(\.bytes)
            let bucket = try await store.stores()
            await #expect(throws: BackupError.notEmpty("the part of the bucket")) {
                try await folder.restore("one.backup", into: "restored", bucket: bucket)
            }
            #expect(store.objects.mapValues(\.bytes) == before)
            #expect(!folder.exists("restored"))
        }
    }

    @Test("a bucket that refuses ends it before anything is written")
    func refused() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await Self.settle()
            let folder = try BackupFolder()
            try await organisation.backUp(to: folder.path("one.backup"))
            let bucket = try await store.stores()
            store.fail(.answer(403, code: "AccessDenied"), method: "PUT")
            await #expect(throws: StorageError.self) {
                try await folder.restore("one.backup", into: "restored", bucket: bucket)
            }
            #expect(store.objects.isEmpty && !folder.exists("restored"))
        }
    }

    @Test(
        "a restore that fails in the middle leaves nothing in the bucket", arguments: ["blobs/blob-of-d39", "log/tile"])
    func cut(key: String) async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await Self.settle()
            let folder = try BackupFolder()
            try await organisation.backUp(to: folder.path("one.backup"))
            let bucket = try await store.stores()
            store.fail(.answer(403, code: "AccessDenied"), method: "PUT", keyPart: key)
            await #expect(throws: StorageError.self) {
                try await folder.restore("one.backup", into: "restored", bucket: bucket)
            }
            #expect(store.seen.contains("PUT p/log/checkpoint"))
            #expect(store.objects.isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("restored")) == [])
        }
    }

    @Test("what arrives changed in the bucket is noticed, and nothing of it is kept")
    func changed() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await Self.settle()
            let folder = try BackupFolder()
            try await organisation.backUp(to: folder.path("one.backup"))
            let stores = try await store.stores()
            let bucket = BlobStores(blobs: Forgetful(store: stores.blobs, name: "blob-of-d7"), log: stores.log)
            await #expect(throws: BackupError.notRestored("blobs/blob-of-d7")) {
                try await folder.restore("one.backup", into: "restored", bucket: bucket)
            }
            #expect(store.objects.isEmpty)
        }
    }

    @Test("a document that is missing in the bucket is named, a store that does not answer ends the backup")
    func missing() async throws {
        try await FaultyObjectStore.run { store in
            let organisation = try await Self.settle(stores: try await store.stores())
            let folder = try BackupFolder()
            store.set("p/blobs/blob-of-d3", nil)
            let manifest = try await organisation.backUp(to: folder.path("one.backup"))
            #expect(manifest.contents.missing.first == ["blob-of-d3"])
            store.fail(.answer(503, code: "SlowDown"), method: "GET")
            await #expect(throws: StorageError.self) { try await organisation.backUp(to: folder.path("two.backup")) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["one.backup"])
        }
    }
}

/// A store that takes one blob and keeps another.
private struct Forgetful: BlobStore {
    let store: any BlobStore
    let name: String

    func write(_ blobs: [Blob]) async throws {
        try await store.write(blobs.map { $0.name == name ? Blob(name: name, bytes: [0]) : $0 })
    }
    func read(_ name: String) async throws -> [UInt8]? { try await store.read(name) }
    func delete(_ name: String) async throws -> Bool { try await store.delete(name) }
    func deleteAll(under folder: String) async throws { try await store.deleteAll(under: folder) }
    func size(_ name: String) async throws -> Int64? { try await store.size(name) }
    func list() async throws -> [BlobInfo] { try await store.list() }
}
