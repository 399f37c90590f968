import Documents
import Encodings
import Foundation
import Testing

@testable import Wallet
@testable import countersign

/// The server's disk after a document was issued: a byte scan for data that must not be there.
@Suite("The server cannot read what it keeps")
struct SecrecyTests {
    @Test(
        "a byte scan of data directory and database finds no marker and no private key; the opened wallet has both markers"
    )
    func scan() async throws {
        let folder = try TemporaryFolder()
        let database = try ServerDatabase()
        let server = try DemoServer(
            directory: folder.path("server"), port: try DemoServer.freePort(), program: Program.countersign,
            settings: database.flags)
        defer { server.stop() }
        let story = try await DemoStory.identified(at: server, in: folder)
        let document = try await story.issue(try await story.request())

        let student = try await story.cast.unlock(DemoCast.student)
        let held = try await student.open(document)
        let opened = JSON.object(held.fields).serialized() + (held.document?.content ?? [])
        let markers = [Bytes(text: "amber-otter-2983"), Bytes(text: "quiet-heron-4417")]
        for marker in markers { #expect(Self.contains(Data(opened), Data(marker))) }

        // PostgreSQL's dump has columns of bytes in hexadecimal.
        var secrets = markers + markers.map { Hex.encode($0) }
        for person in [DemoCast.owner, DemoCast.registrar, DemoCast.student] {
            let wallet = try await story.cast.unlock(person).wallet
            let keys = [wallet.secrets.signingKey, wallet.secrets.encryptionKey, wallet.secrets.authorityKey]
            for key in keys.compactMap(\.self) {
                let bytes = try #require(Base64.decode(Bytes(text: key), .url))
                secrets += [bytes, Bytes(text: key), Hex.encode(bytes), Base64.encode(bytes, .standard)]
            }
        }
        #expect(secrets.count == 2 * markers.count + 4 * 8)
        try database.dump(to: "\(server.directory)/dump")
        let files = try #require(FileManager.default.enumerator(atPath: server.directory)).compactMap { $0 as? String }
        var scanned = 0
        for file in files {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: "\(server.directory)/\(file)")) else {
                continue
            }
            scanned += 1
            for secret in secrets { #expect(!Self.contains(bytes, Data(secret)), "found in \(file)") }
        }
        #expect(scanned > 8)
    }

    private static func contains(_ bytes: Data, _ part: Data) -> Bool { bytes.range(of: part) != nil }
}
