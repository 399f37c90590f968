import CryptoProvider
import Encodings
import HTTPTypes
import HummingbirdTesting
import Interface
import Storage
import Testing

@testable import Server

/// Services that ask for approvals: who manages them, and what their API keys open.
@Suite("Services that ask for approvals")
struct ApprovalServiceTests {
    @Test("an administrator adds one, lists it, replaces its API key and removes it; the log says so")
    func life() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let added = try await client.addService("bank.example", owner)
            #expect(added.service.name == "Example Bank" && added.service.rotated == nil)
            let listed = try await client.services(owner)
            #expect(listed == [added.service])
            #expect(try await client.service(added.apiKey) == added.service)

            organisation.clock.advance(.seconds(10))
            let rotated = try await client.send(
                .post, "/api/services/\(added.service.id)/key", token: owner.token
            ).decode(ApprovalServiceKey.self)
            #expect(rotated.apiKey != added.apiKey)
            #expect(rotated.service.publicKey == added.service.publicKey)
            #expect(rotated.service.rotated == organisation.clock.clock.now())
            // The old one ends at once.
            #expect(try await client.send(.get, "/api/service", token: added.apiKey).problem == "unauthenticated")
            #expect(try await client.service(rotated.apiKey) == rotated.service)

            let removed = try await client.send(.delete, "/api/services/\(added.service.id)", token: owner.token)
            #expect(removed.status == 200)
            #expect(try await client.send(.get, "/api/service", token: rotated.apiKey).problem == "unauthenticated")
            #expect(try await client.services(owner) == [])
            for (method, path) in [(HTTPRequest.Method.post, "/key"), (.delete, "")] {
                let again = try await client.send(
                    method, "/api/services/\(added.service.id)\(path)", token: owner.token)
                #expect(again.problem == "not-found")
            }
            let logged = try await client.send(.get, "/api/log/mine", token: owner.token)
                .decode(Listing<LoggedEntry>.self)
            let types = logged.items.map(\.type)
            #expect(Array(types.prefix(3)) == ["service.removed", "service.rotated", "service.added"])
        }
    }

    @Test("each service signs with a key of its own, another one when it is added again")
    func keys() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let first = try await client.addService("bank.example", owner).service
            let other = try await client.addService("shop.example", owner).service
            #expect(try await client.send(.delete, "/api/services/\(first.id)", token: owner.token).status == 200)
            let again = try await client.addService("bank.example", owner).service
            #expect(Set([first.publicKey, other.publicKey, again.publicKey]).count == 3)
            // The same at the next start: it is made from the secret, and nothing of it is stored.
            let keys = organisation.server.environment.with(keys: [.approvalSecret]).keys
            for service in [first, other, again] {
                let key = try ApprovalKeys(keys).signingKey(ofService: service.id)
                #expect(key.publicKey.x963.base64URL == service.publicKey)
            }
        }
    }

    @Test(
        "a service is refused whose domain or name is out of form",
        arguments: [
            ("", "Bank"), ("Bank.example", "Bank"), ("bank example", "Bank"), ("bänk.example", "Bank"),
            (String(repeating: "a", count: 254), "Bank"), ("bank.example", ""), ("bank.example", "a\u{202E}b"),
            ("bank.example", String(repeating: "a", count: 201)), ("bank.example", "two\nlines"),
        ])
    func refused(domain: String, name: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let answer = try await client.send(
                .post, "/api/services", NewApprovalService(domain: domain, name: name), token: owner.token)
            #expect(answer.problem == "invalid-member")
            #expect(try await client.services(owner) == [])
        }
    }

    @Test("two services cannot have one domain, even if both are added in the same instant")
    func taken() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let request = NewApprovalService(domain: "bank.example", name: "Example Bank")
            let answers = try await withThrowingTaskGroup(of: TestClient.Answer.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await client.send(.post, "/api/services", request, token: owner.token) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 201 } == 1)
            #expect(answers.count { $0.problem == "conflict" } == 3)
            #expect(try await client.services(owner).count == 1)
        }
    }

    @Test("an API key opens nothing but its own service's interface, and a session does not open that")
    func separation() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let added = try await client.addService("bank.example", owner)
            for path in ["/api/account", "/api/services", "/api/members", "/api/log/mine", "/api/events"] {
                #expect(try await client.send(.get, path, token: added.apiKey).problem == "unauthenticated", "\(path)")
            }
            #expect(try await client.send(.get, "/api/service", token: owner.token).problem == "unauthenticated")
            #expect(try await client.send(.get, "/api/service").problem == "unauthenticated")
            // As a cookie it counts for nothing: pages carry people's sessions there.
            var fields = HTTPFields()
            fields[.cookie] = "\(organisation.server.shell.cookie.name)=\(added.apiKey)"
            fields[.origin] = TestOrganisation.url
            fields[try #require(HTTPField.Name("Sec-Fetch-Site"))] = "same-origin"
            let cookie = try await client.client.execute(uri: "/api/service", method: .get, headers: fields)
            #expect(cookie.status == .unauthorized)
        }
    }

    @Test("every change of one character of an API key opens nothing")
    func guesses() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let added = try await client.addService("bank.example", owner)
            let other = try await client.addService("shop.example", owner)
            let authenticator = ApprovalServiceAuthenticator(environment: organisation.server.environment)
            let key = Bytes(text: added.apiKey)
            for index in key.indices {
                var changed = key
                changed[index] = changed[index] == 0x41 ? 0x42 : 0x41
                let text = String(decoding: changed, as: UTF8.self)
                #expect(try await authenticator.authenticate(key: text) == nil, "\(index)")
            }
            // Another service's secret behind this one's id.
            let mixed = added.apiKey.prefix(41) + other.apiKey.suffix(43)
            #expect(mixed.count == key.count)
            for text in ["", String(mixed), added.apiKey + "A", String(added.apiKey.dropLast()), added.service.id] {
                #expect(try await authenticator.authenticate(key: text) == nil)
            }
            #expect(try await authenticator.authenticate(key: added.apiKey)?.id == added.service.id)
        }
    }

    @Test("the database has nothing of an API key but its hash")
    func stored() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let added = try await client.addService("bank.example", owner)
            let secret = String(added.apiKey.suffix(43))
            let found = try await organisation.place.snapshot { transaction in
                try transaction.tables().contains { shape in
                    try transaction.page(of: shape, after: nil, limit: 1_000).contains { row in
                        row.contains { if case .text(let text) = $0 { text.contains(secret) } else { false } }
                    }
                }
            }
            #expect(!found)
        }
    }

    @Test("members and operators manage no services")
    func permission() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let administrator = try await client.join(
                organisation.person("admin"), invitation: client.invite(.administrator, token: owner.token))
            let alice = try await client.join(organisation.person("alice"))
            let request = NewApprovalService(domain: "bank.example", name: "Bank")
            let refused = try await client.send(.post, "/api/services", request, token: alice.token)
            #expect(refused.problem == "forbidden")
            #expect(try await client.send(.post, "/api/services", request, token: administrator.token).status == 201)
        }
    }
}
