import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import HummingbirdTesting
import Interface
import NIOCore
import Testing

@testable import Server

/// The attacks that the original was tried with, against version 2: signatures, keys, ids and bodies.
@Suite("What the original fell to")
struct AttackCaseTests {
    /// One that waits, with the device that may answer it.
    private static func asked(
        _ client: TestClient, digits: Int? = 0
    ) async throws -> (TestBank, TestApprover, ServiceChallenge) {
        let bank = try await client.bank()
        let alice = try await client.join(client.organisation.person("alice"))
        let approver = try await bank.enrol("alice", alice)
        return (bank, approver, try await bank.ask(bank.request("1", lifetime: 3_600, digits: digits)))
    }

    private static func answer(
        _ challenge: SignedApprovalChallenge, _ decision: ApprovalDecision, key: P256PublicKey, signature: Bytes
    ) -> ApprovalMessage {
        let answer = ApprovalAnswer(
            to: challenge, decision, key: key, signature: signature, suite: SwiftCryptoSuite())
        return ApprovalMessage(message: answer.encoded().base64URL)
    }

    @Test("cases 2 and 8: a wrong signature, a flipped bit, another digest and the hash of the bytes are refused")
    func signatures() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            let challenge = try await client.fetch(asked.id, approver)
            let suite = SwiftCryptoSuite()
            let bytes = try challenge.bytesToSign(.allow(code: nil), suite: suite)
            let right = try approver.key.sign(bytes)
            var wrong = [Bytes(repeating: 0, count: 64), try SigningKey().sign(bytes)]
            for bit in stride(from: 0, to: 512, by: 37) {
                var flipped = right
                flipped[bit / 8] ^= 1 << UInt8(bit % 8)
                wrong.append(flipped)
            }
            wrong.append(try approver.key.sign(suite.sha256(bytes)))
            wrong.append(try approver.key.sign(suite.sha256(suite.sha256(bytes))))
            wrong.append(try approver.key.sign(challenge.statement))
            // What was signed to deny, and to enrol, allows nothing. Nor does the server's own signature.
            wrong.append(try approver.key.sign(challenge.bytesToSign(.deny(.notMe, .request), suite: suite)))
            wrong.append(try approver.key.sign(approver.enrolment.bytesToSign(approver.offer)))
            wrong.append(challenge.signature)
            for signature in wrong {
                let answer = Self.answer(
                    challenge, .allow(code: nil), key: approver.key.publicKey, signature: signature)
                #expect(try await client.send(answer).errorName == "invalid_signature")
            }
            #expect(try await bank.find(asked.id).state == .pending)
            // A bad one after a good one is refused, and what was approved stays approved.
            let good = Self.answer(challenge, .allow(code: nil), key: approver.key.publicKey, signature: right)
            #expect(try await client.send(good).status == 200)
            let bad = Self.answer(challenge, .allow(code: nil), key: approver.key.publicKey, signature: wrong[0])
            #expect(try await client.send(bad).errorName == "invalid_signature")
            #expect(try await bank.find(asked.id).state == .approved)
        }
    }

    @Test("cases 3 and 5: a signature over other words than were asked, or over another question, approves nothing")
    func words() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            let other = try await bank.ask(bank.request("2", text: "Eve"))
            let suite = SwiftCryptoSuite()
            let (mine, theirs) = (
                try await client.fetch(asked.id, approver), try await client.fetch(other.id, approver)
            )
            // A signature over the second, sent for the first.
            let signature = try approver.key.sign(theirs.bytesToSign(.allow(code: nil), suite: suite))
            let swapped = Self.answer(mine, .allow(code: nil), key: approver.key.publicKey, signature: signature)
            #expect(try await client.send(swapped).errorName == "invalid_signature")
            // The first with other words, signed as if the service had asked them.
            let real = mine.challenge
            let altered = SignedApprovalChallenge(
                signing: try ApprovalChallenge(
                    id: real.id, nonce: real.nonce, service: real.service, serverKey: real.serverKey,
                    approvers: real.approvers, action: .pay, fields: [.payee(Bytes(text: "Nobody"))], match: nil,
                    created: real.created, expires: real.expires, replyURL: real.replyURL),
                signature: mine.signature)
            let forged = Self.answer(
                altered, .allow(code: nil), key: approver.key.publicKey,
                signature: try approver.key.sign(altered.bytesToSign(.allow(code: nil), suite: suite)))
            #expect(try await client.send(forged).errorName == "other_text")
            for id in [asked.id, other.id] { #expect(try await bank.find(id).state == .pending) }
        }
    }

    @Test(
        "cases 4 and 22: another account's device, a device of another service, and a key that nobody enrolled answer nothing"
    )
    func devices() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            let shop = try await bank.shop()
            let eve = try await client.join(organisation.person("eve"))
            let strangers = [
                try await bank.enrol("eve", eve).key, try await shop.enrol("alice", approver.session).key,
                try SigningKey(),
            ]
            let challenge = try await client.fetch(asked.id, approver)
            let bytes = try challenge.bytesToSign(.allow(code: nil), suite: SwiftCryptoSuite())
            for key in strangers {
                let own = Self.answer(
                    challenge, .allow(code: nil), key: key.publicKey, signature: try key.sign(bytes))
                #expect(try await client.send(own).errorName == "unknown_device")
                let borrowed = Self.answer(
                    challenge, .allow(code: nil), key: approver.key.publicKey, signature: try key.sign(bytes))
                #expect(try await client.send(borrowed).errorName == "invalid_signature")
            }
            #expect(try await bank.find(asked.id).state == .pending)
        }
    }

    @Test("cases 13, 15 and 20: a key of another kind, a point off the curve and a path enrol nothing")
    func kinds() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let bank = try await client.bank()
            let alice = try await client.join(organisation.person("alice"))
            let begun = try await bank.begin("alice")
            let good = try TestApprover(begun, alice)
            let point = good.key.publicKey.x963
            var off = point
            off[40] ^= 1
            let compressed = [UInt8(2 + point[64] % 2)] + point[1...32]
            for key in [
                off, compressed, [4] + Bytes(repeating: 0, count: 64), Bytes(text: "file:///etc/passwd"), [],
                Bytes(repeating: 0x30, count: 294), [4] + Bytes(repeating: 1, count: 96),
                Bytes(repeating: 4, count: 64),
            ] {
                let message = good.message.replacing(Self.string(point), with: Self.string(key))
                let answer = try await client.send(
                    .post, "/api/approvals/enrolments/\(begun.id)", ApprovalMessage(message: message.base64URL),
                    token: alice.token)
                #expect(answer.status == 422 && ["malformed", "unsupported_key"].contains(answer.errorName))
            }
            #expect(try await bank.enrolment(begun.id).state == .open)
            // The same key for a second user of the service, or at another one, is one device too many.
            #expect(try await client.take(begun, good).status == 200)
            #expect(try await bank.confirm(begun.id, String(decoding: good.code, as: UTF8.self)).status == 200)
            let second = try await bank.begin("alice at work")
            let again = try await client.take(second, try TestApprover(second, alice, key: good.key))
            #expect(again.errorName == "unsupported_key")
        }
    }

    private static func string(_ bytes: Bytes) -> Bytes { Bytes(text: "\(bytes.count):") + bytes }

    @Test(
        "cases 16 and 17: SQL in an id, a name or a key is text",
        arguments: [
            "' OR '1'='1", "x'; DROP TABLE approval_challenges; --",
            "' UNION SELECT key_hash FROM approval_services --",
            "1 OR SLEEP(5)", "%27%20OR%201=1", "18446744073709551616", "9007199254740993", "-1", "\u{0}", "..%2f..",
        ])
    func injection(text: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            let escaped = Bytes(text: text).map { "%" + String($0, radix: 16).padded }.joined()
            for path in ["challenges/\(escaped)", "challenges/\(escaped)/receipt", "enrolments/\(escaped)"] {
                #expect((400..<500).contains(try await bank.send(.get, path).status), "\(path)")
            }
            let mine = try await client.send(
                .get, "/api/approvals/challenges/\(escaped)", token: approver.session.token)
            #expect((400..<500).contains(mine.status))
            let unknown = try await bank.send(.post, "challenges", bank.request(text, of: [text]))
            #expect(unknown.errorName == "no_device")
            _ = try await bank.begin(text)
            _ = try await bank.ask(bank.request(text, text: text + "a"))
            // In every other field: refused or taken as text, and never an error of the server.
            let long = text + " of sixteen bytes and more"
            var statuses = [
                try await bank.send(.post, "challenges", bank.signIn("browser", browser: long)).status,
                try await bank.send(.post, "enrolments", NewApprovalEnrolment(user: "bob", session: long)).status,
                try await client.send(
                    .post, "/api/services", NewApprovalService(domain: text, name: text), token: bank.owner.token
                ).status,
            ]
            let begun = try await bank.begin("carol")
            if let named = try? TestApprover(begun, approver.session, name: text) {
                statuses.append(try await client.take(begun, named).status)
            }
            statuses.append(try await bank.confirm(begun.id, text, session: long).status)
            for query in ["show", "cursor", "limit", "q"] {
                let path = "/api/approvals/history?\(query)=\(escaped)"
                statuses.append(try await client.send(.get, path, token: approver.session.token).status)
            }
            #expect(statuses.allSatisfy { (200..<500).contains($0) }, "\(statuses)")
            #expect(try await client.send(.get, "/api/service", token: "service_\(text)").status == 401)
            #expect(try await bank.find(asked.id).state == .pending)
        }
    }

    @Test(
        "case 18: a body that is not what it should be is a problem document, and never an error of the server",
        arguments: [
            "", "{", "null", "[]", "\"message\"", "{\"message\":1}", "{\"message\":null}", "{}",
            "{\"message\":\"AA\",\"x\":1}", "{\"message\":\"AA\",\"message\":\"AA\"}", "{\"message\":\"=\"}",
            "{\"message\":\"\u{FFFD}\"}", "{\"message\":\"\(String(repeating: "A", count: 4_000))\"}",
            "{\"message\":\"bGU\"}", "{\"message\":\"ZDE6YWk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5ZWU\"}",
        ])
    func bodies(text: String) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            let begun = try await bank.begin("bob")
            for (path, token) in [
                ("/api/approvals/answers", nil), ("/api/approvals/enrolments/\(begun.id)", approver.session.token),
                ("/api/service/challenges", bank.key.apiKey), ("/api/service/enrolments", bank.key.apiKey),
            ] {
                var fields = HTTPFields()
                fields[.contentType] = "application/json"
                if let token { fields[.authorization] = "Bearer \(token)" }
                let answer = try await client.client.execute(
                    uri: path, method: .post, headers: fields, body: ByteBuffer(string: text))
                #expect((400..<500).contains(answer.status.code), "\(path)")
                #expect(answer.headers[.contentType] == "application/problem+json")
            }
            #expect(try await bank.find(asked.id).state == .pending)
        }
    }

    @Test("case 21: mallory's own approval signs nobody else in, whom the session names afterwards")
    func session() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, _, _) = try await Self.asked(client)
            let mallory = try await client.join(organisation.person("mallory"))
            let approver = try await bank.enrol("mallory", mallory)
            let asked = try await bank.ask(bank.request("m", of: ["mallory"]))
            #expect(try await client.decide(asked.id, .allow(code: nil), approver).status == 200)
            let own = try await bank.send(.get, "challenges/\(asked.id)?user=mallory")
            #expect(try own.decode(ServiceChallenge.self).state == .approved)
            #expect(try await bank.send(.get, "challenges/\(asked.id)?user=alice").errorName == "unknown_challenge")
        }
    }

    @Test("case 25: what nobody has answered is approved for nobody, and has no receipt")
    func unanswered() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client)
            #expect(try await bank.find(asked.id).state == .pending)
            #expect(try await bank.send(.get, "challenges/\(asked.id)/receipt").problem == "not-found")
            #expect(try await client.decide(asked.id, .deny(.mistake, .request), approver).status == 200)
            #expect(try await bank.find(asked.id).state == .denied)
        }
    }

    @Test("an answer that is changed in any byte does not count")
    func changed() async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in
            let (bank, approver, asked) = try await Self.asked(client, digits: 4)
            let code = Bytes(text: try #require(asked.code))
            let answer = try await client.answer(asked.id, .allow(code: code), approver)
            let message = try answer.message.decodedBytes()
            for index in message.indices {
                var changed = message
                changed[index] ^= 1
                let given = try await client.send(ApprovalMessage(message: changed.base64URL))
                #expect(given.errorName != nil && given.status < 500, "\(index)")
                // Slower than the limit of the route.
                organisation.clock.advance(.milliseconds(600))
            }
            #expect(try await bank.find(asked.id).state == .pending)
            #expect(try await client.send(answer).status == 200)
        }
    }
}

extension String {
    fileprivate var padded: String { count == 1 ? "0" + self : self }
}
