import Encodings
import Foundation
import Interface
import Storage
import Testing

@testable import Wallet
@testable import countersign

/// An operator's backups from and into an independent object store.
@Suite("Backup, restore and doctor on an object store", .timeLimit(.minutes(15)))
struct BucketBackupTests {
    /// An organisation that moves from place to place.
    private struct Town {
        let folder: TemporaryFolder
        let port: Int
        let story: DemoStory
        let document: String

        func start(_ place: [String], in directory: String) throws -> DemoServer {
            try DemoServer(
                directory: directory, port: port, program: Program.countersign, settings: place, isSetUp: true)
        }

        /// Everything goes on as before: one log for auditors, and the document opens.
        func expectWhole(_ server: DemoServer) async throws {
            _ = try await ObjectStoreTests.audit(server, story, state: folder.path("audit"))
            try await story.open(document)
            // The server has new keys of nobody, and signs on.
            let owner = try await story.cast.unlock(DemoCast.owner)
            _ = try await owner.signIn(passphrase: DemoCast.passphrase)
            #expect(try await owner.invite(.operator, lifetime: 60).code != nil)
            _ = try await ObjectStoreTests.audit(server, story, state: folder.path("audit"))
        }
    }

    private static func place() throws -> [String] {
        ["--blobs", "s3://countersign/\(UUID().uuidString)", "--s3-endpoint", try #require(ObjectStoreTests.endpoint)]
    }

    private static func admin(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.runAside(Program.countersign, ["admin"] + arguments)
    }

    /// Names of the doctor's checks that found something, except room, which depends on the machine.
    private static func troubles(_ place: [String]) async throws -> [String] {
        let outcome = try await admin(["doctor", "--json"] + place)
        let items = try #require(JSON.parse(Bytes(text: outcome.output))["items"]?.array, "\(outcome)")
        #expect(items.contains { $0["check"]?.isString("object store") ?? false } == place.contains("--blobs"))
        return items.compactMap { item in
            let words = String(decoding: item["detail"]?.string ?? [], as: UTF8.self)
            guard item["result"]?.isString("good") != true, !words.hasSuffix("MiB are free") else { return nil }
            return "\(String(decoding: item["check"]?.string ?? [], as: UTF8.self)): \(words)"
        }
    }

    @Test(
        "from a bucket to a folder, and from there into another bucket: one log, and the document opens in each",
        .enabled(if: ObjectStoreTests.endpoint != nil, "Needs TEST_S3: run the tests through scripts/with-s3."))
    func journey() async throws {
        let folder = try TemporaryFolder()
        let (first, third) = (try Self.place(), try Self.place())
        let port = try DemoServer.freePort()
        var server = try DemoServer(
            directory: folder.path("one"), port: port, program: Program.countersign, settings: first)
        let story = try await DemoStory.identified(at: server, in: folder)
        let document = try await story.issue(try await story.request())
        let town = Town(folder: folder, port: port, story: story, document: document)
        try await town.expectWhole(server)

        // Beside the running server.
        let one = ["--data", folder.path("one")] + first
        #expect(try await Self.troubles(one) == [])
        let (backup, again) = (folder.path("one.backup"), folder.path("two.backup"))
        let made = try await Self.admin(["backup", "--to", backup] + one)
        #expect(made.status == 0, "\(made)")
        #expect(try await Self.admin(["verify-backup", backup, "--newest-checkpoint", server.url]).status == 0)
        server.stop()

        let two = ["--data", folder.path("two")]
        let restored = try await Self.admin(["restore", backup] + two)
        #expect(restored.status == 0, "\(restored)")
        server = try town.start([], in: folder.path("two"))
        try await town.expectWhole(server)
        #expect(try await Self.troubles(two) == [])
        #expect(try await Self.admin(["backup", "--to", again] + two).status == 0)
        server.stop()

        // Never over another organisation, nor over an older state of this one.
        let refused = try await Self.admin(["restore", again, "--data", folder.path("three")] + first)
        #expect(refused.status == 1 && refused.errors.contains("not empty"), "\(refused)")
        let three = ["--data", folder.path("three")] + third
        let moved = try await Self.admin(["restore", again] + three)
        #expect(moved.status == 0 && moved.output.contains(third[1]), "\(moved)")
        server = try town.start(third, in: folder.path("three"))
        try await town.expectWhole(server)
        #expect(try await Self.troubles(three) == [])
        server.stop()

        // Commands for a stopped server work on its bucket, too, and make no folders beside it.
        let rotated = try await Self.admin(["keys", "rotate", "code-secret", "--yes"] + three)
        #expect(rotated.status == 0, "\(rotated)")
        for name in ["blobs", "log"] {
            #expect(!FileManager.default.fileExists(atPath: folder.path("three/\(name)")))
        }
        #expect(try await Self.troubles(three) == [])

        // What is lost in the bucket is found.
        let credentials = try #require(S3Credentials(environment: ProcessInfo.processInfo.environment))
        let bucket = try await BlobStores.bucket(
            S3Place(try #require(S3BucketName(third[1])), endpoint: try S3Endpoint(third[3])), credentials: credentials,
            timing: S3Timing(
                now: { Int64(Date().timeIntervalSince1970) }, sleep: { try await Task.sleep(for: $0) },
                random: { 0.5 }))
        let blob = try #require(try await bucket.blobs.list().first)
        #expect(try await bucket.blobs.delete(blob.name))
        #expect(try await Self.troubles(three) == ["documents: 1 are missing (\(blob.name)…)"])
        #expect(try await Self.admin(["backup", "--to", folder.path("three.backup")] + three).status == 1)
    }
}
