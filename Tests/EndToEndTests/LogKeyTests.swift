import Encodings
import Foundation
import Interface
import Testing
import Transparency

@testable import Wallet
@testable import countersign

/// The log gets another key while wallets, verifiers and a witness follow, as the operator does it.
@Suite("countersign admin keys log", .blocking)
struct LogKeyTests {
    @Test("the next key is made, named by the policy, known to the witness, and takes the old one's place")
    func journey() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        var (server, cast, owner) = try await machine.settle("Log University")
        let student = try await WalletClient.signUp(cast.place(DemoCast.student), DemoCast.student).client
        let old = try await owner.trust().log
        // It comes back there: the system must not give the port to a connection meanwhile.
        var witness = try WitnessProcess(
            directory: folder.path("witness"), name: "w.example/w1", logKey: old, port: try DemoServer.freePort())
        func policy(_ keys: [String]) throws -> String {
            let text =
                keys.map { "log \($0)\n" }.joined() + "witness union \(witness.key) \(witness.url)\nquorum union\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("policy.txt")))
            return text
        }
        _ = try await owner.setLogPolicy(try policy([old]))
        server.stop()

        // There is nothing to finish or to cancel yet.
        for step in ["finish", "cancel"] {
            let early = try machine.admin(["keys", "log", step, "--yes"])
            #expect(early.status == 1 && early.output.contains("there is no next log key"), "\(early.output)")
        }
        let begun = try machine.admin(["keys", "log", "begin"])
        #expect(begun.status == 0, "\(begun.output)\(begun.errors)")
        let answer = try ServerMachine.json(begun)
        #expect(answer["current"]?["key"]?.string == Bytes(text: old))
        #expect(answer["next"]?["in_policy"] == .bool(false))
        let next = String(decoding: try #require(answer["next"]?["key"]?.string), as: UTF8.self)
        #expect(try machine.admin(["keys", "log", "begin"]).status == 1)
        // Nobody has been told of it.
        let alone = try machine.admin(["keys", "log", "finish", "--yes"])
        #expect(alone.status == 1 && alone.output.contains("does not name the next key"), "\(alone.output)")

        server = try machine.start()
        #expect(try await owner.logSettings().keys == [old, next])
        _ = try await owner.setLogPolicy(try policy([old, next]))
        let audit = ["log", "audit", server.url, "--log-key"]
        for known in [old, next, folder.path("policy.txt")] {
            let outcome = try Program.run(Program.countersign, audit + [known])
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        }
        server.stop()
        // In the middle of it a backup is taken, and the doctor finds nothing wrong.
        let backup = try machine.admin(["backup", "--to", folder.path("one.backup")])
        #expect(backup.status == 0, "\(backup.output)\(backup.errors)")
        try Self.expectHealthy(machine)

        func verifyBackup(_ key: String, _ more: [String] = []) throws -> Program.Outcome {
            try Program.run(
                Program.countersign,
                ["admin", "verify-backup", folder.path("one.backup"), "--log-key", key] + more)
        }
        for known in [old, next, folder.path("policy.txt")] { #expect(try verifyBackup(known).status == 0) }

        // The witness has not been given the next key: the old one stays.
        let unknown = try machine.admin(["keys", "log", "finish", "--yes"])
        #expect(unknown.status == 1 && unknown.output.contains("too few witnesses sign"), "\(unknown.output)")
        #expect(FileManager.default.fileExists(atPath: folder.path("server/keys/log.next")))
        witness.kill()
        witness = try WitnessProcess(
            directory: folder.path("witness"), name: "w.example/w1", logKey: old, next, port: witness.port)
        let finished = try machine.admin(["keys", "log", "finish", "--yes"])
        #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("server/keys/log.next")))

        server = try machine.start()
        // Wallets go on; what the old key has signed stays good for them.
        #expect(try await student.checkLog().acts.map(\.type) == ["device.enrolled"])
        #expect(try await owner.checkLog().acts.contains { $0.type == "key.rotated" })
        #expect(try await owner.logSettings().keys == [next])
        let newcomer = NewPerson(username: "nina", name: "Nina New", passphrase: DemoCast.passphrase)
        _ = try await WalletClient.signUp(cast.place(newcomer), newcomer)
        for (known, status) in [(next, Int32(0)), (folder.path("policy.txt"), 0), (old, 1)] {
            let outcome = try Program.run(Program.countersign, audit + [known])
            #expect(outcome.status == status, "\(known): \(outcome.output)\(outcome.errors)")
        }
        // A backup from before is of the same log, whichever of the two is known, and it is behind.
        for known in [next, folder.path("policy.txt")] {
            let behind = try verifyBackup(known, ["--newest-checkpoint", folder.path("server/log")])
            #expect(
                behind.status == 1 && behind.output.contains("has 2 more entries"), "\(behind.output)\(behind.errors)")
        }
        server.stop()
        try Self.expectHealthy(machine)
    }

    /// The doctor has looked at keys and log, and found nothing wrong with them.
    private static func expectHealthy(_ machine: ServerMachine) throws {
        let text = try machine.admin(["doctor"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let findings = try #require(try JSON.parse(Bytes(text: text))["items"]?.array)
        for name in ["keys", "log"] {
            let found = findings.filter { $0["check"]?.string == Bytes(text: name) }
            #expect(found.map { $0["result"]?.string } == [Bytes(text: "good")], "\(text)")
        }
    }

    @Test("the log's key changes while the server runs: both keys sign in between, then the next one alone")
    func whileRunning() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let (server, cast, owner) = try await machine.settle("Log University")
        let old = try #require(try await owner.logSettings().keys.first)
        let begun = try machine.admin(["keys", "log", "begin"])
        #expect(begun.status == 0, "\(begun.output)\(begun.errors)")
        let next = String(decoding: try #require(try ServerMachine.json(begun)["next"]?["key"]?.string), as: UTF8.self)
        #expect(try await owner.logSettings().keys == [old, next])
        let early = try machine.admin(["keys", "log", "finish", "--yes"])
        #expect(early.status == 1 && early.output.contains("does not name the next key"), "\(early.output)")
        _ = try await owner.setLogPolicy("log \(old)\nlog \(next)\nquorum none\n")
        func audit(_ key: String) throws -> Int32 {
            try Program.run(Program.countersign, ["log", "audit", server.url, "--log-key", key]).status
        }
        for key in [old, next] { #expect(try audit(key) == 0) }
        let finished = try machine.admin(["keys", "log", "finish", "--yes"])
        #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("server/keys/log.next")))
        let newcomer = NewPerson(username: "nina", name: "Nina New", passphrase: DemoCast.passphrase)
        _ = try await WalletClient.signUp(cast.place(newcomer), newcomer)
        #expect(try audit(next) == 0)
        #expect(try audit(old) == 1)
        #expect(try await owner.logSettings().keys == [next])
        server.stop()
        try Self.expectHealthy(machine)
    }

    @Test("a next key that was not wanted goes again, but not one that signs alone")
    func cancel() async throws {
        let folder = try TemporaryFolder()
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        var (server, _, owner) = try await machine.settle("Log University")
        server.stop()
        #expect(try machine.admin(["keys", "log", "begin"]).status == 0)
        #expect(try machine.admin(["keys", "log", "cancel", "--yes"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("server/keys/log.next")))
        let begun = try ServerMachine.json(try machine.admin(["keys", "log", "begin"]))
        let next = String(decoding: try #require(begun["next"]?["key"]?.string), as: UTF8.self)
        server = try machine.start()
        // As after a theft: the old key no longer counts.
        _ = try await owner.setLogPolicy("log \(next)\nquorum none\n")
        server.stop()
        let refused = try machine.admin(["keys", "log", "cancel", "--yes"])
        #expect(refused.status == 1 && refused.output.contains("and not the one in use"), "\(refused.output)")
        try Self.expectHealthy(machine)
        #expect(try machine.admin(["keys", "log", "finish", "--yes"]).status == 0)
        server = try machine.start()
        #expect(try await owner.checkLog().acts.contains { $0.type == "key.rotated" })
        server.stop()
    }
}
