import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// `countersign desk` against a real server.
@Suite("countersign desk", .timeLimit(.minutes(15)))
struct DeskCommandTests {
    private static let secret = "+49 30 1234567"

    @Test("finds clients, shows what they have in the organisation's fields, and changes what is named")
    func fields() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple Clinic")
        defer { server.stop() }
        _ = try await owner.session().setForensicKey(ForensicKey(key: try EncryptionKey().publicKey.x963.base64URL))
        let (asked, _) = try await owner.setClientFields(
            ClientFields(fields: [
                ClientField(label: "Telephone", kind: .text), ClientField(label: "Born", kind: .date),
            ]))
        let clerk = NewPerson(username: "clerk", name: "Clara Clerk", passphrase: DemoCast.passphrase)
        let code = try #require(try await owner.invite(.operator, lifetime: 600).code)
        let joined = try await WalletClient.signUp(cast.place(clerk), clerk, invitation: code).client
        var pen = HammerPen("ada")
        let person = try await joined.session().enrol(
            NewClient(
                number: "AB1", givenName: "Ada", familyName: "Löwe", paper: "passport",
                circumstances: Circumstances(identified: true, device: "test"), signatures: try pen.enrolment())
        ).client
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        func run(_ arguments: [String]) async throws -> Program.Outcome {
            try await Program.runAside(
                Program.countersign,
                ["desk"] + arguments + ["--wallet", cast.path(clerk), "--passphrase-file", folder.path("pass")])
        }

        let found = try await run(["clients", "lowe"])
        #expect(found.status == 0 && found.output.contains(person.id), "\(found)")
        #expect(try await run(["clients", "nobody"]).output == "There is no such client.\n")

        let set = try await run(["fields", person.id, "--set", "Telephone=\(Self.secret)", "--set", "Born=1815-12-10"])
        #expect(set.status == 0 && set.output.contains("Telephone: \(Self.secret)\nBorn: 1815-12-10\n"), "\(set)")
        #expect(set.output.contains("receipt verified"), "\(set)")
        // Settings that are not named stay.
        let cleared = try await run(["fields", person.id, "--clear", "Telephone", "--json"])
        let json = try ServerMachine.json(cleared)
        #expect(json["client"] == .text(person.id) && json["log_index"]?.integer != nil, "\(cleared)")
        #expect(json["fields"]?.array?.compactMap { $0["value"] } == [.null, .text("1815-12-10")], "\(cleared)")
        let shown = try ServerMachine.json(try await run(["fields", person.id, "--json"]))
        #expect(shown["fields"] == json["fields"] && shown["log_index"] == nil)
        #expect(shown["fields"]?.array?.first?["field"] == .text(asked.fields[0].id ?? ""))

        // Refusals are 1, what cannot be read is 2, and none repeats a value.
        for (arguments, status, words) in [
            (["fields", person.id, "--set", "Shoe size=\(Self.secret)"], 1, "there is: Telephone, Born"),
            (["fields", person.id, "--set", "Born=\(Self.secret)"], 1, "Born: a day, such as 2026-11-24"),
            (["fields", "0a0a"], 1, "There is no such client"),
            (["fields", person.id, "--set", "Telephone"], 2, "LABEL=VALUE"),
            (["fields", person.id, "--set", "Born=1815-12-10", "--clear", "Born"], 2, "name each field once"),
        ] as [([String], Int32, String)] {
            let refused = try await run(arguments)
            #expect(refused.status == status && refused.errors.contains(words), "\(arguments): \(refused)")
            #expect(!refused.errors.contains(Self.secret), "\(refused)")
        }
        #expect(try await joined.client(person.id).fields?.map(\.value) == ["1815-12-10"])
    }
}
