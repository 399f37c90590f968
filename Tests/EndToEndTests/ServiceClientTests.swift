import Approvals
import CountersignService
import Encodings
import Foundation
import struct Interface.ApprovalDenial
import Testing
import WebhookReceiver

@testable import Wallet
@testable import countersign

/// The SDK for services against a real server, with a real wallet on the other side.
@Suite("The SDK for services", .timeLimit(.minutes(15)))
struct ServiceClientTests {
    private static let session = "a session of the bank"
    private static let payment = Question(
        .pay, [.amount(3_000, currency: "GBP"), .payee("Purple Plumbing"), .text("Café for 2")], of: ["alice"],
        lifetime: 600)

    /// A service at a server.
    private struct Bank: Sendable {
        let client: ServiceClient
        let service: PinnedService
        let apiKey: String
        let url: String
        let id: String
    }

    private static func settle(
        _ machine: ServerMachine, webhook: String? = nil
    ) async throws -> (server: DemoServer, owner: WalletClient, bank: Bank) {
        let (server, _, owner) = try await machine.settle("Purple University")
        let added = try await owner.addApprovalService(domain: "bank.example", name: "Example Bank", webhook: webhook)
        let service = try PinnedService(domain: "bank.example", publicKey: added.service.publicKey)
        let client = try ServiceClient(server: server.url + "/", apiKey: added.apiKey, service: service)
        return (
            server, owner,
            Bank(client: client, service: service, apiKey: added.apiKey, url: server.url, id: added.service.id)
        )
    }

    /// Enrols the owner's wallet as the service's alice.
    private static func enrol(_ wallet: WalletClient, at bank: Bank) async throws {
        let begun = try await bank.client.enrol(user: "alice", session: session)
        #expect(begun.state == .open && begun.code == nil)
        let taken = try await wallet.takeOffer(try #require(begun.link), name: "phone")
        let shown = try await bank.client.enrolment(begun.id)
        #expect(shown.state == .taken && shown.code == taken.code && shown.deviceName == "phone")
        await #expect(throws: ServiceError.self) {
            try await bank.client.confirm(enrolment: begun.id, code: taken.code, session: "another session here")
        }
        let confirmed = try await bank.client.confirm(enrolment: begun.id, code: taken.code, session: session)
        #expect(confirmed.state == .completed)
        _ = try await wallet.waitForConfirmation(taken)
    }

    @Test("a service enrols a device, asks, waits, and has a proof that holds under its own pinned key")
    func whole() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, wallet, bank) = try await Self.settle(machine)
        defer { server.stop() }
        try await Self.enrol(wallet, at: bank)

        let asked = try await bank.client.ask(Self.payment, idempotencyKey: "transfer 1")
        #expect(asked.state == .pending && asked.code?.count == 4 && asked.missing == 1)
        #expect(asked.scannable == "\(asked.link ?? "")#\(asked.code ?? "")")
        // The same key asks once.
        #expect(try await bank.client.ask(Self.payment, idempotencyKey: "transfer 1").id == asked.id)
        var dearer = Self.payment
        dearer.fields[0] = .amount(3_001, currency: "GBP")
        await #expect {
            try await bank.client.ask(dearer, idempotencyKey: "transfer 1")
        } throws: { error in
            guard case .refused(let refusal) = error as? ServiceError else { return false }
            return refusal.status == 409
        }
        // It waits, and is told at once.
        async let waited = bank.client.wait(for: asked.id)
        let question = try await wallet.question(asked.id)
        _ = try await wallet.allow(question, code: asked.code)
        #expect(try await waited.state == .approved)
        let receipt = try await bank.client.receipt(asked.id)
        #expect(receipt.isApproved && receipt.action == .pay && receipt.fields == Self.payment.fields)
        #expect(receipt.code == asked.code && receipt.answers.map(\.deviceName) == ["phone"])
        #expect(receipt.lines.contains("amount: 30.00 GBP"))
        try Self.offline(receipt, asked.id, bank)

        // An id from somewhere else says nothing of this person, however the service calls them.
        #expect(try await bank.client.approval(asked.id, of: "alice").state == .approved)
        for other in ["mallory", "alice&user=mallory", "alice ", "ålice", "alice+"] {
            for waits in [false, true] {
                await #expect {
                    _ =
                        waits
                        ? try await bank.client.wait(for: asked.id, of: other)
                        : try await bank.client.approval(asked.id, of: other)
                } throws: { error in
                    guard case .refused(let refusal) = error as? ServiceError else { return false }
                    return refusal.status == 404
                }
            }
        }

        // A denial is proved, too, and its reason is told.
        let second = try await bank.client.ask(Self.payment, idempotencyKey: "transfer 2")
        _ = try await wallet.deny(
            try await wallet.question(second.id), ApprovalDenial(reason: .notMe, scope: .request))
        let denied = try await bank.client.wait(for: second.id)
        #expect(denied.state == .denied && denied.isNotMe)
        #expect(try await bank.client.receipt(second.id).isApproved == false)
        // Then comes a wait, with its name and its length.
        await #expect {
            try await bank.client.ask(Self.payment, idempotencyKey: "transfer 3")
        } throws: { error in
            guard case .refused(let refusal) = error as? ServiceError else { return false }
            return refusal.name == "backing_off" && (refusal.retryAfter ?? 0) > 0
        }
    }

    /// A receipt holds without a server; not changed at any byte, not for another service, and not for another question.
    private static func offline(_ receipt: CountersignService.Receipt, _ id: String, _ bank: Bank) throws {
        #expect(try CountersignService.Receipt(receipt.bytes, of: bank.service, for: id) == receipt)
        for place in stride(from: 0, to: receipt.bytes.count, by: 7) {
            var bytes = receipt.bytes
            bytes[place] ^= 1
            #expect(throws: ServiceError.self, "byte \(place)") {
                try CountersignService.Receipt(bytes, of: bank.service, for: id)
            }
        }
        #expect(throws: ServiceError.badReceipt(.otherRequest)) {
            try CountersignService.Receipt(
                receipt.bytes, of: bank.service, for: String(repeating: "0", count: 32))
        }
        let key = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
        for other in [
            try PinnedService(domain: "bank.example", publicKey: key),
            try PinnedService(domain: "shop.example", publicKey: bank.service.publicKey),
        ] {
            #expect(throws: ServiceError.badReceipt(.otherService)) {
                try CountersignService.Receipt(receipt.bytes, of: other, for: id)
            }
        }
    }

    @Test("a user's name is found again, whatever is in it; a long question comes as several pictures")
    func names() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, wallet, bank) = try await Self.settle(machine)
        defer { server.stop() }
        let user = "a&b=c +%2F é/?#"
        let begun = try await bank.client.enrol(user: user, session: Self.session)
        let taken = try await wallet.takeOffer(try #require(begun.link), name: "phone")
        _ = try await bank.client.confirm(enrolment: begun.id, code: taken.code, session: Self.session)
        _ = try await wallet.waitForConfirmation(taken)
        var question = Self.payment
        question.users = [user]
        let short = try await bank.client.ask(question, idempotencyKey: "short")
        #expect(try await bank.client.approval(short.id, of: user).state == .pending)
        #expect(short.pictures == [try #require(short.scannable)])
        question.fields = [.text(String(repeating: "A clause. ", count: 6_000))]
        question.action = .agree
        let long = try await bank.client.ask(question, idempotencyKey: "long")
        #expect(long.link == nil && long.scannable == nil && long.pictures.count > 100)
        // They are the whole question, which a wallet without a network shows and signs.
        let pieces = try long.pictures.map { try ApprovalPart.parse(Bytes(text: $0)) }
        let message = pieces.flatMap(\.piece)
        #expect(pieces.map(\.index) == Array(1...pieces.count) && pieces.allSatisfy { $0.count == pieces.count })
        let asked = try await wallet.question(long.id)
        #expect(message == asked.signed.encoded())
    }

    @Test("the example in Python asks, waits through the answer, and says what became of it")
    func python() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, wallet, bank) = try await Self.settle(machine)
        defer { server.stop() }
        try await Self.enrol(wallet, at: bank)
        let file = Program.repository.appendingPathComponent("Examples/approve.py").path
        async let asking = Program.runAside(Program.python, [file, bank.url, bank.apiKey, "alice"])
        var waiting = try await wallet.challenges()
        // Python takes seconds to start on a machine that does much else.
        for _ in 0..<600 where waiting.isEmpty {
            try await Task.sleep(for: .milliseconds(100))
            waiting = try await wallet.challenges()
        }
        if let id = waiting.first?.id {
            let code = try await bank.client.approval(id).code
            _ = try await wallet.allow(try await wallet.question(id), code: code)
            let outcome = try await asking
            #expect(outcome.output == "Type this code in your wallet: \(code ?? "")\napproved\n", "\(outcome)")
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        } else {
            let outcome = try await asking
            Issue.record("it asked nothing: \(outcome)")
        }
    }

    @Test("a service cancels, sees what expires, and is told by name what goes wrong")
    func refusals() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, wallet, bank) = try await Self.settle(machine)
        defer { server.stop() }
        await #expect(throws: ServiceError.self) {
            try await bank.client.ask(Self.payment, idempotencyKey: "nobody is enrolled")
        }
        try await Self.enrol(wallet, at: bank)
        let asked = try await bank.client.ask(Self.payment, idempotencyKey: "1")
        #expect(try await bank.client.cancel(asked.id).state == .cancelled)
        #expect(try await bank.client.wait(for: asked.id).state == .cancelled)
        await #expect(throws: ServiceError.self) { try await bank.client.receipt(asked.id) }
        var short = Self.payment
        short.lifetime = 10
        let second = try await bank.client.ask(short, idempotencyKey: "2")
        #expect(try await bank.client.wait(for: second.id).state == .expired)

        await #expect(throws: ServiceError.unexpectedAnswer) { try await bank.client.approval("../../account") }
        let stranger = try ServiceClient(server: bank.url, apiKey: "service_0", service: bank.service)
        await #expect(throws: ServiceError.unauthenticated) { try await stranger.approval(asked.id) }
        server.stop()
        await #expect(throws: ServiceError.unreachable) { try await bank.client.approval(asked.id) }
    }

    @Test(
        "an address is https, or this machine",
        arguments: [
            "http://bank.example", "https://bank.example/path", "https://user@bank.example", "ftp://localhost", "",
            "localhost", "https://bank.example?x", "https://bank.example#x",
        ])
    func addresses(_ url: String) throws {
        let key = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
        let service = try PinnedService(domain: "bank.example", publicKey: key)
        #expect(throws: ServiceError.unacceptableAddress) {
            try ServiceClient(server: url, apiKey: "", service: service)
        }
        #expect(throws: ServiceError.unacceptableKey) { try PinnedService(domain: "a", publicKey: key + "A") }
    }

    @Test("what String calls equal may be other bytes, so fields are compared as bytes")
    func canonicalEquivalence() {
        #expect("Caf\u{E9}" == "Cafe\u{301}")
        #expect(Field.payee("Caf\u{E9}") != .payee("Cafe\u{301}"))
        #expect(Field.payee("a") != .account("a") && Field.amount(1, currency: "GBP") != .amount(1, currency: "EUR"))
        #expect(Field.time(1) != .time(2) && Field.time(1) == .time(1))
    }

    /// The wallet never learns whether its answer was stored.
    @Test("a server killed as it takes an answer takes the same answer again, and counts it once")
    func answerLost() async throws {
        let machine = ServerMachine(folder: try TemporaryFolder(), port: try DemoServer.freePort())
        let (server, wallet, bank) = try await Self.settle(machine)
        try await Self.enrol(wallet, at: bank)
        let asked = try await bank.client.ask(Self.payment, idempotencyKey: "1")
        let question = try await wallet.question(asked.id)
        let lost = Task { _ = try? await wallet.allow(question, code: asked.code) }
        var looks = 0
        while try await bank.client.approval(asked.id).state == .pending {
            // A service that goes on looking so often is refused in the end.
            looks += 1
            try await Task.sleep(for: .milliseconds(looks < 200 ? 1 : 100))
        }
        server.kill()
        await lost.value
        let next = try machine.start()
        defer { next.stop() }
        let again = try await wallet.allow(question, code: asked.code)
        #expect(again.state == .approved && again.missing == 0)
        await #expect(throws: (any Error).self) {
            try await wallet.deny(question, ApprovalDenial(reason: .mistake, scope: .request))
        }
        let receipt = try await bank.client.receipt(asked.id)
        #expect(receipt.isApproved && receipt.answers.count == 1)
    }

    /// The server is killed after it has sent a notice, and before it learns that it came.
    @Test("a server killed in the middle of a delivery brings the notice again, with the same key")
    func killed() async throws {
        let receiver = try await WebhookReceiver.start()
        let machine = ServerMachine(
            folder: try TemporaryFolder(), port: try DemoServer.freePort(), settings: ["--private-addresses", "true"])
        let (server, wallet, bank) = try await Self.settle(machine)
        try await Self.enrol(wallet, at: bank)
        _ = try await wallet.setWebhook(ofApprovalService: bank.id, receiver.url)
        receiver.behave(.silence)
        let asked = try await bank.client.ask(Self.payment, idempotencyKey: "1")
        _ = try await wallet.allow(try await wallet.question(asked.id), code: asked.code)
        try await receiver.wait(for: 1)
        server.kill()
        receiver.behave(.status(204))
        let next = try machine.start()
        defer { next.stop() }
        try await receiver.wait(for: 2)
        let webhook = Webhook(url: receiver.url, of: bank.service)
        let notices = try receiver.deliveries.map { one in
            try webhook.notice(field: { one.fields[$0] }, body: one.body)
        }
        #expect(notices.count == 2 && notices[0] == notices[1])
        #expect(notices.allSatisfy { $0.id == asked.id && $0.subject == .approval(.approved) })
        #expect(try await bank.client.receipt(notices[0].id).isApproved)
        try await receiver.stop()
    }
}
