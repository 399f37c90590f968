import Approvals
import CryptoProvider
import Encodings
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// The 25 attacks that the original was tried with, against our version 1: the numbers are those of docs/approvals.md,
/// "What happens when attacked".
@Suite("Version 1, attacked")
struct OriginalCaseTests {
    typealias Stage = OriginalStage

    static func serve(
        _ body: @escaping @Sendable (TestClient, TestOrganisation) async throws -> Void
    ) async throws {
        let organisation = try await TestOrganisation()
        try await organisation.serve { client in try await body(client, organisation) }
    }

    @Test("case 2: a wrong signature, a flipped bit, another digest and the hash of a hash are refused")
    func case2() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let (bytes, suite) = (challenge.canonical(), SwiftCryptoSuite())
            let right = try stage.app.key.sign(bytes)
            var flipped = right
            flipped[17] ^= 4
            let wrong = [
                flipped, try SigningKey().sign(bytes), try stage.app.key.sign(suite.sha256(bytes)),
                try stage.app.key.sign(challenge.digest), try stage.app.key.sign(bytes + [0]),
            ]
            for signature in wrong {
                let body = try OriginalReply.body(
                    messageID: challenge.messageID, signature: signature, publicKey: stage.app.key.publicKey, token: [])
                let answer = try await client.callback(body)
                #expect(answer.errorName == "invalid_signature" && (400..<500).contains(answer.status))
            }
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test("case 3: an answer to other words, any of the fields altered, is refused")
    func case3() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, real) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            for field in 0..<8 {
                func text(_ place: Int, _ text: Bytes) -> Bytes { place == field ? text + [0x21] : text }
                let altered = try OriginalChallenge(
                    body: text(0, real.body),
                    category: field == 1 ? OriginalChallenge.enrolmentCategory : real.category,
                    expiry: real.expiry + (field == 2 ? 60 : 0), messageID: real.messageID, nonce: text(3, real.nonce),
                    responseURL: text(4, real.responseURL), shortTitle: text(5, real.shortTitle),
                    subtitle: text(6, real.subtitle), title: text(7, real.title))
                #expect(
                    try await client.callback(stage.app.reply(altered)).errorName == "invalid_signature", "\(field)")
            }
            #expect(try await !stage.bank.isSigned(real))
        }
    }

    @Test("case 4: another device's signature is refused, with its own key beside it or the right one")
    func case4() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            let bob = try await stage.bank.enrol("bob", try await client.join(organisation.person("bob")))
            let other = try TestApp()
            try await stage.bank.enrol(other, for: "bob", by: bob)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let mine = JSON.string(OriginalDeviceKey.pem(stage.app.key.publicKey))
            for body in [try other.reply(challenge), try other.reply(challenge, [("publickey", mine)])] {
                #expect(try await client.callback(body).errorName == "invalid_signature")
            }
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test("case 5: the signature of one challenge sent for another is refused")
    func case5() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, one) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let (_, two) = try await stage.bank.askOriginal(stage.bank.originalRequest(lines: ["Something else."]))
            let body = try stage.app.reply(one, [("message_id", .integer(two.messageID))])
            #expect(try await client.callback(body).errorName == "invalid_signature")
            for challenge in [one, two] { #expect(try await !stage.bank.isSigned(challenge)) }
        }
    }

    @Test("case 6: the same reply again succeeds and changes nothing")
    func case6() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let reply = try stage.app.reply(challenge)
            func entries() async throws -> Int {
                try await client.send(.get, "/api/log/mine", token: stage.wallet.session.token)
                    .decode(Listing<LoggedEntry>.self).items.count
            }
            #expect(try await client.callback(reply).isSuccess)
            let before = try await entries()
            // A lost answer: the app's next try is another signature over the same bytes.
            for body in [reply, reply, try stage.app.reply(challenge)] {
                #expect(try await client.callback(body).isSuccess)
            }
            #expect(try await entries() == before)
        }
    }

    @Test("case 7: a reply after the time is refused, ten minutes and a year later", arguments: [121, 600, 31_536_000])
    func case7(seconds: Int) async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest(lifetime: 120))
            let (_, last) = try await stage.bank.askOriginal(stage.bank.originalRequest(lifetime: 120))
            organisation.clock.advance(.seconds(120))
            #expect(try await client.callback(stage.app.reply(last)).isSuccess)
            organisation.clock.advance(.seconds(seconds - 120))
            let answer = try await client.callback(stage.app.reply(challenge))
            #expect(answer.status == 410 && answer.errorName == "expired" && !answer.isSuccess)
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test("case 8: a bad reply after a good one is refused, and what was signed stays signed")
    func case8() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            #expect(try await client.callback(stage.app.reply(challenge)).isSuccess)
            #expect(try await client.callback(TestApp().reply(challenge)).errorName == "invalid_signature")
            #expect(try await stage.bank.isSigned(challenge))
        }
    }

    @Test("case 9: after the site has cancelled, or the person has frozen everything, nobody approves")
    func case9() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (asked, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let (_, second) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let cancelled = try await stage.bank.send(.post, "authreq/challenges/\(asked.messageID)/cancel")
            #expect(try cancelled.decode(OriginalRequest.self).state == .cancelled)
            #expect(try await client.callback(stage.app.reply(challenge)).errorName == "already_answered")
            let frozen = try await client.send(.put, "/api/approvals/freeze", token: stage.wallet.session.token)
            #expect(frozen.status == 200)
            #expect(try await client.callback(stage.app.reply(second)).errorName == "unknown_device")
            for challenge in [challenge, second] { #expect(try await !stage.bank.isSigned(challenge)) }
            let third = try await stage.bank.send(.post, "authreq/challenges", stage.bank.originalRequest())
            #expect(third.errorName == "not_now")
        }
    }

    @Test("case 16: SQL in message_id that would swap in the sender's key is no number")
    func case16() async throws {
        try await Self.serve { client, _ in
            let (stage, mallory) = (try await Stage.enrolled(client), try TestApp())
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            for id: JSON in [
                .text("0 UNION SELECT \(challenge.messageID), 'enrolmentcategory', NULL"),
                .text("\(challenge.messageID) OR 1=1"), .text("\(challenge.messageID)"), .text("5001.0"),
                .array([.integer(challenge.messageID)]), .null, .bool(true), .integer(-1),
                .integer(JSON.safeInteger),
            ] {
                let answer = try await client.callback(mallory.reply(challenge, [("message_id", id)]))
                #expect(["malformed", "unknown_challenge"].contains(answer.errorName), "\(id)")
            }
            let path = "/api/authreq/isSigned?message_id=0%20UNION%20SELECT%201"
            #expect(try await client.send(.get, path, token: stage.bank.key.apiKey).problem == "invalid-member")
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test(
        "case 17: SQL that would wait tells nothing: it is refused before any database sees it",
        arguments: ["1 AND SLEEP(1)", "1; SELECT pg_sleep(1)", "1 OR randomblob(1000000000)"])
    func case17(sql: String) async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let body = try stage.app.reply(challenge, [("message_id", .text(sql))])
            #expect(try await client.callback(body).errorName == "malformed")
            let escaped = Bytes(text: sql).map { "%" + String($0, radix: 16) }.joined()
            for path in ["/api/authreq/isSigned?message_id=\(escaped)", "/api/service/authreq/challenges/\(escaped)"] {
                #expect(try await client.send(.get, path, token: stage.bank.key.apiKey).problem == "invalid-member")
            }
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test(
        "case 18: what is no reply is answered in JSON, with an error and never by one of the server",
        arguments: [
            "", "{", "[]", "null", "message_id=1&signature=00", "{\"message_id\":{}}", "\"text\"",
            "{\"message_id\":1,\"signature\":\"00\",\"publickey\":[],\"token\":\"\"}", "{\"message_id\":1e3}",
        ])
    func case18(body: String) async throws {
        try await Self.serve { client, _ in
            let answer = try await client.callback(Bytes(text: body))
            #expect(answer.status == 422 && answer.mediaType == "application/json")
            #expect(answer.body == OriginalAnswer.failure(.malformed))
            let large = try await client.callback(Bytes(repeating: 0x20, count: 65_537))
            #expect(large.status == 413 && large.errorName == "malformed")
            let get = try await client.send(.get, "/api/authreq/callback")
            #expect(get.status == 405 && get.problem != nil)
        }
    }

    @Test("case 19: a new token in a reply is stored")
    func case19() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            func stored() async throws -> String? {
                let key = stage.app.key.publicKey.x963.base64URL
                return try await organisation.server.environment.database.read {
                    try OriginalDeviceStore(transaction: $0).token(ofKey: key)
                }
            }
            #expect(try await stored() == stage.app.token)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            var moved = stage.app
            moved.token = String(repeating: "cd", count: 32)
            #expect(try await client.callback(moved.reply(challenge)).isSuccess)
            #expect(try await stored() == moved.token)
            // A bad reply moves no token, and an app without one keeps the last.
            let (_, second) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let bad = try TestApp().reply(second, [("token", .text(String(repeating: "ef", count: 32)))])
            #expect(try await !client.callback(bad).isSuccess)
            moved.token = ""
            #expect(try await client.callback(moved.reply(second)).isSuccess)
            #expect(try await stored() == String(repeating: "cd", count: 32))
        }
    }

    @Test("case 21: mallory's own approval signs nobody else in, whom the session names afterwards")
    func case21() async throws {
        try await Self.serve { client, organisation in
            let stage = try await Stage.enrolled(client)
            let wallet = try await stage.bank.enrol("mallory", try await client.join(organisation.person("mallory")))
            let app = try TestApp()
            try await stage.bank.enrol(app, for: "mallory", by: wallet)
            let (_, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest("mallory"))
            #expect(try await client.callback(app.reply(challenge)).isSuccess)
            #expect(try await stage.bank.isSigned(challenge, user: "mallory"))
            #expect(try await !stage.bank.isSigned(challenge, user: "alice"))
        }
    }

    @Test("case 22: somebody who knows all bytes of a pending challenge forges no approval")
    func case22() async throws {
        try await Self.serve { client, _ in
            let (stage, mallory) = (try await Stage.enrolled(client), try TestApp())
            let (asked, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            let signed = try OriginalLink.parse(Bytes(text: try #require(asked.link)))
            let alices = JSON.string(OriginalDeviceKey.pem(stage.app.key.publicKey))
            let echo = JSON.string(Hex.encode(signed.signature))
            for body in [
                try mallory.reply(challenge), try mallory.reply(challenge, [("publickey", alices)]),
                try mallory.reply(challenge, [("publickey", alices), ("signature", echo)]),
                try mallory.reply(challenge, [("message_id", .text("\(challenge.messageID) UNION SELECT 1"))]),
            ] {
                #expect(try await !client.callback(body).isSuccess)
            }
            #expect(try await !stage.bank.isSigned(challenge))
        }
    }

    @Test(
        "case 23: text of a user begins no line of its own: what is more than a line is refused",
        arguments: [
            "x'.\nPaying £1.00 to Mallory from 'Savings", "x\r\ny", "x\u{2028}y", "x\u{85}y", "x\u{202E}y", "x\u{0}y",
            "x\u{B}y", "",
        ])
    func case23(remark: String) async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let lines = ["Paying £30.00 to Purple Plumbing from 'Current'.", "Remark: '\(remark)'"]
            let request = stage.bank.originalRequest(lines: remark.isEmpty ? [remark] : lines)
            let refused = try await stage.bank.send(.post, "authreq/challenges", request)
            #expect(refused.problem == "invalid-member")
            var titled = stage.bank.originalRequest()
            titled.title = remark
            #expect(try await stage.bank.send(.post, "authreq/challenges", titled).problem == "invalid-member")
            let quoted = stage.bank.originalRequest(lines: [lines[0], "Remark: 'it's \"quoted\"'"])
            let (_, challenge) = try await stage.bank.askOriginal(quoted)
            #expect(challenge.body == Bytes(text: quoted.lines.joined(separator: "\n")))
        }
    }

    @Test("case 25: nothing counts as signed before it was")
    func case25() async throws {
        try await Self.serve { client, _ in
            let stage = try await Stage.enrolled(client)
            let (asked, challenge) = try await stage.bank.askOriginal(stage.bank.originalRequest())
            #expect(try await !stage.bank.isSigned(challenge))
            let found = try await stage.bank.send(.get, "authreq/challenges/\(asked.messageID)")
            #expect(try found.decode(OriginalRequest.self).state == .pending)
            // An enrolment's number is no approval either.
            let begun = try await stage.bank.beginOriginal("alice")
            let enrolment = try TestBank.challenge(begun.link)
            #expect(try await client.callback(TestApp().reply(enrolment)).isSuccess)
            #expect(try await !stage.bank.isSigned(enrolment))
        }
    }
}
