import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Synchronization
import Testing
import Transparency

@testable import Server

/// Backups of a server that runs, restored elsewhere.
@Suite("Backup and restore")
struct BackupTests {
    @Test("everything comes back: rows, keys, log, sealed documents; members sign in and receipts hold")
    func roundTrip() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        let (phone, alice) = try await Self.populate(organisation)
        let manifest = try await organisation.backUp(to: folder.path("one.backup"))
        #expect(manifest.contents.missing.count + manifest.contents.gone.count == 0)
        #expect(manifest.log.size >= 600)
        try await folder.restore("one.backup", into: "restored")
        #expect(try await TestOrganisation.rows(folder.place("restored")) == organisation.rows())
        for key in ["root", "status", "log", "label-secret", "code-secret"] {
            let path = folder.path("restored/keys/\(key)")
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: path))
                    == Data(contentsOf: organisation.folder.appendingPathComponent("keys/\(key)")))
        }
        let again = try await TestOrganisation(
            folder: folder.url.appendingPathComponent("restored"), place: folder.place("restored"))
        try await again.serve { client in
            var phone = phone
            let session = try await client.signIn(&phone)
            #expect(session.account.id == alice.account.id)
            #expect(try await client.send(.get, "/api/devices", token: alice.token).status == 200)
        }
        #expect(try await again.server.environment.blobs.read("blob-of-one") == Bytes(repeating: 7, count: 4_000))
        let key = try NoteVerifierKey.parse(Bytes(text: organisation.server.environment.log.verifierKey))
        #expect(again.server.environment.log.verifierKey == organisation.server.environment.log.verifierKey)
        for index in [0, 1, 255, 256, 599] as [Int64] {
            let receipt = try await again.server.environment.log.receipt(index)
            let verified = try Transparency.Receipt.verify(
                Bytes(text: receipt.proof), policy: LogPolicy(logKey: key), suite: SwiftCryptoSuite())
            #expect(verified.index == UInt64(index))
        }
    }

    /// An owner, a member with a passkey and two devices, one of which added the other, documents, a long log.
    private static func populate(
        _ organisation: TestOrganisation
    ) async throws -> (phone: SoftAuthenticator, session: NewSession) {
        let result = Mutex<(SoftAuthenticator, NewSession)?>(nil)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let session = try await client.join(organisation.person("alice"), &phone)
            result.withLock { $0 = (phone, session) }
        }
        let found = result.withLock { $0 }
        let (phone, session) = try #require(found)
        try await organisation.server.environment.database.write { transaction in
            // The one that is approved sorts before its approver.
            try transaction.execute(
                """
                INSERT INTO devices (id, account, name, signing_key, encryption_key, created, approval, approved_by)
                VALUES ('0', $1, 'Ærlig "laptop"\n', 'k1', 'k2', 5, 'a', $2)
                """, [.text(session.account.id), .text(session.deviceID)])
        }
        try await organisation.addDocument("one", holder: session, sealed: Bytes(repeating: 7, count: 4_000))
        try await organisation.addDocument("two", holder: session, sealed: [1, 2, 3])
        try await organisation.addEntries(600)
        return (phone, session)
    }

    @Test("a place that is not empty is refused, and nothing there is touched")
    func notEmpty() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { _ = try await $0.setUp(organisation.person("owner")) }
        try await organisation.backUp(to: folder.path("one.backup"))
        try FileManager.default.createDirectory(atPath: folder.path("full"), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("full/letter"))
        await #expect(throws: BackupError.notEmpty(folder.path("full"))) {
            try await folder.restore("one.backup", into: "full")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("full")) == ["letter"])
        // A database that is not: with another, empty data directory.
        try await folder.restore("one.backup", into: "first")
        let before = try await TestOrganisation.rows(folder.place("first"))
        await #expect(throws: BackupError.notEmpty("the database")) {
            try await folder.restore("one.backup", into: "second", place: folder.place("first"))
        }
        #expect(try await TestOrganisation.rows(folder.place("first")) == before)
        // And a backup never replaces another.
        await #expect(throws: StorageError.self) { try await organisation.backUp(to: folder.path("one.backup")) }
    }

    @Test("a server that is not set up has nothing to back up, and no file is left")
    func notSetUp() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        await #expect(throws: BackupError.notSetUp) { try await organisation.backUp(to: folder.path("one.backup")) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("a backup without keys restores beside the right ones only")
    func withoutKeys() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { _ = try await $0.setUp(organisation.person("owner")) }
        let manifest = try await organisation.backUp(to: folder.path("one.backup"), includesKeys: false)
        #expect(!manifest.contents.parts.contains { $0.name.hasPrefix("keys") })
        let secret = try Data(contentsOf: organisation.folder.appendingPathComponent("keys/root")).dropLast()
        #expect(try Data(folder.bytes("one.backup")).range(of: secret) == nil)
        await #expect(throws: BackupError.keysMissing) { try await folder.restore("one.backup", into: "bare") }
        try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: true)
        let other = try ServerKeys.open(in: folder.path("other"), for: nil, random: .system)
        await #expect(throws: BackupError.keysMissing) { try await folder.restore("one.backup", into: "other") }
        let kept = try ServerKeys.open(in: folder.path("other"), for: nil, random: .system)
        #expect(kept.logKeys.map(\.publicKey) == other.logKeys.map(\.publicKey))
        try FileManager.default.createDirectory(
            atPath: folder.path("right"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            at: organisation.folder.appendingPathComponent("keys"),
            to: folder.url.appendingPathComponent("right/keys"))
        try await folder.restore("one.backup", into: "right")
    }

    @Test("a sealed backup opens with its passphrase only, and shows nothing without")
    func sealed() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { _ = try await $0.setUp(organisation.person("owner")) }
        let passphrase = "keep this one elsewhere"
        await #expect(throws: BackupError.shortPassphrase) {
            try await organisation.backUp(to: folder.path("short.backup"), passphrase: "short")
        }
        try await organisation.backUp(to: folder.path("one.backup"), passphrase: passphrase)
        #expect(try Data(folder.bytes("one.backup")).range(of: Data("Test University".utf8)) == nil)
        for (given, error) in [(nil, BackupError.needsPassphrase), ("another passphrase", .wrongPassphrase)] {
            await #expect(throws: error) {
                _ = try await BackupCheck(path: folder.path("one.backup"), passphrase: given).run()
            }
        }
        try await folder.restore("one.backup", into: "restored", passphrase: passphrase)
        #expect(try await TestOrganisation.rows(folder.place("restored")) == organisation.rows())
    }

    // MARK: Changes during a backup

    /// Sealed documents; the holder deletes one of them just before it would be copied.
    private struct Vanishing: BlobStore {
        let blobs: any BlobStore
        let name: String
        let vanish: @Sendable () async throws -> Void

        func read(_ name: String) async throws -> [UInt8]? {
            if name == self.name { try await vanish() }
            return try await blobs.read(name)
        }
        func write(_ many: [Blob]) async throws { try await blobs.write(many) }
        func deleteAll(under folder: String) async throws { try await blobs.deleteAll(under: folder) }
        func delete(_ name: String) async throws -> Bool { try await blobs.delete(name) }
        func size(_ name: String) async throws -> Int64? { try await blobs.size(name) }
        func list() async throws -> [BlobInfo] { try await blobs.list() }
    }

    @Test("a document that is deleted while the backup runs is deleted in what is restored", arguments: [true, false])
    func vanished(isDeleted: Bool) async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        _ = try await Self.populate(organisation)
        let environment = organisation.server.environment
        let vanishing = Vanishing(blobs: environment.blobs, name: "blob-of-two") {
            if isDeleted {
                try await environment.database.write { try DocumentStore(transaction: $0).delete(id: "two", at: 9) }
            }
            try await environment.blobs.delete("blob-of-two")
        }
        let manifest = try await organisation.backUp(to: folder.path("one.backup"), blobs: vanishing)
        #expect(manifest.contents.gone.first == (isDeleted ? ["blob-of-two"] : []))
        #expect(manifest.contents.missing.first == (isDeleted ? [] : ["blob-of-two"]))
        try await folder.restore("one.backup", into: "restored")
        let deleted = try await folder.place("restored").snapshot { transaction in
            try ["one", "two"].map { try DocumentStore(transaction: transaction).find(id: $0)?.deleted != nil }
        }
        #expect(deleted == [false, isDeleted])
    }

    @Test("a template that gets another file while the backup runs is missing a file, and not deleted")
    func replaced() async throws {
        for isDeleted in [false, true] {
            let folder = try BackupFolder()
            let organisation = try await TestOrganisation()
            let (_, alice) = try await Self.populate(organisation)
            let environment = organisation.server.environment
            try await environment.blobs.write("zz-first", [1, 2, 3])
            var template = WorkspaceStore.Stored(
                id: "t", name: "Terms", kind: .pdf, version: 1, content: "zz-first", changed: 1,
                changedBy: alice.account.id)
            let first = template
            try await environment.database.write { try WorkspaceStore(transaction: $0).insert(first) }
            (template.version, template.content) = (2, "zz-second")
            let second = template
            let vanishing = Vanishing(blobs: environment.blobs, name: "zz-first") {
                try await environment.database.write { transaction in
                    let store = WorkspaceStore(transaction: transaction)
                    if isDeleted {
                        try store.delete(id: "t", at: 9, by: alice.account.id)
                    } else {
                        try store.update(second)
                    }
                }
                try await environment.blobs.delete("zz-first")
            }
            let manifest = try await organisation.backUp(to: folder.path("one.backup"), blobs: vanishing)
            #expect(manifest.contents.missing.first == (isDeleted ? [] : ["zz-first"]))
            #expect(manifest.contents.gone.first == (isDeleted ? ["zz-first"] : []))
            #expect(manifest.contents.blobs == 2)
            try await folder.restore("one.backup", into: "restored")
            let found = try await folder.place("restored").snapshot { transaction in
                try WorkspaceStore(transaction: transaction).find(id: "t")
            }
            #expect(found?.content == (isDeleted ? nil : "zz-first"))
        }
    }

    @Test("a backup that is older than the published log says by how much, and one of another history is refused")
    func newestCheckpoint() async throws {
        let folder = try BackupFolder()
        let organisation = try await TestOrganisation()
        try await organisation.serve { _ = try await $0.setUp(organisation.person("owner")) }
        try await organisation.addEntries(300)
        let log = organisation.server.environment.log
        let early = try await log.newestCheckpoint()
        try await organisation.addEntries(5)
        try await organisation.backUp(to: folder.path("one.backup"))
        let same = try await log.newestCheckpoint()
        try await organisation.addEntries(7)
        let later = try await log.newestCheckpoint()
        func behind(_ note: Bytes) async throws -> UInt64? {
            try await BackupCheck(path: folder.path("one.backup"), passphrase: nil, newest: note).run().behind
        }
        #expect(try await behind(early) == 0)
        #expect(try await behind(same) == 0)
        #expect(try await behind(later) == 7)
        let keys = organisation.server.environment.serverKeys.logKeys
        let signer = try CheckpointSigner(origin: Bytes(text: "localhost:8080/log"), keys: keys)
        let false301 = try signer.sign(
            size: 301, root: Bytes(repeating: 1, count: 32), policy: signer.ownPolicy)
        await #expect(throws: BackupError.rewritten) { _ = try await behind(false301) }
        let other = try CheckpointSigner(origin: Bytes(text: "localhost:8080/log"), keys: [LogSigningKey()])
        let foreign = try other.sign(
            size: 301, root: Bytes(repeating: 1, count: 32), policy: other.ownPolicy)
        await #expect(throws: BackupError.otherLog("localhost:8080/log")) { _ = try await behind(foreign) }
        await #expect(throws: BackupError.otherLog("localhost:8080/log")) {
            _ = try await BackupCheck(
                path: folder.path("one.backup"), passphrase: nil, policy: LogPolicy(logKey: other.verifierKey)
            ).run()
        }
    }
}
