import CryptoProvider
import Encodings
import Foundation
import Storage
import Testing
import Transparency

@testable import Server
@testable import Wallet
@testable import countersign

/// An operator who rewrites the log, with all keys in hand: three who have seen it before notice.
@Suite(
    "A rewritten log", .blocking, .serialized,
    .enabled(if: !ServerDatabase.isPostgres, "The attacks rewrite a SQLite file."))
struct RewrittenLogTests {
    enum Attack: String, CaseIterable { case truncated, forked, reordered }

    @Test("is noticed by a wallet, by a witness, and by log audit", arguments: Attack.allCases)
    func noticed(attack: Attack) async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        var (server, cast, owner) = try await ServerMachine(folder: folder, port: port).settle("Rewriting University")
        let student = try await WalletClient.signUp(cast.place(DemoCast.student), DemoCast.student).client
        let trust = try await owner.trust()
        server.stop()
        try FileManager.default.copyItem(atPath: folder.path("server"), toPath: folder.path("early"))
        server = try DemoServer(
            directory: folder.path("server"), port: port, program: Program.countersign, isSetUp: true)
        for number in 0..<4 { _ = try await join("honest\(number)", cast) }

        // Three look: each remembers a checkpoint.
        _ = try await student.checkLog()
        let audit = ["log", "audit", server.url, "--log-key", trust.log, "--state", folder.path("seen")]
        #expect(try Program.run(Program.countersign, audit).status == 0)
        let witness = try WitnessProcess(
            directory: folder.path("witness"), name: "w.example/w1", logKey: trust.log)
        let link = WitnessLink(
            key: try NoteVerifierKey.parse(Bytes(text: witness.key)), url: witness.url,
            transport: HTTPWitnessTransport(), clock: .system)
        try await ask(link, about: server.url)
        server.stop()

        switch attack {
        case .truncated, .forked:
            server = try DemoServer(
                directory: folder.path("early"), port: port, program: Program.countersign, isSetUp: true)
            if attack == .forked {
                for number in 0..<6 { _ = try await join("forged\(number)", cast) }
            }
        case .reordered:
            try await reorder(folder.path("server"))
            server = try DemoServer(
                directory: folder.path("server"), port: port, program: Program.countersign, isSetUp: true)
        }

        await #expect(throws: WalletError.logRewritten) { _ = try await student.checkLog() }
        await #expect(throws: WitnessFailure.self) { try await ask(link, about: server.url) }
        let outcome = try Program.run(Program.countersign, audit)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.errors)")
        let monitor = try Program.run(
            Program.countersign,
            [
                "log", "monitor", server.url, "--log-key", trust.log, "--state", folder.path("seen"), "--witness",
                witness.url, "--once",
            ])
        #expect(monitor.status == 1, "\(monitor.output)\(monitor.errors)")
        // An auditor who sees it for the first time finds nothing wrong: that is why there are witnesses.
        let fresh = Array(audit.dropLast(2))
        #expect(try Program.run(Program.countersign, fresh).status == 0)
        server.stop()
    }

    @Test("with witnesses in the policy nobody gets a receipt of another history, even without having looked before")
    func witnessed() async throws {
        let folder = try TemporaryFolder()
        let port = try DemoServer.freePort()
        var (server, cast, owner) = try await ServerMachine(folder: folder, port: port).settle("Witnessed University")
        let key = try await owner.trust().log
        let witness = try WitnessProcess(directory: folder.path("witness"), name: "w.example/w1", logKey: key)
        let policy = folder.path("policy.txt")
        let text = "log \(key)\nwitness union \(witness.key) \(witness.url)\nquorum union\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: policy))
        #expect(try await owner.setLogPolicy(text).type == "log_policy.changed")
        #expect(try await owner.trust().policyVersion == 1)
        server.stop()
        try FileManager.default.copyItem(atPath: folder.path("server"), toPath: folder.path("early"))
        server = try DemoServer(
            directory: folder.path("server"), port: port, program: Program.countersign, isSetUp: true)
        for number in 0..<3 { _ = try await join("honest\(number)", cast) }
        let audit = try Program.run(Program.countersign, ["log", "audit", server.url, "--log-key", policy])
        #expect(audit.status == 0, "\(audit.output)\(audit.errors)")
        let monitor = try Program.run(
            Program.countersign,
            [
                "log", "monitor", server.url, "--log-key", policy, "--state", folder.path("seen"), "--witness",
                witness.url, "--once",
            ])
        #expect(monitor.status == 0 && monitor.output.contains("clean"), "\(monitor.output)\(monitor.errors)")
        server.stop()

        // The old backup comes back: the witness has seen more, so that nothing new is receipted.
        server = try DemoServer(
            directory: folder.path("early"), port: port, program: Program.countersign, isSetUp: true)
        let person = NewPerson(username: "forged", name: "forged", passphrase: DemoCast.passphrase)
        let forged = try await WalletClient.signUp(cast.place(person), person)
        #expect(forged.acts.isEmpty)
        let refused = await problem { _ = try await forged.client.checkLog() }
        #expect(refused == "unwitnessed")
        server.stop()

        // A witness that is killed has forgotten nothing.
        witness.kill()
        let again = try WitnessProcess(directory: folder.path("witness"), name: "w.example/w1", logKey: key)
        #expect(again.key == witness.key)
        let status = try Program.run(
            Program.countersign, ["witness", "status", "--data", folder.path("witness"), "--json"])
        #expect(status.status == 0 && status.output.contains("\"size\":"), "\(status.output)\(status.errors)")
    }

    private func join(_ name: String, _ cast: DemoCast) async throws -> WalletClient {
        let person = NewPerson(username: name, name: name, passphrase: DemoCast.passphrase)
        return try await WalletClient.signUp(cast.place(person), person).client
    }

    private func problem(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? ProblemError)?.slug ?? "\(error)"
        }
    }

    /// Has a witness sign what a server shows.
    private func ask(_ link: WitnessLink, about url: String) async throws {
        let files = try Wallet.LogFiles.at(url)
        let note = try #require(try await files.read("checkpoint", limit: SignedNote.maximumLength))
        let signed = try SignedNote.parse(note)
        let size = try Checkpoint.parse(signed.text).size
        _ = try await link.cosign(size: size, note: signed) { from in
            let plan = try ProofPlan.consistency(from: from, to: size)
            var tiles = FetchedTiles()
            for tile in plan.tiles { try tiles.add(tile, try await files.read(tile) ?? []) }
            return try plan.hashes(from: tiles, suite: SwiftCryptoSuite())
        }
    }

    /// Exchanges two entries and has the server seal everything again, as if it had always been so.
    private func reorder(_ directory: String) async throws {
        let database = try await SQLiteDatabase.open("\(directory)/countersign.sqlite")
        try await database.write { transaction in
            for (from, to) in [(2, 1_000), (3, 2), (1_000, 3)] {
                try transaction.execute("UPDATE log_entries SET position = \(to) WHERE position = \(from)")
            }
            try transaction.execute("DELETE FROM log_state")
        }
        try await database.close()
        try FileManager.default.removeItem(atPath: "\(directory)/log")
    }
}
