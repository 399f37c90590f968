import HTTPTypes
import Interface
import Testing

@testable import Server

/// Looking people up to seal something to them: how often, and to how many of their devices.
@Suite("Looking up people who have a vault")
struct VaultRecipientTests {
    @Test("an account looks up twenty people, whether they are found or not, and then two a minute")
    func tooMany() async throws {
        try await VaultScene.serveTwo { alice, bob in
            func find(_ name: String) async throws -> TestClient.Answer {
                try await alice.send(.post, "recipients", VaultRecipientName(username: name))
            }
            for number in 0..<10 {
                #expect(try await find("bob").status == 200, "\(number)")
                #expect(try await find("nobody-\(number)").status == 404, "\(number)")
            }
            let refused = try await find("bob")
            #expect(refused.status == 429 && refused.text.contains("'vault-recipient'"), "\(refused.text)")
            #expect(refused.retryAfter == "30")
            // Others have their own.
            let others = try await bob.send(.post, "recipients", VaultRecipientName(username: "alice"))
            #expect(others.status == 200)
            alice.clock.advance(.seconds(29))
            #expect(try await find("bob").status == 429)
            alice.clock.advance(.seconds(1))
            #expect(try await find("bob").status == 200)
            #expect(try await find("bob").status == 429)
        }
    }

    @Test("of somebody with more devices, the keys of the newest eight are handed out, the newest first")
    func devices() async throws {
        try await VaultScene.serveTwo { alice, bob in
            var devices = [bob.session.deviceID]
            for _ in 0..<8 {
                // So that each is newer than the one before it.
                alice.clock.advance(.seconds(1))
                devices.append(try await alice.client.addDevice(of: bob.person, bob.session).deviceID)
            }
            let found = try await alice.send(.post, "recipients", VaultRecipientName(username: "bob"))
                .decode(VaultRecipient.self)
            let newest = Array(devices.dropFirst().reversed())
            #expect(found.devices.map(\.id) == newest)
        }
    }
}
