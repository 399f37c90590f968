import Approvals
import Certificates
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing
import Transparency

@testable import Server

/// What somebody can do with a session that they have stolen, or with an account of their own.
@Suite("Abuse of sessions and accounts")
struct ApprovalAbuseTests {
    private static let settings = "/api/approvals/settings"

    private static func logged(_ client: TestClient, _ session: NewSession, _ prefix: String) async throws -> Int {
        try await client.send(.get, "/api/log/mine", token: session.token)
            .decode(Listing<LoggedEntry>.self).items.count { $0.type.hasPrefix(prefix) }
    }

    @Test("a session that was not confirmed lately lowers a budget and raises none; a raise is told everywhere")
    func budget() async throws {
        let organisation = try await TestOrganisation(push: FakePushService())
        try await organisation.serve { client in
            _ = try await client.setUp(organisation.person("owner"))
            var phone = try SoftAuthenticator()
            let alice = try await client.join(organisation.person("alice"), &phone)
            try await client.subscribe(alice)
            try await organisation.deliver()
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            func set(_ perService: Int, _ together: Int) async throws -> TestClient.Answer {
                try await client.send(
                    .put, Self.settings, ApprovalBudget(perService: perService, together: together), token: alice.token)
            }
            #expect(try await set(9, 29).status == 200)
            // Raising one is raising, whatever happens to the other.
            for (perService, together) in [(10, 29), (9, 30), (60, 1), (1, 240)] {
                #expect(try await set(perService, together).problem == "confirmation-required")
            }
            #expect(try await organisation.outbox() == [])
            let kept = try await client.send(.get, Self.settings, token: alice.token).decode(ApprovalSettings.self)
            #expect(kept == ApprovalSettings(perService: 9, together: 29))
            #expect(try await client.confirm(&phone, alice.token).status == 200)
            #expect(try await set(9, 30).status == 200)
            #expect(try await organisation.outbox() == ["protection push"])
            // The same again is no raise.
            organisation.clock.advance(.seconds(Limits.confirmationTime))
            #expect(try await set(9, 30).status == 200)
            #expect(try await organisation.outbox() == ["protection push"])
        }
    }

    @Test("a member fills the log with no more than twenty changes at once, and then one a minute")
    func logEntries() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let alice = try await client.setUp(organisation.person("alice"))
            func send(
                _ method: HTTPRequest.Method, _ path: String, _ body: (any Encodable)? = nil
            ) async throws -> UInt {
                UInt(try await client.send(method, "/api/approvals/\(path)", body, token: alice.token).status)
            }
            func change(_ number: Int) async throws -> UInt {
                try await send(.put, "settings", ApprovalBudget(perService: 1 + number % 2, together: 9))
            }
            for number in 0..<20 { #expect(try await change(number) == 200, "\(number)") }
            for number in [20, 22] { #expect(try await change(number) == 429, "\(number)") }
            // Nothing changes, so nothing is refused.
            #expect(try await change(19) == 200)
            #expect(try await Self.logged(client, alice, "approvals.budget_changed") == 20)

            for number in 0..<21 {
                #expect(try await send(.put, "freeze") == 200)
                #expect(try await send(.delete, "freeze") == (number < 20 ? 200 : 429), "\(number)")
            }
            // Freezing is never refused: it protects.
            #expect(try await send(.put, "freeze") == 200)
            #expect(try await Self.logged(client, alice, "approvals.frozen") == 21)

            for _ in 0..<12 { #expect(try await send(.post, "recovery/codes") == 201) }
            for number in 0..<9 {
                #expect(try await send(.post, "recovery") == (number < 8 ? 201 : 429), "\(number)")
                // Neither is saying no.
                #expect(try await send(.delete, "recovery") == (number < 8 ? 200 : 404), "\(number)")
            }
            #expect(try await send(.post, "recovery/codes") == 429)
            #expect(try await Self.logged(client, alice, "approval_recovery.") == 28)

            organisation.clock.advance(.seconds(60))
            #expect(try await change(0) == 200)
            #expect(try await change(1) == 429)
            #expect(try await send(.delete, "freeze") == 200)
            #expect(try await send(.post, "recovery") == 201)
            #expect(try await send(.delete, "recovery") == 200)
        }
    }

    @Test("junk of others behind one address refuses no answer that is validly signed, and no signing in")
    func junk() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let stage = try await OriginalStage.enrolled(client)
            let bank = stage.bank
            let asked = try await bank.ask(bank.request("1"))
            let answer = try await client.answer(asked.id, .allow(code: nil), stage.wallet)
            let (_, challenge) = try await bank.askOriginal(bank.originalRequest())
            let reply = try stage.app.reply(challenge)

            let eve = try SigningKey()
            let signed = try await client.fetch(asked.id, stage.wallet)
            let strange = ApprovalAnswer(
                to: signed, .allow(code: nil), key: stage.wallet.key.publicKey,
                signature: try eve.sign(signed.bytesToSign(.allow(code: nil), suite: SwiftCryptoSuite())),
                suite: SwiftCryptoSuite())
            let junk = [
                ApprovalMessage(message: "junk"), ApprovalMessage(message: strange.encoded().base64URL),
            ]
            for number in 0..<80 {
                let answered = try await client.send(junk[number % 2])
                let name = number % 2 == 0 ? "malformed" : "invalid_signature"
                #expect(number < 60 ? answered.errorName == name : answered.status == 429, "\(number)")
            }
            // A body that cannot be read is junk too.
            let body = try await client.send(.post, "/api/approvals/answers", ["massage": "junk"])
            #expect(body.status == 429)
            // The callback has its own count, and its answers are always JSON that old apps read.
            let bad = [Bytes(text: "{}"), try stage.app.reply(challenge, [("signature", .text("30"))])]
            for number in 0..<80 {
                let answered = try await client.callback(bad[number % 2])
                #expect((answered.status == 429) == (number >= 60), "\(number)")
                #expect((try? JSON.parse(answered.body))?["success"] == .bool(false))
            }
            let late = try await client.callback(bad[0])
            #expect(late.errorName == "too_many_requests" && late.retryAfter == "1")
            #expect(late.mediaType == "application/json")

            let nonce = SignInNonceRequest(username: "alice")
            #expect(try await client.send(.post, "/api/sign-in", nonce).status == 200)
            #expect(try await client.send(answer).status == 200)
            #expect(try await client.callback(reply).isSuccess)
            #expect(try await bank.isSigned(challenge))
        }
    }

    @Test("answers that are validly signed count nothing, even if they come twice, too late or with a wrong code")
    func signed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, approver) = try await client.enrolled()
            let asked = try await bank.ask(bank.request("1"))
            let denied = try await client.answer(asked.id, .deny(.mistake, .request), approver)
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            for _ in 0..<100 { #expect(try await client.send(denied).errorName == "already_answered") }
            #expect(try await client.send(ApprovalMessage(message: "junk")).errorName == "malformed")
        }
    }

    @Test("wrong codes of a device that was removed end no question, also if the server has just heard of it")
    func wrongCodesOfRemoved() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let phone = try await bank.enrol("alice", alice)
            let tablet = try await bank.enrol("alice", alice, name: "tablet", by: phone)
            let before = try await bank.ask(bank.request("1"))
            #expect(try await client.decide(before.id, .allow(code: nil), phone).status == 200)
            let device = try #require(try await client.devices(alice).first { $0.name == "phone" })
            #expect(
                try await client.send(.delete, "/api/approvals/devices/\(device.id)", token: alice.token).status == 200)

            let asked = try await bank.ask(bank.request("2", digits: 4))
            let code = Bytes(text: try #require(asked.code))
            let wrong: Bytes = [code[0] == 0x30 ? 0x31 : 0x30] + code.dropFirst()
            for _ in 0..<3 {
                let refused = try await client.decide(asked.id, .allow(code: wrong), phone)
                #expect(refused.errorName == "unknown_device" && refused.status == 404)
            }
            #expect(try await bank.find(asked.id).state == .pending)
            #expect(try await client.decide(asked.id, .allow(code: code), tablet).status == 200)
        }
    }

    @Test("a message with a wrong code counts once, however often it is sent, also with the other valid signature")
    func wrongCodeAgain() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await bank.enrol("alice", try await client.join(organisation.person("alice")))
            let asked = try await bank.ask(bank.request("1", digits: 4))
            let code = Bytes(text: try #require(asked.code))
            let wrong: Bytes = [code[0] == 0x30 ? 0x31 : 0x30] + code.dropFirst()
            let message = try await client.answer(asked.id, .allow(code: wrong), alice)
            let other = try Self.withOtherSignature(message)
            for answer in [message, other, message, other, message] {
                #expect(try await client.send(answer).errorName == "wrong_code")
            }
            #expect(try await bank.find(asked.id).state == .pending)
            // Signed again, even the same code counts again.
            for _ in 0..<2 {
                #expect(try await client.decide(asked.id, .allow(code: wrong), alice).errorName == "wrong_code")
            }
            #expect(try await bank.find(asked.id).state == .cancelled)
            #expect(try await client.send(message).errorName == "already_answered")
        }
    }

    /// The same message with n - s for s, which everybody can work out: both are valid.
    private static func withOtherSignature(_ message: ApprovalMessage) throws -> ApprovalMessage {
        let order = try #require(
            Hex.decode(Bytes(text: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")))
        var bytes = try #require(Base64.decode(Bytes(text: message.message), .url))
        let signature = try ApprovalAnswer.parse(bytes).signature
        var other = signature
        var borrow = 0
        for place in (0..<32).reversed() {
            let difference = Int(order[place]) - Int(signature[32 + place]) - borrow
            borrow = difference < 0 ? 1 : 0
            other[32 + place] = UInt8(truncatingIfNeeded: difference)
        }
        // It is the last that a message has, before the end of its list.
        #expect(Bytes(bytes.suffix(65).dropLast()) == signature)
        bytes.replaceSubrange((bytes.count - 65)..<(bytes.count - 1), with: other)
        return ApprovalMessage(message: bytes.base64URL)
    }

    @Test("somebody who has approved ends nothing afterwards with wrong codes")
    func wrongCodesAfterApproval() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await bank.enrol("alice", try await client.join(organisation.person("alice")))
            let bob = try await bank.enrol("bob", try await client.join(organisation.person("bob")))
            let asked = try await bank.ask(bank.request("1", of: ["alice", "bob"], need: 2, digits: 4))
            let code = Bytes(text: try #require(asked.code))
            let wrong: Bytes = [code[0] == 0x30 ? 0x31 : 0x30] + code.dropFirst()
            #expect(try await client.decide(asked.id, .allow(code: code), alice).status == 200)
            for _ in 0..<3 {
                #expect(
                    try await client.decide(asked.id, .allow(code: wrong), alice).errorName == "already_answered")
            }
            #expect(try await client.decide(asked.id, .allow(code: code), bob).status == 200)
            #expect(try await bank.find(asked.id).state == .approved)
        }
    }

    @Test("a service that begins and ends enrolments again and again is refused, for one user and for all together")
    func offers() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            func begin(_ user: String) async throws -> TestClient.Answer {
                try await bank.send(.post, "enrolments", NewApprovalEnrolment(user: user, session: TestBank.session))
            }
            let ending = ApprovalEnrolmentEnd(session: TestBank.session)
            for number in 0..<Limits.approvalOffersOfUser {
                let begun = try await begin("alice").decode(ApprovalEnrolment.self)
                // One is ended by its service, another by the next.
                guard number.isMultiple(of: 2) else { continue }
                #expect(try await bank.send(.post, "enrolments/\(begun.id)/end", ending).status == 200)
            }
            #expect(try await begin("alice").problem == "conflict")
            let bob = try await client.join(organisation.person("bob"))
            _ = try await bank.enrol("bob", bob)
            // As if there had been that many of other users.
            try await organisation.server.environment.database.write { transaction in
                let store = ApprovalOfferStore(transaction: transaction)
                let now = organisation.clock.clock.now()
                for number in Limits.approvalOffersOfUser..<Limits.approvalOffers {
                    try store.insert(
                        ApprovalOfferStore.Stored(
                            id: "\(number)", service: bank.key.service.id, label: "\(number)", sessionMark: "",
                            message: "", created: now, expires: now + 1, state: .ended))
                }
            }
            #expect(try await begin("carol").problem == "conflict")
            organisation.clock.advance(.seconds(Limits.approvalOfferTime))
            #expect(try await begin("carol").status == 201)
            #expect(try await begin("alice").status == 201)
        }
    }

    @Test("a service that asks long questions is refused after so many bytes, and goes on asking short ones")
    func longQuestions() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            _ = try await bank.enrol("alice", try await client.join(organisation.person("alice")))
            func long(_ key: String) -> NewApprovalChallenge {
                var request = bank.request(key)
                request.fields += Array(
                    repeating: ApprovalField(.text, text: String(repeating: "long ", count: 20) + "words"), count: 100)
                return request
            }
            let first = try await bank.send(.post, "challenges", long("1"))
            #expect(first.status == 201)
            // As if it had asked so many that what is left is a KiB.
            let environment = organisation.server.environment
            try await environment.database.write { transaction in
                let all = TryStore.Bucket(
                    .longQuestions, .account(bank.key.service.id), environment,
                    tokens: Int64(Limits.Rate.longQuestions.burst))
                try TryStore(transaction: transaction).count([all], now: environment.now() - 1)
            }
            let refused = try await bank.send(.post, "challenges", long("2"))
            #expect(refused.problem == "too-many-requests")
            let wait = try #require(refused.retryAfter.flatMap { Int64($0) })
            #expect(wait >= Int64(Limits.approvalShort / 1_024))
            #expect(try await bank.send(.post, "challenges", bank.request("3")).status == 201)
            // The same question again is not stored again.
            #expect(try await bank.send(.post, "challenges", long("1")).status == 201)
            organisation.clock.advance(.seconds(wait - 1))
            #expect(try await bank.send(.post, "challenges", long("2")).problem == "too-many-requests")
            organisation.clock.advance(.seconds(1))
            #expect(try await bank.send(.post, "challenges", long("2")).status == 201)
            #expect(try await bank.send(.post, "challenges", long("4")).problem == "too-many-requests")
        }
    }

    @Test("the log tells one RSA key and one webhook from another, and has neither")
    func serviceChanges() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let suite = SwiftCryptoSuite()
            let key = try NoteVerifierKey.parse(Bytes(text: organisation.server.environment.log.verifierKey))
            func records() async throws -> [JSON] {
                try await client.send(.get, "/api/log/mine", token: bank.owner.token)
                    .decode(Listing<LoggedEntry>.self).items.filter { $0.type == "service.changed" }
                    .map {
                        try Transparency.Receipt.verify(
                            Bytes(text: $0.receipt.proof), policy: LogPolicy(logKey: key), suite: suite
                        ).record
                    }
            }
            func digest(_ info: ApprovalServiceInfo) throws -> JSON {
                let der = try PEM.decode(Bytes(text: try #require(info.originalKey)), label: "PUBLIC KEY")
                return .text(suite.sha256(try #require(der.first)).base64URL)
            }
            let first = try await bank.setOriginal()
            let other = String(
                decoding: PEM.encode(try RSASigningKey().derRepresentation, label: "RSA PRIVATE KEY"), as: UTF8.self)
            let second = try await bank.setOriginal(key: other)
            try await bank.setOriginal(false, key: nil)
            let keys = try await records()
            #expect(keys.map { $0["original_key"] } == [try digest(second), try digest(second), try digest(first)])
            #expect(keys.map { $0["version_1"] } == [.bool(false), .bool(true), .bool(true)])
            #expect(try digest(first) != digest(second))

            let url = "https://bank.example/secret-path"
            let told = try await bank.setWebhook(url).decode(ApprovalServiceChange.self)
            #expect(told.service.webhook == url)
            try await bank.setWebhook(nil)
            let webhooks = try await records().prefix(2).map { $0["webhook"] }
            #expect(webhooks == [.null, .text(suite.sha256(Bytes(text: url)).base64URL)])
            let log = try await client.send(.get, "/api/log/mine", token: bank.owner.token).body
            #expect(!String(decoding: log, as: UTF8.self).contains("secret-path"))
        }
    }
}
