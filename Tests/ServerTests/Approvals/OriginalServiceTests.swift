import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Which services speak version 1, and what keeps it apart from version 2.
@Suite("Services that speak version 1")
struct OriginalServiceTests {
    @Test("none does until an administrator lets it, and none any more after that has ended")
    func off() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            #expect(bank.key.service.originalKey == nil)
            let begin = NewOriginalEnrolment(user: "alice", session: TestBank.session)
            for (path, body) in [
                ("authreq/enrolments", begin as any Encodable), ("authreq/challenges", bank.originalRequest()),
            ] {
                #expect(try await bank.send(.post, path, body).errorName == "version_1_off")
            }
            let alice = try await client.join(organisation.person("alice"))
            let path = "/api/services/\(bank.key.service.id)/version-1"
            let refused = try await client.send(.put, path, OriginalAcceptance(accepts: true), token: alice.token)
            #expect(refused.problem == "forbidden")

            let on = try await bank.setOriginal()
            #expect(try await client.service(bank.key.apiKey) == on)
            let (wallet, app) = (try await bank.enrol("alice", alice), try TestApp())
            try await bank.enrol(app, for: "alice", by: wallet)
            let (_, challenge) = try await bank.askOriginal(bank.originalRequest())
            #expect(try await bank.setOriginal(false, key: nil).originalKey == nil)
            #expect(try await client.callback(app.reply(challenge)).errorName == "unknown_challenge")
            #expect(
                try await bank.send(.post, "authreq/challenges", bank.originalRequest()).errorName == "version_1_off")
            // On again, it has the key that its apps know.
            #expect(try await bank.setOriginal(true, key: nil) == on)
            #expect(try await client.callback(app.reply(challenge)).isSuccess)
            let logged = try await client.send(.get, "/api/log/mine", token: bank.owner.token)
                .decode(Listing<LoggedEntry>.self)
            #expect(logged.items.count { $0.type == "service.changed" } == 3)
        }
    }

    @Test("each gets an RSA key of its own, which signs what the apps check, or the one that they know already")
    func keys() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            var pems: Set<String> = []
            for domain in ["bank.example", "shop.example"] {
                let bank = TestBank(client: client, key: try await client.addService(domain, owner), owner: owner)
                let pem = try #require(try await bank.setOriginal(key: nil).originalKey)
                pems.insert(pem)
                let alice = try await client.join(organisation.person("alice@\(domain)"))
                _ = try await bank.enrol("alice", alice)
                let link = Bytes(text: try #require(try await bank.beginOriginal("alice").link))
                let key = try OriginalServerKey(pem: Bytes(text: pem))
                #expect(key.modulus.count == 256 && key.exponent == [1, 0, 1])
                _ = try OriginalLink.parse(link).verified(by: key, suite: SwiftCryptoSuite())
                let secret = try await organisation.server.environment.database.read {
                    try OriginalServiceStore(transaction: $0).find(service: bank.key.service.id)
                }
                // What the database has does not open without the server's secret.
                let sealed = try #require(secret).sealedKey.decodedBytes()
                #expect((try? RSASigningKey(derRepresentation: sealed)) == nil)
            }
            #expect(pems.count == 2)
        }
    }

    @Test(
        "a key that apps could not use, or that is none, is refused",
        arguments: ["", "x", "-----BEGIN PRIVATE KEY-----"])
    func refusedKeys(pem: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let path = "/api/services/\(bank.key.service.id)/version-1"
            let request = OriginalAcceptance(accepts: true, key: pem)
            #expect(try await client.send(.put, path, request, token: bank.owner.token).problem == "invalid-member")
            #expect(try await client.service(bank.key.apiKey).originalKey == nil)
        }
    }

    @Test("nothing of one version counts in the other: neither keys nor signatures")
    func separation() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            // The app's key answers no question of version 2, whichever bytes it signs.
            let asked = try await stage.bank.ask(stage.bank.request("1"))
            let question = try await client.fetch(asked.id, stage.wallet)
            let bytes = try question.bytesToSign(.allow(code: nil), suite: SwiftCryptoSuite())
            let app = try SigningKey()
            let other = try TestApp(app)
            try await stage.bank.enrol(other, for: "alice", by: stage.wallet)
            for signature in [try other.key.sign(bytes), try app.sign(bytes)] {
                let answer = ApprovalAnswer(
                    to: question, .allow(code: nil), key: app.publicKey, signature: signature,
                    suite: SwiftCryptoSuite())
                let message = ApprovalMessage(message: answer.encoded().base64URL)
                #expect(try await client.send(message).errorName == "unknown_device")
            }
            // The wallet's key answers no challenge of version 1.
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let wallet = try TestApp(stage.wallet.key)
            #expect(try await client.callback(wallet.reply(challenge)).errorName == "invalid_signature")
            #expect(try await stage.bank.find(asked.id).state == .pending)
            #expect(try await !stage.bank.isSigned(challenge))
            // And the key of an app enrols no wallet.
            let begun = try await stage.bank.begin("alice at work")
            let taken = try await client.take(begun, try TestApprover(begun, stage.wallet.session, key: app))
            #expect(taken.errorName == "unsupported_key")
        }
    }

    @Test("services see and cancel nothing of others, and the owner removes an app")
    func own() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let shop = try await stage.bank.shop()
            try await shop.setOriginal()
            let (asked, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let begun = try await stage.bank.beginOriginal("alice")
            #expect(try await shop.send(.get, "authreq/challenges/\(asked.messageID)").errorName == "unknown_challenge")
            let cancelled = try await shop.send(.post, "authreq/challenges/\(asked.messageID)/cancel")
            #expect(cancelled.errorName == "unknown_challenge")
            #expect(try await shop.send(.get, "authreq/enrolments/\(begun.id)").errorName == "unknown_challenge")
            #expect(try await shop.askWallet(begun.id).errorName == "unknown_challenge")
            #expect(try await client.callback(stage.app.reply(challenge)).isSuccess)
            #expect(try await !shop.isSigned(challenge))
            #expect(try await client.send(.get, "/api/authreq/isSigned?message_id=1").problem == "unauthenticated")
            // Another session of the same service has nobody asked, and ends nothing.
            let proven = try await stage.bank.prove(begun, stage.app)
            #expect(
                try await stage.bank.askWallet(proven.id, session: "a session of mallory").errorName
                    == "unknown_challenge")

            let (_, second) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let app = try #require(try await client.devices(stage.wallet.session).last)
            #expect(app.publicKey == stage.app.key.publicKey.x963.base64URL)
            let removed = try await client.send(
                .delete, "/api/approvals/devices/\(app.id)", token: stage.wallet.session.token)
            #expect(removed.status == 200)
            #expect(try await client.callback(stage.app.reply(second)).errorName == "unknown_device")
            #expect(try await client.devices(stage.wallet.session).count == 1)
            let again = try await stage.bank.send(.post, "authreq/challenges", stage.bank.originalRequest())
            #expect(again.errorName == "no_device")
        }
    }

    @Test("the budget of a person counts what both versions ask")
    func budget() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            // One question was asked to enrol the app.
            for number in 0..<9 {
                if number % 2 == 0 {
                    _ = try await stage.bank.askOriginal(stage.bank.originalRequest())
                } else {
                    _ = try await stage.bank.ask(stage.bank.request("\(number)"))
                }
            }
            let original = try await stage.bank.send(.post, "authreq/challenges", stage.bank.originalRequest())
            #expect(original.status == 429 && original.errorName == "budget_used" && original.retryAfter != nil)
            #expect(try await stage.bank.send(.post, "challenges", stage.bank.request("x")).errorName == "budget_used")
        }
    }

    @Test("two apps that answer one link in the same instant: one wins, and two tries of one app are one")
    func race() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage(client)
            let challenge = try TestBank.challenge(try await stage.bank.beginOriginal("alice").link)
            let apps = [stage.app, try TestApp(), stage.app, try TestApp()]
            let answers = try await withThrowingTaskGroup(of: (Bytes, TestClient.Answer).self) { group in
                for app in apps {
                    group.addTask { (app.key.publicKey.x963, try await client.callback(app.reply(challenge))) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let winners = Set(answers.filter(\.1.isSuccess).map(\.0))
            #expect(winners.count == 1)
            #expect(answers.filter { !$0.1.isSuccess }.allSatisfy { $0.1.errorName == "already_answered" })
        }
    }
}
