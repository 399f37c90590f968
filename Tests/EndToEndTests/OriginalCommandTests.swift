import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// Version 1 with the other side in Python, written from the specification alone.
@Suite("Version 1 with an independent other side", .timeLimit(.minutes(15)))
struct OriginalCommandTests {
    /// A program of Tests/Interop/authreq.
    private static func python(_ name: String, _ arguments: [String]) async throws -> Program.Outcome {
        let file = Program.repository.appendingPathComponent("Tests/Interop/authreq/\(name).py").path
        return try await Program.runAside(Program.python, [file] + arguments)
    }

    @Test("an app in Python enrols and approves against our server, on our word that its server speaks version 1")
    func app() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, _) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        func options(_ wallet: String) -> [String] { ["--wallet", wallet, "--passphrase-file", folder.path("pass")] }
        func run(_ arguments: [String], _ wallet: String) async throws -> JSON {
            let outcome = try await Program.runAside(
                Program.countersign, arguments + options(wallet) + ["--json"])
            #expect(outcome.status == 0, "\(outcome)")
            return try ServerMachine.json(outcome)
        }
        let owner = cast.path(DemoCast.owner)
        let added = try await run(["admin", "service", "add", "bank.example", "Example Bank", "--version-1"], owner)
        let apiKey = String(decoding: try #require(added["api_key"]?.string), as: UTF8.self)
        let listed = try await run(["admin", "service", "list"], owner)
        let pem = try #require(listed["items"]?.array?.first?["original_key"]?.string)
        try String(decoding: pem, as: UTF8.self)
            .write(toFile: folder.path("server.pem"), atomically: true, encoding: .utf8)

        let ada = NewPerson(username: "ada", name: "Ada Lovelace", passphrase: DemoCast.passphrase)
        _ = try await WalletClient.signUp(cast.place(ada), ada)
        let bank = ServerClient(address: try ServerAddress(server.url), token: SessionToken(apiKey))
        try await Self.enrol(cast.path(ada), options(cast.path(ada)), at: bank)

        let answer = [Program.countersign, "wallet", "answer", "--allow", "--yes"] + options(cast.path(ada))
        let outcome = try await Self.python(
            "app", [server.url, apiKey, folder.path("server.pem"), "customer"] + answer)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n26 steps\n"), "\(outcome.output)")

        let off = try await run(["admin", "service", "version-1", "bank.example", "--off"], owner)
        #expect(off["service"]?["original_key"] == nil && off["act"]?["type"] == .text("service.changed"))
        let refused = try await Self.python(
            "app", [server.url, apiKey, folder.path("server.pem"), "customer"] + answer)
        #expect(refused.status == 1 && refused.errors.contains("the site begins an enrolment"), "\(refused)")
    }

    @Test("our wallet has a key for each of two sites in Python, and answers a link, a file and standard input")
    func site() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, _) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let outcome = try await Self.python(
            "site",
            [
                folder.url.path, Program.countersign, "--wallet", cast.path(DemoCast.owner), "--passphrase-file",
                folder.path("pass"),
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok ") } == 17, "\(outcome.output)")
    }

    /// Enrols a wallet of version 2, while the service compares the codes.
    private static func enrol(_ wallet: String, _ options: [String], at bank: ServerClient) async throws {
        let session = "a session of the bank"
        let begun: ApprovalEnrolment = try await bank.post(
            "/api/service/enrolments", NewApprovalEnrolment(user: "customer", session: session))
        let link = try #require(begun.link)
        async let outcome = Program.runAside(
            Program.countersign, ["wallet", "enrol", link, "--name", "laptop"] + options)
        var shown = begun
        while shown.state == .open {
            try await Task.sleep(for: .milliseconds(50))
            shown = try await bank.get("/api/service/enrolments/\(begun.id)")
        }
        let confirmation = ApprovalEnrolmentConfirmation(session: session, code: try #require(shown.code))
        let confirmed: ApprovalEnrolment = try await bank.post(
            "/api/service/enrolments/\(begun.id)/confirm", confirmation)
        #expect(confirmed.state == .completed)
        #expect(try await outcome.status == 0)
    }
}
