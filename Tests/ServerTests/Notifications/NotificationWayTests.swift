import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Who may have notices go where.
@Suite("Ways to be told")
struct NotificationWayTests {
    private static let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private static let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    @Test(
        "an endpoint is a public https address in its plainest form",
        arguments: [
            "http://push.example/a", "https://127.0.0.1/a", "https://[::1]/a", "https://localhost/a",
            "https://push.example", "https://push.example:8443/a", "https://user@push.example/a",
            "https://push.example/a#b", "https://push.example/a b", "https://push.example/a\r\nhost: b",
            "https://push.example\\@inside/a", "https://Push.example/a", "https://2130706433/a", "https:///a",
            "https://push.example/\u{e9}", "https://push.example/" + String(repeating: "a", count: 1_024), "", "push",
            "ftp://push.example/a", "https://push.example/\"><script>",
        ])
    func endpoint(text: String) {
        #expect(
            PushSubscription(endpoint: text, key: Self.key, auth: Self.auth, suite: SwiftCryptoSuite()) == nil)
    }

    @Test("keys are a point of the curve and sixteen bytes")
    func keys() throws {
        let endpoint = "https://push.example/a"
        let suite = SwiftCryptoSuite()
        let good = try #require(PushSubscription(endpoint: endpoint, key: Self.key, auth: Self.auth, suite: suite))
        #expect(good.endpoint == endpoint && good.origin == "https://push.example")
        var beside = try #require(Base64.decode(Bytes(text: Self.key), .url))
        beside[64] ^= 1
        for (key, auth) in [
            ("", Self.auth), ("AAAA", Self.auth), (beside.base64URL, Self.auth), (Self.key + "=", Self.auth),
            (Self.key, ""), (Self.key, "AAAA"), (Self.key, Self.auth + "AA"),
        ] { #expect(PushSubscription(endpoint: endpoint, key: key, auth: auth, suite: suite) == nil, "\(key) \(auth)") }
    }

    @Test("a browser subscribes once, is found by its mark, and is removed; its endpoint is shown to nobody")
    func push() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            let subscription = try client.subscription("secret")
            func put(_ request: NewPushSubscription, _ session: NewSession) async throws -> TestClient.Answer {
                try await client.send(.put, TestClient.pushPath, request, token: session.token)
            }
            let way = try await put(subscription, alice).decode(NotificationWay.self)
            #expect(try await put(subscription, alice).decode(NotificationWay.self).id == way.id)
            #expect(way.address == "push.example" && way.isConfirmed)
            #expect(
                way.mark == SwiftCryptoSuite().sha256(Bytes(text: subscription.endpoint)).base64URL)
            let answer = try await client.send(.get, "/api/notifications", token: alice.token)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
            let settings = try await client.notifications(alice)
            #expect(settings.ways == [way] && settings.off == [] && !settings.hasEmail)
            #expect(
                settings.kinds.filter(\.isSecurity).map(\.name).sorted() == ["access", "device", "protection"])
            #expect(try #require(Base64.decode(Bytes(text: settings.pushKey), .url)).count == 65)
            #expect(try await client.notifications(eve).ways == [])
            // Somebody who has seen the endpoint cannot take it over.
            var stolen = subscription
            stolen.auth = [UInt8](repeating: 8, count: 16).base64URL
            #expect(try await put(stolen, eve).problem == "invalid-member")
            #expect(
                try await client.send(.delete, "/api/notifications/ways/\(way.id)", token: eve.token).problem
                    == "not-found")
            // The browser itself, when another person signs in there: then it is theirs.
            _ = try await put(subscription, eve).decode(NotificationWay.self)
            #expect(try await client.notifications(alice).ways == [])
            let own = try #require(try await client.notifications(eve).ways.first)
            #expect(try await client.send(.delete, "/api/notifications/ways/\(own.id)", token: eve.token).status == 204)
            #expect(try await client.notifications(eve).ways == [])
        }
    }

    @Test("an account has a few browsers, and a device that is revoked gets nothing more")
    func limits() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            for number in 0..<Limits.pushSubscriptions { try await client.subscribe(alice, "\(number)") }
            let more = try await client.send(
                .put, TestClient.pushPath, client.subscription("more"), token: alice.token)
            #expect(more.problem == "conflict")
            // Each was told of those that came after it, once until it is delivered.
            let told = Array(repeating: "access push", count: Limits.pushSubscriptions - 1)
            #expect(try await organisation.outbox() == told)
            let device = try #require(
                try await client.send(.get, "/api/devices", token: alice.token).decode(Listing<Device>.self).items.first
            )
            _ = try await client.send(
                .post, "/api/devices/\(device.id)/revoke", Reason(reason: "Lost."), token: alice.token
            ).decode(Acknowledgement.self)
            #expect(try await organisation.outbox() == [])
            let left = try await organisation.server.environment.database.read {
                try NotificationWayStore(transaction: $0).list(of: alice.account.id)
            }
            #expect(left == [])
        }
    }

    @Test("a browser that subscribed by a passkey alone hears nothing more once that passkey is removed")
    func passkey() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let person = try organisation.person("alice")
            let alice = try await client.join(person, &phone, passphrase: person.passphrase)
            let elsewhere = try await client.signIn(&phone)
            #expect(elsewhere.device == nil)
            let kept = try await client.subscribe(alice, "own")
            try await client.subscribe(elsewhere, "thief")
            try await organisation.deliver()
            let (environment, passkey) = (organisation.server.environment, phone.id.base64URL)
            func ways(
                after act: @escaping @Sendable (NotificationWayStore) throws -> Void
            ) async throws -> [String] {
                try await environment.database.write { transaction in
                    let store = NotificationWayStore(transaction: transaction)
                    try act(store)
                    return try store.list(of: alice.account.id).map(\.id)
                }
            }
            // Another passkey's end, or another account's, is none of its business.
            let both = try await ways { store in
                try store.delete(passkey: "other", of: alice.account.id)
                try store.delete(passkey: passkey, of: "other")
            }
            #expect(both.count == 2)
            #expect(
                try await client.send(.delete, "/api/account/passkeys/\(passkey)", token: alice.token).status == 204)
            let left = try await ways { _ in }
            #expect(left == [kept.id])
            #expect(try await organisation.outbox() == ["access push"])
            // Of one from before, nobody knows the passkey: it goes with any.
            let known = try await ways { store in
                guard var old = try store.list(of: alice.account.id).first else { return }
                (old.id, old.device, old.passkey) = ("old", nil, nil)
                try store.insert(old)
                try store.delete(passkey: "other", of: alice.account.id)
            }
            #expect(known == [kept.id])
        }
    }

    @Test("removing a browser is told to it and to all others, and takes back no notice about the account's protection")
    func removal() async throws {
        let organisation = try await TestOrganisation(push: FakePushService(), mail: FakeMail())
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let way = try await client.subscribe(alice, "one")
            try await client.subscribe(alice, "two")
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                for kind in [NotificationKind.document, .device] {
                    try environment.notify(kind, alice.account.id, in: transaction, now: environment.now())
                }
            }
            #expect(
                try await client.send(.delete, "/api/notifications/ways/\(way.id)", token: alice.token).status == 204)
            #expect(
                try await organisation.outbox() == [
                    "access push", "access push", "device push", "device push", "document push",
                ])
        }
    }

    @Test("an address gets a code, and nothing else before that is typed")
    func email() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let path = "/api/notifications/email"
            let way = try await client.send(
                .post, path, NewEmailAddress(address: "Alice@Mail.Example"), token: alice.token
            ).decode(NotificationWay.self)
            #expect(way.address == "Alice@mail.example" && !way.isConfirmed)
            #expect(mail.letters.map(\.recipient) == ["Alice@mail.example"])
            let change = PassphraseChange(passphrase: "another correct horse")
            _ = try await client.send(.post, "/api/account/passphrase", change, token: alice.token)
            #expect(try await organisation.outbox() == [])
            func confirm(_ code: String) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "\(path)/\(way.id)/confirm", NotificationCode(code: code), token: alice.token)
            }
            #expect(try await confirm("0000-0000").problem == "wrong-code")
            #expect(try await confirm(mail.code()).decode(NotificationWay.self).isConfirmed)
            // All ways learn that there is a new one, and that one goes; the one that goes learns it, too.
            #expect(try await organisation.outbox() == ["access email"])
            try await organisation.deliver()
            #expect(
                try await client.send(.delete, "/api/notifications/ways/\(way.id)", token: alice.token).status == 204)
            #expect(try await client.notifications(alice).ways == [])
            try await organisation.deliver()
            #expect(mail.letters.count == 3 && mail.letters.last?.recipient == "Alice@mail.example")
        }
    }

    @Test("codes cannot be tried, last for half an hour, and few are sent in a day, removed or not")
    func codes() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            func add(_ address: String, _ session: NewSession) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "/api/notifications/email", NewEmailAddress(address: address), token: session.token)
            }
            func confirm(_ way: NotificationWay, _ code: String, _ session: NewSession) async throws -> String? {
                try await client.send(
                    .post, "/api/notifications/email/\(way.id)/confirm", NotificationCode(code: code),
                    token: session.token
                ).problem
            }
            let tried = try await add("one@mail.example", alice).decode(NotificationWay.self)
            let code = try mail.code()
            #expect(try await confirm(tried, code, eve) == "not-found")
            for _ in 0..<Limits.emailTries { #expect(try await confirm(tried, "0000-0000", alice) == "wrong-code") }
            #expect(try await confirm(tried, code, alice) == "not-found")
            let removed = try await add("two@mail.example", alice).decode(NotificationWay.self)
            #expect(
                try await client.send(.delete, "/api/notifications/ways/\(removed.id)", token: alice.token).status
                    == 204)
            #expect(try await confirm(removed, mail.code(), alice) == "not-found")
            let late = try await add("three@mail.example", alice).decode(NotificationWay.self)
            #expect(try await add("four@mail.example", alice).problem == "too-many-requests")
            for address in ["", "a", "a@b", "a@127.0.0.1", "a b@mail.example", "a@mail.example\r\nBcc: b@c.example"] {
                #expect(try await add(address, eve).problem == "invalid-member", "\(address)")
            }
            mail.fail(.later("away"))
            #expect(try await add("eve@mail.example", eve).problem == "busy")
            mail.fail(nil)
            organisation.clock.advance(.seconds(Limits.emailCodeTime))
            #expect(try await confirm(late, mail.code(), alice) == "not-found")
            #expect(mail.letters.count == 3)
        }
    }

    @Test("an account gets no third address, and none twice, by asking for several codes before it types any")
    func several() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            func add(_ address: String, _ session: NewSession) async throws -> (way: NotificationWay, code: String) {
                let way = try await client.send(
                    .post, "/api/notifications/email", NewEmailAddress(address: address), token: session.token
                ).decode(NotificationWay.self)
                return (way, try mail.code())
            }
            func confirm(_ added: (way: NotificationWay, code: String), _ session: NewSession) async throws -> String? {
                try await client.send(
                    .post, "/api/notifications/email/\(added.way.id)/confirm", NotificationCode(code: added.code),
                    token: session.token
                ).problem
            }
            for (addresses, confirmed) in [(["a", "b", "c"], 2), (["d", "d", "d"], 1)] {
                let person = try await client.join(organisation.person("of-\(addresses[0])"))
                var added: [(way: NotificationWay, code: String)] = []
                for address in addresses { added.append(try await add("\(address)@mail.example", person)) }
                var problems: [String?] = []
                for one in added { problems.append(try await confirm(one, person)) }
                #expect(problems.filter { $0 == nil }.count == confirmed && Set(problems) == [nil, "conflict"])
                #expect(try await client.notifications(person).ways.count(where: \.isConfirmed) == confirmed)
            }
        }
    }

    @Test("an address that is confirmed and removed makes no room for further codes")
    func removedAgain() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let person = try organisation.person("alice")
            let alice = try await client.join(person)
            for number in 0..<Limits.emailCodes {
                let way = try await client.addEmail("a\(number)@mail.example", alice, mail)
                _ = try await client.send(.delete, "/api/notifications/ways/\(way.id)", token: alice.token)
            }
            func add(_ session: NewSession) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "/api/notifications/email", NewEmailAddress(address: "z@mail.example"), token: session.token)
            }
            let refused = try await add(alice)
            #expect(refused.problem == "too-many-requests" && refused.retryAfter == "28800")
            organisation.clock.advance(.seconds(28_800))
            #expect(try await add(client.signIn(person, device: alice.deviceID)).status == 201)
        }
    }

    @Test("many accounts send one address no more codes than one account, however it is written, on any server")
    func strangers() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            func add(_ address: String, _ name: String) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "/api/notifications/email", NewEmailAddress(address: address),
                    token: client.join(organisation.person(name)).token)
            }
            for (number, address) in ["v@mail.example", "V@MAIL.example", "v+a@mail.example"].enumerated() {
                #expect(try await add(address, "eve\(number)").status == 201)
            }
            for (number, address) in ["v@mail.example", "v+b@mail.example", "V+@mail.example"].enumerated() {
                let refused = try await add(address, "mallory\(number)")
                #expect(refused.problem == "too-many-requests" && refused.retryAfter == "28800")
            }
            #expect(mail.letters.count == 3)
            #expect(try await add("w@mail.example", "alice").status == 201)
            #expect(try await add("v@other.example", "bob").status == 201)
            // What counts them does not say whom they went to.
            let counts = try await organisation.rows()["tries"] ?? []
            #expect(!counts.isEmpty && !"\(counts)".lowercased().contains("mail.example"))
            organisation.clock.advance(.seconds(28_800))
            #expect(try await add("v@mail.example", "carol").status == 201)
            #expect(try await add("v@mail.example", "dave").problem == "too-many-requests")
        }
    }

    @Test("the whole server sends 300 codes at once, and then five a minute")
    func all() async throws {
        let mail = FakeMail()
        let organisation = try await TestOrganisation(push: FakePushService(), mail: mail)
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            let environment = organisation.server.environment
            let alice = try await client.join(organisation.person("alice"))
            try await environment.database.write { transaction in
                let all = TryStore.Bucket(.codesByServer, .account("all"), environment)
                for _ in 0..<299 {
                    try TryStore(transaction: transaction).spend([all], now: environment.now())
                }
            }
            func add(_ address: String) async throws -> TestClient.Answer {
                try await client.send(
                    .post, "/api/notifications/email", NewEmailAddress(address: address), token: alice.token)
            }
            #expect(try await add("a@mail.example").status == 201)
            let refused = try await add("b@mail.example")
            #expect(refused.problem == "too-many-requests" && refused.retryAfter == "12")
            // What was refused does not count.
            organisation.clock.advance(.seconds(12))
            #expect(try await add("b@mail.example").status == 201)
            #expect(mail.letters.count == 2)
        }
    }

    @Test("a server without e-mail says so")
    func none() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let answer = try await client.send(
                .post, "/api/notifications/email", NewEmailAddress(address: "a@b.example"), token: owner.token)
            #expect(answer.problem == "conflict")
        }
    }
}
