import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import ServiceLifecycle
import Storage
import Testing

@testable import Server

/// What puts notices into the outbox, for whom, and what they say.
@Suite("Notices")
struct NotificationTests {
    @Test("a service asks: a browser that wants to know is told, with nothing of the question in the message")
    func asked() async throws {
        let push = FakePushService()
        let organisation = try await TestOrganisation(push: push)
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            // Nobody is told who did not ask to be.
            let first = try await bank.ask(bank.request("1"))
            #expect(try await organisation.outbox() == [] && first.state == .pending)
            try await client.subscribe(alice)
            let asked = try await bank.ask(bank.request("2", lifetime: 120))
            #expect(try await organisation.outbox() == ["approval push"])
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [])
            let post = try #require(push.posts.first)
            #expect(push.posts.count == 1 && post.address == "https://push.example/send/ada?v=1")
            #expect(post.header("ttl") == "120" && post.header("urgency") == "high")
            #expect(post.header("topic")?.utf8.count == 32 && post.header("content-encoding") == "aes128gcm")
            let everything =
                post.message.fields.map(\.value).joined() + String(decoding: post.message.body, as: UTF8.self)
            for word in [asked.id, "bank", "Purple", "3000", alice.account.id, "alice"] {
                #expect(!everything.contains(word), "\(word)")
            }
            // Sent again with the same key, it asks once.
            _ = try await bank.ask(bank.request("2", lifetime: 120))
            #expect(try await organisation.outbox() == [])
        }
    }

    @Test("an answer given elsewhere takes the notice back; what was not sent yet is not sent at all")
    func answeredElsewhere() async throws {
        let push = FakePushService()
        let organisation = try await TestOrganisation(push: push)
        try await organisation.serve { client in
            let (bank, alice, approver) = try await client.enrolled()
            try await client.subscribe(alice)
            let told = try await bank.ask(bank.request("1"))
            try await organisation.deliver()
            _ = try await client.decide(told.id, .allow(code: nil), approver).decode(AnsweredChallenge.self)
            #expect(try await organisation.outbox() == ["approval push over"])
            try await organisation.deliver()
            // The same topic: it replaces the first, at the push service and on the screen.
            #expect(push.posts.count == 2 && push.posts[0].header("topic") == push.posts[1].header("topic"))
            let untold = try await bank.ask(bank.request("2"))
            #expect(try await organisation.outbox() == ["approval push"])
            _ = try await client.decide(untold.id, .deny(.mistake, .request), approver).decode(AnsweredChallenge.self)
            #expect(try await organisation.outbox() == [])
            // The service cancels, and the owner freezes everything.
            let third = try await bank.ask(bank.request("3"))
            try await organisation.deliver()
            _ = try await bank.send(.post, "challenges/\(third.id)/cancel").decode(ServiceChallenge.self)
            #expect(try await organisation.outbox() == ["approval push over"])
            // Cancelled again and again, it wakes nobody again.
            for _ in 0..<3 {
                _ = try await bank.send(.post, "challenges/\(third.id)/cancel").decode(ServiceChallenge.self)
            }
            #expect(try await organisation.outbox() == ["approval push over"])
            try await organisation.deliver()
            _ = try await bank.send(.post, "challenges/\(third.id)/cancel").decode(ServiceChallenge.self)
            #expect(try await organisation.outbox() == [])
            _ = try await bank.ask(bank.request("4"))
            try await organisation.deliver()
            _ = try await client.send(.put, "/api/approvals/freeze", token: alice.token).decode(ApprovalSettings.self)
            #expect(try await organisation.outbox() == ["approval push over"])
        }
    }

    @Test("a service is removed: what it asked leaves the screens, and what was not sent yet is not sent at all")
    func removedService() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            try await client.subscribe(alice)
            let told = try await bank.ask(bank.request("1"))
            try await organisation.deliver()
            let untold = try await bank.ask(bank.request("2"))
            #expect(try await organisation.outbox() == ["approval push"])
            let environment = organisation.server.environment
            let principal = try #require(
                await SessionService(environment: environment).authenticate(token: alice.token))
            let stream = try environment.events.subscribe(principal)
            _ = try await client.send(.delete, "/api/services/\(bank.key.service.id)", token: bank.owner.token)
                .decode(Acknowledgement.self)
            #expect(try await organisation.outbox() == ["approval push over"])
            // An open wallet hears of both.
            environment.events.end(account: alice.account.id)
            var ended: Set<String> = []
            for await case .event(let event) in stream where event.state == "cancelled" { ended.insert(event.id) }
            #expect(ended == [told.id, untold.id])
        }
    }

    @Test("each kind can be switched off for each way, but what protects the account cannot, and goes everywhere")
    func switches() async throws {
        let (push, mail) = (FakePushService(), FakeMail())
        let organisation = try await TestOrganisation(push: push, mail: mail)
        try await organisation.serve { client in
            let (bank, alice, _) = try await client.enrolled()
            try await client.subscribe(alice)
            _ = try await client.addEmail("alice@mail.example", alice, mail)
            try await organisation.deliver()
            _ = try await bank.ask(bank.request("1"))
            #expect(try await organisation.outbox() == ["approval email", "approval push"])
            try await organisation.deliver()
            let off = try await client.choose(.email, "approval", false, alice).decode(NotificationSettings.self)
            #expect(off.off == [NotificationChoice(way: .email, kind: "approval")])
            _ = try await client.choose(.email, "approval", false, alice).decode(NotificationSettings.self)
            _ = try await bank.ask(bank.request("2"))
            #expect(try await organisation.outbox() == ["approval push"])
            try await organisation.deliver()
            let on = try await client.choose(.email, "approval", true, alice).decode(NotificationSettings.self)
            #expect(on.off == [])
            for kind in ["device", "access", "protection"] {
                #expect(try await client.choose(.email, kind, false, alice).problem == "invalid-member", "\(kind)")
                // Even if somebody writes it into the database, they go out.
                try await organisation.server.environment.database.write { transaction in
                    for way in NotificationWay.Kind.allCases {
                        try NotificationWayStore(transaction: transaction).set(
                            NotificationSwitch(way: way, kind: kind, isOn: false), of: alice.account.id)
                    }
                }
            }
            #expect(try await client.choose(.push, "weather", false, alice).problem == "invalid-member")
            _ = try await client.send(.put, "/api/approvals/freeze", token: alice.token).decode(ApprovalSettings.self)
            try await organisation.deliver()
            _ = try await client.send(.delete, "/api/approvals/freeze", token: alice.token)
                .decode(ApprovalSettings.self)
            #expect(try await organisation.outbox() == ["protection email", "protection push"])
            // A letter says that something has changed, and not what; and no letter says that something is over.
            try await organisation.deliver()
            let letter = try #require(mail.letters.last)
            #expect(letter.recipient == "alice@mail.example")
            #expect(try #require(letter.text).contains("The protection of your Countersign account has changed."))
            #expect(mail.letters.allSatisfy { !($0.text ?? "").contains("bank") && !$0.message.contains("bank") })
            #expect(!mail.letters.contains { ($0.text ?? "").contains("Nothing waits any more") })
        }
    }

    @Test("devices, passphrases, ended sessions: their owner is told")
    func accounts() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let bank = try await client.bank()
            let person = try organisation.person("alice")
            let alice = try await client.join(person)
            try await client.subscribe(alice)
            let approver = try await bank.enrol("alice", alice)
            #expect(try await organisation.outbox() == ["device push"])
            try await organisation.deliver()
            let devices = try await client.send(.get, "/api/approvals/devices", token: alice.token)
                .decode(Listing<ApprovalDevice>.self).items
            _ = try await client.send(
                .delete, "/api/approvals/devices/\(try #require(devices.first).id)", token: alice.token
            ).decode(Acknowledgement.self)
            #expect(try await organisation.outbox() == ["device push"] && approver.session.token == alice.token)
            try await organisation.deliver()
            let change = PassphraseChange(passphrase: "another correct horse")
            #expect(
                try await client.send(.post, "/api/account/passphrase", change, token: alice.token).problem == nil)
            #expect(try await organisation.outbox() == ["access push"])
            try await organisation.deliver()
            // The end of the calling session is no news; another's is.
            let other = try await organisation.server.environment.database.write { transaction in
                try organisation.server.environment.openSession(
                    account: alice.account, device: nil, in: transaction, now: organisation.clock.clock.now()
                ).session
            }
            let sessions = try await client.send(.get, "/api/sessions", token: alice.token)
                .decode(Listing<SessionInfo>.self).items
            let foreign = try #require(sessions.first { !$0.isCurrent })
            #expect(try await client.send(.delete, "/api/sessions/\(foreign.id)", token: alice.token).status == 204)
            #expect(try await organisation.outbox() == ["session push"] && !other.token.isEmpty)
            try await organisation.deliver()
            #expect(try await client.send(.delete, "/api/sessions/current", token: alice.token).status == 204)
            #expect(try await organisation.outbox() == [])
        }
    }

    @Test("a request that an administrator accepts, and a document that comes; what the member cancels is no news")
    func documents() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let person = try organisation.person("owner")
            let owner = try await client.setUp(person)
            let first = try organisation.person("first")
            let administrator = try await client.join(
                first, invitation: try await client.invite(.administrator, token: owner.token))
            try await organisation.certify(first, administrator, by: person.authority, owner, client)
            let bob = try await client.join(organisation.person("bob"))
            try await ErasureTests.markVerified(bob.account, organisation)
            try await client.subscribe(bob, "bob")
            let request = try await client.send(
                .post, "/api/requests", NewDocumentRequest(type: "generic", note: ""), token: bob.token
            ).decode(DocumentRequest.self)
            #expect(try await organisation.outbox() == [])
            _ = try await client.send(.post, "/api/requests/\(request.id)/accept", token: administrator.token)
                .decode(DocumentRequest.self)
            #expect(try await organisation.outbox() == ["request push"])
            try await organisation.deliver()
            let own = try await client.send(
                .post, "/api/requests", NewDocumentRequest(type: "generic", note: ""), token: bob.token
            ).decode(DocumentRequest.self)
            _ = try await client.send(
                .post, "/api/requests/\(own.id)/cancel", Reason(reason: "A mistake."), token: bob.token
            ).decode(DocumentRequest.self)
            #expect(try await organisation.outbox() == [])
            let environment = organisation.server.environment
            _ = try await environment.database.write { transaction in
                let place = try environment.statusLists.reserve(isCertificate: false, in: transaction)
                let device = try #require(try DeviceStore(transaction: transaction).current(account: bob.account.id))
                return try environment.insertDocument(
                    Issuance(sealed: "x", credentialDigest: "d", statement: "s"), kind: .documentIssued,
                    type: "generic", holder: bob.account.id, device: device.id, issuer: administrator.account.id,
                    status: place, blob: "b", in: transaction, now: 1)
            }
            #expect(try await organisation.outbox() == ["document push"])
        }
    }

    @Test("an act that is not stored leaves no notice, and erasing an account leaves none either")
    func atomic() async throws {
        struct Undone: Error {}
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            let owner = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            try await client.subscribe(alice)
            let environment = organisation.server.environment
            await #expect(throws: Undone.self) {
                try await environment.database.write { transaction in
                    try environment.notify(.session, alice.account.id, in: transaction, now: 1)
                    throw Undone()
                }
            }
            #expect(try await organisation.outbox() == [])
            try await environment.database.write { transaction in
                try environment.notify(
                    .session, alice.account.id, in: transaction, now: organisation.clock.clock.now())
            }
            #expect(try await organisation.outbox() == ["session push"])
            _ = try await client.choose(.push, "document", false, alice).decode(NotificationSettings.self)
            let erased = try await client.send(
                .post, "/api/members/\(alice.account.id)/erase",
                Erasure(username: "alice", keepsDocuments: false), token: owner.token)
            #expect(erased.problem == nil)
            #expect(try await organisation.outbox() == [])
            let left = try await environment.database.read { transaction in
                try ["notification_ways", "notification_mutes"].map {
                    try transaction.rows("SELECT account FROM \($0)").count
                }
            }
            #expect(left == [0, 0])
        }
    }
}
