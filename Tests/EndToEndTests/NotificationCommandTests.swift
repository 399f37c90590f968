import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// Ways to be told, and whether webhooks work, on the command line, against a real server.
@Suite("Notifications on the command line", .timeLimit(.minutes(15)))
struct NotificationCommandTests {
    /// The messages that the server has put into its folder, the oldest first.
    private static func messages(_ folder: String) throws -> [JSON] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.map {
            try JSON.parse(Bytes(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))))
        }
    }

    @Test(
        "a phone is added with the code from the folder, says what notices are about, and is removed; a webhook is shown"
    )
    func whole() async throws {
        let folder = try TemporaryFolder()
        let phones = folder.path("sms")
        try FileManager.default.createDirectory(atPath: phones, withIntermediateDirectories: true)
        let (server, cast, _) = try await ServerMachine(
            folder: folder, port: try DemoServer.freePort(), settings: ["--sms", "folder:\(phones)"]
        ).settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let own = ["--wallet", cast.path(DemoCast.owner), "--passphrase-file", folder.path("pass")]
        func run(_ arguments: String...) async throws -> Program.Outcome {
            try await Program.runAside(Program.countersign, arguments + own)
        }
        let refused = try await run("wallet", "notifications", "phone", "030 901820")
        #expect(refused.status == 1 && refused.errors.contains("a plus sign, the code of the country"), "\(refused)")
        let added = try await run("wallet", "notifications", "phone", "+49 30 901820")
        let message = try #require(try Self.messages(phones).first)
        #expect(message["to"] == .text("+4930901820") && message.members?.count == 3)
        let id = String(decoding: try #require(message["id"]?.string), as: UTF8.self)
        #expect(added.status == 0 && added.output.contains("confirm \(id) CODE"), "\(added)")
        let text = String(decoding: try #require(message["text"]?.string), as: UTF8.self)
        let code = String(try #require(text.firstMatch(of: /[0-9A-Z]{4}-[0-9A-Z]{4}/)).output)
        let confirmed = try await run("wallet", "notifications", "confirm", id, code)
        #expect(confirmed.output == "+4930901820 gets your notices from now on.\n", "\(confirmed)")
        let content = try await run("wallet", "notifications", "content", id, "on")
        #expect(content.output == "Notices say there what they are about.\n", "\(content)")
        let set = try await run("wallet", "notifications", "set", "document", "--sms", "off")
        #expect(set.status == 0 && set.output.contains("+4930901820"), "\(set)")
        let listed = try ServerMachine.json(try await run("wallet", "notifications", "list", "--json"))
        #expect(listed["ways"]?.array?.map { $0["says_content"] } == [.bool(true)])
        #expect(listed["has_sms"] == .bool(true))
        #expect(listed["off"]?.array?.map { $0["way"] } == [.text("sms")])
        #expect(try await run("wallet", "notifications", "remove", id).status == 0)

        let service = try await run(
            "admin", "service", "add", "bank.example", "Example Bank", "--webhook", "https://hook.bank.example/a?key=b")
        #expect(service.status == 0, "\(service)")
        let shown = try await run("admin", "service", "show", "bank.example")
        #expect(shown.output.contains("  last success: never\n  waiting: 0\n"), "\(shown)")
        let state = try ServerMachine.json(try await run("admin", "service", "show", "bank.example", "--json"))
        #expect(state["webhook_state"]?["waiting"]?.integer == 0)
    }
}
