import CryptoProvider
import Encodings
import Foundation
import Interface
import Storage
import Synchronization
import Testing
import Transparency

@testable import Wallet
@testable import countersign

/// Backups of a real server under load, restored on both engines.
@Suite("A backup under load", .serialized, .timeLimit(.minutes(15)))
struct BackupTests {
    /// People whom a restored server must know.
    private struct Town: Sendable {
        let folder: TemporaryFolder
        let port: Int
        let owner: WalletClient
        let student: WalletClient
        let document: String
        /// Names of strangers whom the server has acknowledged.
        let strangers = Strangers()
    }

    private final class Strangers: Sendable {
        let names = Mutex<[String]>([])
        var count: Int { names.withLock(\.count) }
    }

    @Test("from SQLite, restored into SQLite and into PostgreSQL")
    func fromSQLite() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        let server = try DemoServer(directory: folder.path("server"), port: port, program: Program.countersign)
        let place = ["--data", folder.path("server")]
        let town = try await Self.settle(server, folder, port)
        let file = try await Self.backUpUnderLoad(server, town, place)
        try await Self.restore(file, town, into: "again", database: nil)
        try await PostgresServer.withDatabase { url in
            try await Self.restore(file, town, into: "elsewhere", database: url)
        }
    }

    @Test("from PostgreSQL, restored into SQLite and into PostgreSQL")
    func fromPostgres() async throws {
        try await PostgresServer.withDatabase { url in
            let folder = try TemporaryFolder()
            let port = try DemoServer.freePort()
            let server = try DemoServer(
                directory: folder.path("server"), port: port, program: Program.countersign,
                settings: ["--database", url])
            let place = ["--data", folder.path("server"), "--database", url]
            let town = try await Self.settle(server, folder, port)
            let file = try await Self.backUpUnderLoad(server, town, place)
            try await Self.restore(file, town, into: "again", database: nil)
            try await PostgresServer.withDatabase { other in
                try await Self.restore(file, town, into: "elsewhere", database: other)
            }
        }
    }

    /// An organisation with a student who holds a document.
    private static func settle(_ server: DemoServer, _ folder: TemporaryFolder, _ port: Int) async throws -> Town {
        let cast = DemoCast(server: server, folder: folder.url.path)
        let owner = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Backup University", DemoCast.owner
        ).client
        let invitation = try await owner.invite(.administrator, lifetime: 600).code
        let registrar = try await WalletClient.signUp(
            cast.place(DemoCast.registrar), DemoCast.registrar, invitation: invitation
        ).client
        _ = try await owner.certify(
            try await registrar.requestDelegation(), capabilities: [.identifyMembers, .signDocuments])
        let student = try await WalletClient.signUp(cast.place(DemoCast.student), DemoCast.student).client
        try await LaterTests.meet(student, registrar)
        let request = try await student.request(type: "generic", note: "for the backup")
        _ = try await registrar.accept(request.id)
        let issued = try await registrar.issue(
            request: request.id, fields: [JSON.Member("title", .text("Kept safe"))], document: nil)
        return Town(folder: folder, port: port, owner: owner, student: student, document: issued.info.id)
    }

    /// A backup in the middle of sign-ups; what was acknowledged before it began must be in it.
    private static func backUpUnderLoad(_ server: DemoServer, _ town: Town, _ place: [String]) async throws -> String {
        let (url, strangers) = (server.url, town.strangers)
        let load = (0..<3).map { lane in
            Task {
                var number = 0
                while !Task.isCancelled {
                    if let made = try? await signUp("l\(lane)-n\(number)", url: url) {
                        strangers.names.withLock { $0.append(made.account.username) }
                    } else {
                        // A busy server may refuse one; a lane that ended then would leave the test waiting.
                        try? await Task.sleep(for: .milliseconds(50))
                    }
                    number += 1
                }
            }
        }
        while town.strangers.count < 20 { try await Task.sleep(for: .milliseconds(2)) }
        let before = town.strangers.names.withLock(\.self)
        let file = town.folder.path("load.backup")
        let made = try await Self.run(["admin", "backup", "--to", file, "--json"] + place)
        try #require(made.status == 0, "\(made.output)\(made.errors)")
        while town.strangers.count < before.count + 40 { try await Task.sleep(for: .milliseconds(2)) }
        load.forEach { $0.cancel() }
        for task in load { await task.value }
        // Sound, pinned, and honest about what was published afterwards.
        let key = try await town.owner.trust().log
        let sound = try await Self.run(["admin", "verify-backup", file, "--log-key", key, "--json"])
        #expect(sound.status == 0, "\(sound.output)\(sound.errors)")
        let late = try await Self.run(["admin", "verify-backup", file, "--newest-checkpoint", server.url, "--json"])
        #expect(late.status == 1 && late.output.contains("\"behind\":"), "\(late.output)\(late.errors)")
        let refused = try await Self.run([
            "admin", "restore", file, "--newest-checkpoint", server.url, "--data", town.folder.path("refused"),
        ])
        #expect(refused.status == 1 && refused.errors.contains("--accept-lost-entries"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: town.folder.path("refused")))
        server.stop()
        town.strangers.names.withLock { $0 = before }
        return file
    }

    /// A restored server: it starts, its log is clean, its members sign in, the student opens their document.
    private static func restore(_ file: String, _ town: Town, into name: String, database: String?) async throws {
        let data = town.folder.path(name)
        let place = ["--data", data] + (database.map { ["--database", $0] } ?? [])
        let restored = try await run(["admin", "restore", file] + place)
        try #require(restored.status == 0, "\(restored.output)\(restored.errors)")
        let server = try DemoServer(
            directory: data, port: town.port, program: Program.countersign,
            settings: database.map { ["--database", $0] } ?? [], isSetUp: true)
        let key = try await town.owner.trust().log
        let audit = try await run(["log", "audit", data + "/log", "--log-key", key])
        #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        _ = try await town.student.signIn(passphrase: DemoCast.passphrase)
        let opened = try await town.student.open(town.document)
        #expect(opened.info.id == town.document)
        _ = try await town.owner.signIn(passphrase: DemoCast.passphrase)
        let members = Set(try await town.owner.session().members().map(\.username))
        #expect(members.isSuperset(of: [DemoCast.owner.username, DemoCast.student.username]))
        #expect(members.isSuperset(of: town.strangers.names.withLock(\.self)), "acknowledged before the backup began")
        // It goes on: a new act, with its receipt.
        let invitation = try await town.owner.invite(.operator, lifetime: 60)
        #expect(invitation.code != nil)
        let stranger = try await signUp("after-\(name)", url: server.url)
        #expect(stranger.receipt != nil)
        server.stop()
    }

    /// A sign-up without a wallet file: its keys are forgotten.
    private static func signUp(_ username: String, url: String) async throws -> NewSession {
        let signing = try SigningKey()
        let encryption = try EncryptionKey().publicKey
        let proof = try signing.signJWS(
            type: "\(Statement.deviceType)",
            payload: Statement.device(
                audience: url, username: username, encryptionKey: encryption, time: systemTime()))
        return try await ServerClient(address: try ServerAddress(url)).signUp(
            SignUpRequest(
                username: username, name: "Somebody", passphrase: "a passphrase for \(username)",
                device: DeviceRegistration(
                    name: "lane", signingKey: signing.publicKey.x963.base64URL,
                    encryptionKey: encryption.x963.base64URL, proof: proof)))
    }

    private static func run(_ arguments: [String]) async throws -> Program.Outcome {
        try await Program.runAside(Program.countersign, arguments)
    }
}
