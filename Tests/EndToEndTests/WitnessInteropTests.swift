import Encodings
import Foundation
import Interface
import Testing
import Transparency

@testable import Wallet
@testable import countersign

/// Logs and witnesses by others: a program in Go with the trees, proofs and notes of Go's checksum database.
@Suite("Witnesses and logs of others", .blocking)
struct WitnessInteropTests {
    /// The Go program, built into a folder.
    private static func build(into folder: TemporaryFolder) throws -> String {
        let source = Program.repository.appendingPathComponent("Tests/Interop/witness/main.go").path
        let outcome = try Program.run(
            "go", ["build", "-o", folder.path("go-witness"), source],
            environment: ["GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""])
        guard outcome.status == 0 else { throw Program.Missing(description: outcome.errors) }
        return folder.path("go-witness")
    }

    @Test("a log in Go is witnessed by ours, step by step, and refused what it must not have")
    func log() throws {
        let folder = try TemporaryFolder()
        let program = try Self.build(into: folder)
        let origin = "go.example/log"
        let key = try Program.run(program, ["key", "-name", origin]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let witness = try WitnessProcess(directory: folder.path("witness"), name: "w.example/w1", logKey: key)
        let outcome = try Program.run(
            program, ["ask", "-name", origin, "-witness", witness.url, "-key", witness.key])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok ") } == 17, "\(outcome.output)")
        // The other tree of the same size is kept: both notes together prove what the log did.
        let status = try Program.run(
            Program.countersign, ["witness", "status", "--data", folder.path("witness"), "--json"])
        #expect(status.status == 1)
        let json = try JSON.parse(Bytes(text: status.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(json["contradictions"]?.array?.count == 1)
    }

    @Test("our log is witnessed by one in Go beside ours: both sign, and either may be away")
    func witness() async throws {
        let folder = try TemporaryFolder()
        let program = try Self.build(into: folder)
        let machine = ServerMachine(folder: folder, port: try DemoServer.freePort())
        let (server, cast, owner) = try await machine.settle("Watched University")
        let key = try await owner.trust().log
        let ours = try WitnessProcess(directory: folder.path("witness"), name: "w.example/w1", logKey: key)
        let theirs = try WitnessProcess(program, ["serve", "-name", "go.example/w2", "-log", key])
        func policy(_ quorum: Int) throws -> String {
            let text = """
                log \(key)
                witness ours \(ours.key) \(ours.url)
                witness theirs \(theirs.key) \(theirs.url)
                group enough \(quorum) ours theirs
                quorum enough

                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("policy.txt")))
            return text
        }
        func audit() throws -> Program.Outcome {
            try Program.run(
                Program.countersign, ["log", "audit", server.url, "--log-key", folder.path("policy.txt"), "--json"])
        }
        /// Whether a person who joined has a receipt of it.
        func join(_ name: String) async throws -> Bool {
            let person = NewPerson(username: name, name: name, passphrase: DemoCast.passphrase)
            return try await !WalletClient.signUp(cast.place(person), person).acts.isEmpty
        }
        // An auditor who looked before there were witnesses goes on from there.
        let seen = folder.path("seen")
        let first = ["log", "audit", server.url, "--log-key", key, "--state", seen]
        #expect(try Program.run(Program.countersign, first).status == 0)
        _ = try await owner.setLogPolicy(try policy(2))
        for number in 0..<3 { #expect(try await join("person\(number)")) }
        let later = ["log", "audit", server.url, "--log-key", folder.path("policy.txt"), "--state", seen]
        let grown = try Program.run(Program.countersign, later)
        #expect(grown.status == 0, "\(grown.output)\(grown.errors)")
        let both = try audit()
        #expect(both.status == 0, "\(both.output)\(both.errors)")

        _ = try await owner.setLogPolicy(try policy(1))
        ours.kill()
        // The one in Go is enough.
        #expect(try await join("one-away"))
        let one = try audit()
        #expect(one.status == 0, "\(one.output)\(one.errors)")
        theirs.kill()
        #expect(try await !join("both-away"))
        server.stop()
    }
}
