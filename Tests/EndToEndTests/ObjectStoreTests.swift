import CryptoProvider
import Encodings
import FaultyObjectStore
import Foundation
import Interface
import Testing
import Transparency

@testable import Wallet
@testable import countersign

/// Real servers whose documents and log are in an object store.
@Suite("An organisation on an object store", .blocking, .timeLimit(.minutes(15)))
struct ObjectStoreTests {
    static let endpoint = ProcessInfo.processInfo.environment["TEST_S3"]

    /// Audits a server's log by the command line, which must find it whole, and to go on from what it saw before.
    static func audit(_ server: DemoServer, _ story: DemoStory, state: String) async throws -> String {
        let trust = try await story.cast.unlock(DemoCast.owner).trust()
        let audit = try Program.run(
            Program.countersign,
            [
                "log", "audit", server.url, "--log-key", trust.log,
                "--state", state,
            ])
        #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        return audit.output
    }

    @Test(
        "the degree in a bucket of an independent store: set up, issue, fetch, audit, restart, delete",
        .enabled(if: endpoint != nil, "Needs TEST_S3: run the tests through scripts/with-s3."))
    func degree() async throws {
        let folder = try TemporaryFolder()
        let settings = [
            "--blobs", "s3://countersign/\(UUID().uuidString)", "--s3-endpoint", try #require(Self.endpoint),
        ]
        let port = try DemoServer.freePort()
        var server = try DemoServer(
            directory: folder.path("server"), port: port, program: Program.countersign, settings: settings)
        let story = try await DemoStory.identified(at: server, in: folder)
        let document = try await story.issue(try await story.request())
        try await story.open(document)
        _ = try await Self.audit(server, story, state: folder.path("audit"))
        server.stop()
        server = try DemoServer(
            directory: folder.path("server"), port: port, program: Program.countersign, settings: settings,
            isSetUp: true)
        try await story.open(document)
        _ = try await story.cast.unlock(DemoCast.student).delete(document)
        _ = try await Self.audit(server, story, state: folder.path("audit"))
        server.stop()
        for name in ["blobs", "log"] {
            #expect(!FileManager.default.fileExists(atPath: folder.path("server/\(name)")))
        }
        // A key that is wrong ends the start, and is shown to nobody.
        let refused = try Program.run(
            Program.countersign, ["serve", "--data", folder.path("server"), "--port", "0"] + settings,
            environment: ["AWS_SECRET_ACCESS_KEY": "a-wrong-secret"])
        #expect(refused.status == 2)
        #expect(refused.errors.contains("SignatureDoesNotMatch") && refused.errors.contains("correct the credentials"))
        #expect(!(refused.output + refused.errors).contains("a-wrong-secret"))
    }

    @Test("a store that answers 500: issuing fails with a problem, nothing is lost, and the log is whole afterwards")
    func outage() async throws {
        let folder = try TemporaryFolder()
        let store = try await FaultyObjectStore.start()
        let key = folder.path("credentials")
        let text = Data("[default]\naws_access_key_id = key\naws_secret_access_key = secret\n".utf8)
        #expect(
            FileManager.default.createFile(atPath: key, contents: text, attributes: [.posixPermissions: 0o600]))
        let server = try DemoServer(
            directory: folder.path("server"), port: try DemoServer.freePort(), program: Program.countersign,
            settings: [
                "--blobs", "s3://\(FaultyObjectStore.bucket)/p", "--s3-endpoint", store.endpoint, "--s3-credentials",
                key,
            ])
        let story = try await DemoStory.identified(at: server, in: folder)
        let student = try await story.cast.unlock(DemoCast.student)
        let administrator = try await story.cast.unlock(DemoCast.registrar)
        let known = try await student.documents().count

        // The document cannot be stored: nothing was done, and doing it again does it.
        let first = try await student.request(type: "generic", note: "")
        _ = try await administrator.accept(first.id)
        let blobs = store.objects.keys.filter { $0.hasPrefix("p/blobs/") }
        store.fail(.answer(500, code: "InternalError"))
        #expect(await Self.refusal { try await Self.issue(first.id, administrator) } == "storage-unreachable")
        store.heal()
        #expect(store.objects.keys.filter { $0.hasPrefix("p/blobs/") }.sorted() == blobs.sorted())
        #expect(try await student.documents().count == known)
        try await Self.issue(first.id, administrator)

        // The log cannot be written: the document is there all the same, with its receipt as soon as that can be.
        let second = try await student.request(type: "generic", note: "")
        _ = try await administrator.accept(second.id)
        store.fail(.answer(503, code: "SlowDown"), keyPart: "log/")
        #expect(await Self.refusal { try await Self.issue(second.id, administrator) } == "storage-unreachable")
        store.heal()
        let documents = try await student.documents()
        #expect(documents.count == known + 2)
        for document in documents { _ = try await student.open(document.id) }
        _ = try await Self.audit(server, story, state: folder.path("audit"))
        server.stop()
        try await store.stop()
    }

    private static func issue(_ request: String, _ administrator: WalletClient) async throws {
        _ = try await administrator.issue(
            request: request, fields: [JSON.Member("title", .text("A title"))], document: nil)
    }

    /// The problem that an act ends with.
    private static func refusal(_ act: () async throws -> Void) async -> String {
        do {
            try await act()
            return "nothing"
        } catch let error as ProblemError {
            return error.slug
        } catch {
            return "\(error)"
        }
    }
}
