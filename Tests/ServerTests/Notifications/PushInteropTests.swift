import Encodings
import HTTPTypes
import Interface
import Testing

@testable import Server

/// A browser and a push service that share no code with ours (`Tests/Interop/notifications/push_service.py`).
@Suite("Push messages, as others read them", .timeLimit(.minutes(5)))
struct PushInteropTests {
    /// Real connections, to the port of the test, whatever the name.
    private struct ToTest: EgressSender {
        let port: Int

        func send(
            _ message: EgressMessage, to address: EgressAddress, at place: String
        ) async throws -> EgressAnswer {
            let text = address.text.replacing(
                "https://\(address.host)", with: "http://\(address.host):\(port)", maxReplacements: 1)
            let here = try #require(EgressAddress(text, allowsPrivate: true))
            return try await HTTPEgressSender(patience: .seconds(60)).send(message, to: here, at: "127.0.0.1")
        }
    }

    @Test("http-ece decrypts, cryptography verifies the statement, and the message points at the page and says no more")
    func whole() async throws {
        let browser = try PythonProgram("push_service.py", "https://push.example", "201", "429", "410")
        defer { browser.stop() }
        let start = try await browser.next()
        let port = Int(try #require(start["port"]?.integer))
        let organisation = try await TestOrganisation(push: ToTest(port: port))
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            let subscription = NewPushSubscription(
                endpoint: "https://push.example/send/1", key: try #require(start.text("key")),
                auth: try #require(start.text("auth")))
            _ = try await client.send(.put, TestClient.pushPath, subscription, token: alice.token)
                .decode(NotificationWay.self)
            _ = try await client.send(
                .put, "/api/account/language", AccountLanguage(language: "de"), token: alice.token
            ).decode(AccountLanguage.self)
            let asked = try await bank.ask(bank.request("1", lifetime: 120))
            try await organisation.deliver()
            let first = try await browser.next()
            try #require(first["ok"] == .bool(true), "\(first.text("why") ?? "")")
            #expect(first.text("key") == (try await client.notifications(alice)).pushKey)
            let now = organisation.clock.clock.now()
            let end = try #require(first["exp"]?.integer)
            #expect(end > now && end <= now + 86_400 && first.text("sub") == TestOrganisation.url)
            #expect(first.text("ttl") == "120" && first.text("urgency") == "high" && first["size"]?.integer == 1_127)
            let plain = try #require(first["plain"])
            #expect(
                plain.members?.map { String(decoding: $0.name, as: UTF8.self) }.sorted() == [
                    "direction", "kind", "language", "over", "path", "tag", "text",
                ])
            #expect(plain.text("kind") == "approval" && plain.text("path") == "/wallet/approval#\(asked.id)")
            #expect(plain.text("tag") == first.text("topic") && plain["over"] == .bool(false))
            #expect(plain.text("language") == "de" && plain.text("direction") == "ltr")
            let german = try organisation.server.environment.catalogues().first { $0.code == "de" }
            #expect(plain.text("text") == german?("Something waits for you in Countersign."))
            #expect(plain.text("text") != "Something waits for you in Countersign.")
            // Busy for ten minutes, as it says, and then gone for good.
            _ = try await bank.ask(bank.request("2", lifetime: 3_600))
            try await organisation.deliver()
            #expect(try await browser.next()["status"]?.integer == 429)
            organisation.clock.advance(.seconds(600))
            try await organisation.deliver()
            #expect(try await browser.next()["status"]?.integer == 410)
            #expect(try await client.notifications(alice).ways == [])
            #expect(try await organisation.outbox() == [])
        }
    }
}
