import Approvals
import CountersignService
import CryptoProvider
import Encodings
import Foundation
import HTTPTypes
import Interface
import Synchronization
import Testing
import WebhookReceiver

@testable import Server

/// Where notices go, and what is signed of them.
@Suite("Webhooks: addresses and signatures", .timeLimit(.minutes(5)))
struct WebhookEgressTests {
    private struct Names: NameLookup {
        let addresses: [String]
        func addresses(of name: String) async throws -> [String] { addresses }
    }

    private final class Recorder: EgressSender {
        let sent = Mutex<[String]>([])
        func send(_ message: EgressMessage, to address: EgressAddress, at place: String) async throws -> EgressAnswer {
            sent.withLock { $0.append("\(address.text) at \(place)") }
            return EgressAnswer(status: 204)
        }
    }

    private static let message = EgressMessage(fields: [], body: [])

    @Test("a name that leads inside gets nothing; a public one is connected to at the address that was checked")
    func inside() async throws {
        let address = try #require(EgressAddress("https://bank.example/hook", allowsPrivate: false))
        for found in [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["93.184.215.14", "192.168.0.1"]] {
            let recorder = Recorder()
            let egress = Egress(
                isOn: true, lookup: Names(addresses: found), transport: HTTPEgressTransport(), sender: recorder)
            await #expect(throws: Egress.Failure.notPublic) {
                try await egress.send(Self.message, to: address, isAdministrators: true)
            }
            #expect(recorder.sent.withLock(\.self).isEmpty)
        }
        let recorder = Recorder()
        // Look-ups may be off: an administrator's webhook is no look-up.
        let egress = Egress(
            isOn: false, lookup: Names(addresses: ["93.184.215.14"]), transport: HTTPEgressTransport(),
            sender: recorder)
        #expect(try await egress.send(Self.message, to: address, isAdministrators: true).status == 204)
        #expect(recorder.sent.withLock(\.self) == ["https://bank.example/hook at 93.184.215.14"])
        let nowhere = Egress(
            isOn: true, lookup: Names(addresses: []), transport: HTTPEgressTransport(), sender: recorder)
        await #expect(throws: Egress.Failure.unknownName) {
            try await nowhere.send(Self.message, to: address, isAdministrators: true)
        }
    }

    @Test("what a member gives never leads inside, even where an administrator's may")
    func members() async throws {
        let address = try #require(EgressAddress("https://push.example/1", allowsPrivate: false))
        let recorder = Recorder()
        let egress = Egress(
            isOn: true, allowsPrivate: true, lookup: Names(addresses: ["10.0.0.1"]), transport: HTTPEgressTransport(),
            sender: recorder)
        await #expect(throws: Egress.Failure.notPublic) {
            try await egress.send(Self.message, to: address, isAdministrators: false)
        }
        #expect(recorder.sent.withLock(\.self).isEmpty)
        #expect(try await egress.send(Self.message, to: address, isAdministrators: true).status == 204)
    }

    @Test("an address that was allowed once is not used when the operator allows it no longer")
    func forbiddenSince() async throws {
        let address = try #require(EgressAddress("http://10.0.0.1/hook", allowsPrivate: true))
        let recorder = Recorder()
        let egress = Egress(
            isOn: true, lookup: Names(addresses: ["8.8.8.8"]), transport: HTTPEgressTransport(), sender: recorder)
        await #expect(throws: Egress.Failure.notPublic) {
            try await egress.send(Self.message, to: address, isAdministrators: true)
        }
        #expect(recorder.sent.withLock(\.self).isEmpty)
    }

    /// One signed delivery.
    private func delivered() async throws -> (
        WebhookReceiver.Delivery, url: String, key: ApprovalServiceKey, now: Int64
    ) {
        let (organisation, receiver) = (try await TestOrganisation.inside(), try await WebhookReceiver.start())
        let found = Mutex<ApprovalServiceKey?>(nil)
        try await organisation.serve { client in
            let bank = try await client.bank()
            try await bank.setWebhook(receiver.url)
            let offer = try await bank.begin("alice")
            _ = try await bank.send(
                .post, "enrolments/\(offer.id)/end", ApprovalEnrolmentEnd(session: TestBank.session))
            try await organisation.webhooks().deliver()
            found.withLock { $0 = bank.key }
        }
        try await receiver.stop()
        let key = found.withLock(\.self)
        return (
            try #require(receiver.deliveries.first), receiver.url, try #require(key), organisation.clock.clock.now()
        )
    }

    /// The same request with one thing changed, for each thing.
    private func changed(_ one: WebhookReceiver.Delivery) -> [(String, WebhookReceiver.Delivery)] {
        func with(_ name: String, _ change: (String) -> String) -> WebhookReceiver.Delivery {
            var fields = one.fields
            fields[name] = change(fields[name] ?? "")
            return .init(method: one.method, path: one.path, fields: fields, body: one.body)
        }
        let body = String(decoding: one.body, as: UTF8.self)
        return [
            (
                "body",
                .init(
                    method: one.method, path: one.path, fields: one.fields,
                    body: Array(body.replacing("ended", with: "completed").utf8))
            ),
            ("key", with("idempotency-key") { $0.replacing("enrolment", with: "challenge") }),
            ("digest", with("content-digest") { $0.replacing("sha-256=:", with: "sha-256=:A") }),
            ("type", with("content-type") { _ in "text/plain" }),
            ("time", with("signature-input") { $0.replacing("created=1", with: "created=2") }),
            ("key id", with("signature-input") { $0.replacing("bank.example", with: "evil.example") }),
            ("signature", with("signature") { $0.replacing("notice=:", with: "notice=:A") }),
            ("no signature", with("signature") { _ in "" }),
            ("fewer parts", with("signature-input") { $0.replacing(" \"content-digest\"", with: "") }),
        ]
    }

    @Test("an independent program verifies the signature by RFC 9421, and refuses every change")
    func independent() async throws {
        let (one, url, key, _) = try await delivered()
        var questions = [one.question(url, key), one.question(url + "x", key)]
        questions += changed(one).map { $0.1.question(url, key) }
        let verdicts = try await Self.judge(questions)
        #expect(verdicts == ["accept"] + [String](repeating: "refuse", count: questions.count - 1))
    }

    @Test("the SDK takes the same request, refuses every change, another key, another address, and one that is old")
    func sdk() async throws {
        let (one, url, key, now) = try await delivered()
        let service = try PinnedService(domain: "bank.example", publicKey: key.service.publicKey)
        let webhook = Webhook(url: url, of: service)
        func read(
            _ delivery: WebhookReceiver.Delivery, _ webhook: Webhook, at time: Int64
        ) throws(NoticeError) -> Notice {
            try webhook.notice(field: { delivery.fields[$0] }, body: delivery.body, now: time)
        }
        let notice = try read(one, webhook, at: now)
        #expect(notice.subject == .enrolment(.ended) && notice.time == now)
        #expect(notice.idempotencyKey == "enrolment-\(notice.id)-ended")
        for (name, request) in changed(one) {
            #expect(throws: NoticeError.self, "\(name)") { try read(request, webhook, at: now) }
        }
        #expect(throws: NoticeError.badSignature) {
            try read(one, Webhook(url: url + "x", of: service), at: now)
        }
        let stranger = try PinnedService(
            domain: "bank.example", publicKey: SigningKey().publicKey.x963.base64URL)
        #expect(throws: NoticeError.badSignature) { try read(one, Webhook(url: url, of: stranger), at: now) }
        for time in [now + Webhook.tolerance + 1, now - Webhook.tolerance - 1] {
            #expect(throws: NoticeError.wrongTime) { try read(one, webhook, at: time) }
        }
        #expect(try read(one, webhook, at: now + Webhook.tolerance) == notice)
    }

    /// What `cryptography` says about requests.
    private static func judge(_ questions: [JSON]) async throws -> [String] {
        let repository = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let python =
            ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? "\(repository)/.build-tools/python/bin/python"
        let lines = questions.map { String(decoding: $0.serialized(), as: UTF8.self) + "\n" }.joined()
        let output = try await OtherProgram.output(
            of: python, ["\(repository)/Tests/Interop/approvals/notices.py"], input: Data(lines.utf8))
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
