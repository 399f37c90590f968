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

/// A server that is killed under load, again and again.
@Suite("kill -9 under load")
struct KillTests {
    /// What the server has acknowledged.
    private final class Acknowledged: Sendable {
        /// Ids.
        let invitations = Mutex<Set<String>>([])
        /// Account ids and the receipts of their devices.
        let accounts = Mutex<[String: Interface.Receipt]>([:])

        var count: Int { invitations.withLock(\.count) + accounts.withLock(\.count) }
    }

    @Test("ten times: no acknowledged act is lost, and the log's audit is clean each time")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        var server = try DemoServer(directory: folder.path("server"), port: port, program: Program.countersign)
        let cast = DemoCast(server: server, folder: folder.url.path)
        let owner = try await WalletClient.setUp(
            cast.place(DemoCast.owner), code: server.setUpCode, organisation: "Kill University", DemoCast.owner)
        let trust = try await owner.client.trust()
        let acknowledged = Acknowledged()
        for round in 1...10 {
            let before = acknowledged.count
            let accountsBefore = acknowledged.accounts.withLock(\.count)
            let load = Self.load(try await owner.client.session(), url: server.url, round: round, acknowledged)
            // Not before this round has been told of some acts, and in the middle of others.
            while acknowledged.count < before + 10 + round
                || acknowledged.accounts.withLock(\.count) == accountsBefore
            { try await Task.sleep(for: .milliseconds(2)) }
            server.kill()
            load.forEach { $0.cancel() }
            for task in load { await task.value }
            let invitations = acknowledged.invitations.withLock(\.self)
            let accounts = acknowledged.accounts.withLock(\.self)
            let stored = try await Self.invitations(in: folder.path("server/countersign.sqlite"))
            server = try DemoServer(
                directory: folder.path("server"), port: port, program: Program.countersign, isSetUp: true)
            let session = try await owner.client.session()
            #expect(invitations.isSubset(of: stored), "round \(round)")
            #expect(Set(accounts.keys).isSubset(of: try await session.members().map(\.id)), "round \(round)")
            for receipt in accounts.values { _ = try trust.verify(receipt, type: "device.enrolled") }
            let audit = try Program.run(
                Program.countersign,
                [
                    "log", "audit", folder.path("server/log"), "--log-key",
                    String(decoding: trust.logKey.encoded(), as: UTF8.self), "--state", folder.path("audit-state"),
                ])
            #expect(audit.status == 0, "round \(round): \(audit.output)\(audit.errors)")
        }
        server.stop()
        #expect(acknowledged.accounts.withLock(\.count) >= 10)
        #expect(acknowledged.invitations.withLock(\.count) >= 50)
    }

    /// What is in the database that the dead process left: all of it, where the interface lists the newest only.
    private static func invitations(in path: String) async throws -> [String] {
        let database = try await SQLiteDatabase.open(path)
        let ids = try await database.read { try $0.rows("SELECT id FROM invitations").map { try $0.text("id") } }
        try await database.close()
        return ids
    }

    /// Two lanes of invitations as fast as they go, two of sign-ups, whose devices go into the log.
    private static func load(
        _ owner: ServerClient, url: String, round: Int, _ acknowledged: Acknowledged
    ) -> [Task<Void, Never>] {
        let inviting = (0..<2).map { _ in
            Task {
                while let made = try? await owner.invite(InvitationRequest(role: .operator, lifetime: 3_600)) {
                    acknowledged.invitations.withLock { _ = $0.insert(made.id) }
                }
            }
        }
        let signingUp = (0..<2).map { lane in
            Task {
                var number = 0
                while let session = try? await signUp("r\(round)-l\(lane)-n\(number)", url: url) {
                    if let receipt = session.receipt {
                        acknowledged.accounts.withLock { $0[session.account.id] = receipt }
                    }
                    number += 1
                }
            }
        }
        return inviting + signingUp
    }

    /// A sign-up without a wallet file: its keys are forgotten.
    static func signUp(_ username: String, url: String) async throws -> NewSession {
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
}
