import Encodings
import Foundation
import HTTPTypes
import Interface
import Storage
import Testing

@testable import Server

/// Numbers that cost money, gateways that fail, and people who would like others to pay.
@Suite("SMS", .timeLimit(.minutes(5)))
struct SMSTests {
    @Test(
        "a number is international, and one thing only",
        arguments: [
            ("+4930901820", "+4930901820"), ("+49 30 / 90-18.20", "+4930901820"), ("+1 (212) 555-0100", "+12125550100"),
            ("+6834000", "+6834000"), ("+123456789012345", "+123456789012345"), ("", nil), ("+", nil),
            ("030901820", nil), ("0049 30 901820", nil), ("+0 30 901820", nil), ("+49 (0)30 901820", nil),
            ("+123456", nil), ("+1234567890123456", nil), ("+49 30 90182O", nil), ("++4930901820", nil),
            ("+4930901820\r\n+1900", nil), ("+4930901820,+19005550100", nil), ("tel:+4930901820", nil),
            ("+\u{664}\u{669}30901820", nil), ("+4930901820;ext=1", nil),
            ("+49" + String(repeating: " ", count: 40), nil),
        ] as [(String, String?)])
    func number(typed: String, expected: String?) { #expect(PhoneNumber(typed)?.text == expected) }

    @Test(
        "gateways are reached by TLS or on this machine, and no password is in their address",
        arguments: [
            ("https://sms.example/send", "https://sms.example/send"), ("https://sms.example", "https://sms.example/"),
            ("https://10.0.0.5:8443/a?b=c", "https://10.0.0.5:8443/a?b=c"),
            ("http://127.0.0.1:8025/send", "http://127.0.0.1:8025/send"), ("http://localhost/", "http://localhost/"),
            ("folder:/var/sms", "folder:/var/sms"), ("http://sms.example/send", nil), ("http://10.0.0.5/", nil),
            ("https://user:secret@sms.example/", nil), ("http://127.0.0.1.example/", nil), ("folder:sms", nil),
            ("sms.example", nil), ("", nil), ("https://sms.example/#a", nil), ("ftp://127.0.0.1/", nil),
        ] as [(String, String?)])
    func places(text: String, expected: String?) { #expect(SMSPlace(text)?.description == expected) }

    @Test("credentials are one line of a file that nobody else may read")
    func credentials() throws {
        #expect(SMSCredentials("abc.DEF-1\n")?.field == "Bearer abc.DEF-1")
        #expect(SMSCredentials("user:secret word")?.field == "Basic dXNlcjpzZWNyZXQgd29yZA==")
        for text in ["", "\n", "a b", "a\nb", "a:b\nc", ":b", "a\r\nhost: b", "tök", "a\u{0}b", "a:b\u{7}"] {
            #expect(SMSCredentials(text) == nil, "\(text)")
        }
        #expect("\(try #require(SMSCredentials("hunter2")))".contains("hunter2") == false)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("sms-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for (mode, isRead) in [(0o600, true), (0o640, false), (0o604, false)] {
            _ = FileManager.default.createFile(
                atPath: file.path, contents: Data("token\n".utf8), attributes: [.posixPermissions: mode])
            #expect(((try? SMSCredentials(file: file.path)) != nil) == isRead)
        }
    }

    @Test(
        "what a gateway's answer means",
        arguments: [
            (200, nil, .delivered), (204, nil, .delivered), (301, nil, .refused("the SMS gateway answered 301")),
            (400, nil, .refused("the SMS gateway answered 400")), (404, "5", .refused("the SMS gateway answered 404")),
            (401, nil, .later("the SMS gateway answered 401", after: nil)),
            (408, nil, .later("the SMS gateway answered 408", after: nil)),
            (425, "7", .later("the SMS gateway answered 425", after: 7)),
            (429, "Mon, 21 Sep 2026 14:13:50 GMT", .later("the SMS gateway answered 429", after: 30)),
            (503, "soon", .later("the SMS gateway answered 503", after: nil)),
        ] as [(Int, String?, NotificationOutcome)])
    func outcomes(status: Int, retryAfter: String?, expected: NotificationOutcome) {
        let answer = EgressAnswer(status: status, retryAfter: retryAfter)
        #expect(SMSGateway.outcome(of: answer, now: 1_790_000_000) == expected)
    }

    @Test("a folder gets each message once, whole, for its owner alone")
    func folder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let message = SMSMessage(
            to: try #require(PhoneNumber("+4930901820")), text: "Grüße \"\n\u{1F393}", id: "0123abcd")
        for _ in 0..<2 { #expect(await SMSFolder(path: folder.path).deliver(message, now: 1) == .delivered) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["0123abcd.json"])
        let written = try JSON.parse(Bytes(Data(contentsOf: folder.appendingPathComponent("0123abcd.json"))))
        #expect(written.text("to") == "+4930901820" && written.text("text") == message.text)
        #expect(written.text("id") == "0123abcd" && written.members?.count == 3)
        guard case .later = await SMSFolder(path: folder.path + "/none").deliver(message, now: 1) else {
            Issue.record("taken")
            return
        }
    }

    @Test("a number gets a code, and nothing else before that is typed; its removal is told there, too")
    func added() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            let eve = try await client.join(organisation.person("eve"))
            #expect(try await client.notifications(alice).hasSMS)
            let way = try await client.addPhone("+49 30 901820", alice).decode(NotificationWay.self)
            #expect(way.kind == .sms && way.address == "+4930901820" && !way.isConfirmed && way.mark == nil)
            #expect(phones.messages.map(\.to) == ["+4930901820"] && phones.messages.map(\.id) == [way.id])
            let text = try #require(phones.messages.first?.text)
            #expect(text.hasPrefix("Type this code in Countersign: ") && text.utf8.count < 160)
            let change = PassphraseChange(passphrase: "another correct horse")
            _ = try await client.send(.post, "/api/account/passphrase", change, token: alice.token)
            #expect(try await organisation.outbox() == [])
            #expect(try await client.confirmPhone(way, "0000-0000", alice).problem == "wrong-code")
            #expect(try await client.confirmPhone(way, phones.code(), eve).problem == "not-found")
            // The code of a phone is none of an e-mail address.
            let code = try phones.code()
            #expect(
                try await client.send(
                    .post, "/api/notifications/email/\(way.id)/confirm", NotificationCode(code: code),
                    token: alice.token
                ).problem == "not-found")
            #expect(try await client.confirmPhone(way, code, alice).decode(NotificationWay.self).isConfirmed)
            #expect(try await organisation.outbox() == ["access sms"])
            try await organisation.deliver()
            #expect(phones.messages.last?.text == "The protection of your Countersign account has changed. Look at it.")
            #expect(try await client.addPhone("+4930901820", alice).problem == "conflict")
            #expect(
                try await client.send(.delete, "/api/notifications/ways/\(way.id)", token: alice.token).status == 204)
            #expect(try await client.notifications(alice).ways == [])
            try await organisation.deliver()
            #expect(phones.messages.map(\.to) == Array(repeating: "+4930901820", count: 3))
            #expect(Set(phones.messages.map(\.id)).count == 3)
        }
    }

    @Test("an approval waits: the SMS says so, and no more; it can be switched off, and what protects cannot")
    func content() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            let (bank, alice, _) = try await client.enrolled()
            _ = try await client.confirmedPhone("+4930901820", alice, phones)
            try await organisation.deliver()
            let count = phones.messages.count
            _ = try await bank.ask(bank.request("1"))
            try await organisation.deliver()
            #expect(phones.messages.dropFirst(count).map(\.text) == ["Something waits for you in Countersign."])
            let off = try await client.choose(.sms, "approval", false, alice).decode(NotificationSettings.self)
            #expect(off.off == [NotificationChoice(way: .sms, kind: "approval")])
            _ = try await bank.ask(bank.request("2"))
            #expect(try await organisation.outbox() == [])
            #expect(try await client.choose(.sms, "access", false, alice).problem == "invalid-member")
        }
    }

    @Test("a gateway that refuses, is busy, or has another token: removed, or later, and nobody is told twice")
    func failures() async throws {
        try await TestPhones.serve { (organisation, client, phones) async throws in
            _ = try await client.setUp(organisation.person("owner"))
            let alice = try await client.join(organisation.person("alice"))
            _ = try await client.confirmedPhone("+4930901820", alice, phones)
            try await organisation.deliver()
            phones.service.answer(.init(status: 500))
            #expect(try await client.addPhone("+4930901821", alice).problem == "busy")
            let change = PassphraseChange(passphrase: "another correct horse")
            _ = try await client.send(.post, "/api/account/passphrase", change, token: alice.token)
            phones.service.answer(
                .init(status: 503, retryAfter: "Mon, 01 Jan 1990 00:00:00 GMT"), .init(status: 429, retryAfter: "600"),
                .init(status: 401), .init(status: 422))
            let before = phones.messages.count
            for wait in [15, 600, 60] {
                #expect(try await organisation.deliver() == 1)
                #expect(try await organisation.outbox() == ["access sms"])
                organisation.clock.advance(.seconds(wait - 1))
                #expect(try await organisation.deliver() == 0)
                organisation.clock.advance(.seconds(1))
            }
            #expect(try await organisation.deliver() == 1)
            #expect(try await organisation.outbox() == [])
            let tried = phones.messages.dropFirst(before)
            #expect(tried.count == 4 && Set(tried.map(\.id)).count == 1)
        }
    }

    @Test("a gateway in Python takes a message with the right token, once, and refuses another")
    func interoperable() async throws {
        let gateway = try PythonProgram("sms_gateway.py", "Bearer s3cret", "429", "204")
        defer { gateway.stop() }
        let port = Int(try #require(try await gateway.next()["port"]?.integer))
        let place = try #require(EgressAddress("http://127.0.0.1:\(port)/send?a=b", allowsPrivate: true))
        // Webhooks may not lead inside here; the operator's own address may.
        let egress = Egress(isOn: false)
        let message = SMSMessage(
            to: try #require(PhoneNumber("+4930901820")), text: "Grüße \"\n\u{1F393} تنتظرك", id: "0123abcd")
        func send(_ token: String) async throws -> (NotificationOutcome, JSON) {
            let sender = SMSGateway(egress: egress, address: place, credentials: SMSCredentials(token))
            return (await sender.deliver(message, now: 1), try await gateway.next())
        }
        #expect(try await send("s3cret").0 == .later("the SMS gateway answered 429", after: 600))
        for isAgain in [false, true] {
            let (outcome, seen) = try await send("s3cret")
            #expect(outcome == .delivered && seen["is_again"] == .bool(isAgain))
            #expect(seen.text("path") == "/send?a=b" && seen.text("type") == "application/json")
            let got = try #require(seen["message"])
            #expect(got.text("to") == "+4930901820" && got.text("text") == message.text && got.text("id") == "0123abcd")
        }
        #expect(try await send("other").0 == .later("the SMS gateway answered 401", after: nil))
    }
}
