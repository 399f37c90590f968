import CountersignService
import Encodings
import Foundation
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// A quorum from end to end: an administrator's command, a service with the SDK, and two members at the command line.
@Suite("The quorum of a service on the command line", .timeLimit(.minutes(15)))
struct ApprovalQuorumCommandTests {
    private static let session = "a session of the bank"

    private static func payment(_ pence: Int64, of users: [String] = ["ada", "grace"], need: Int? = nil) -> Question {
        Question(
            .pay, [.amount(pence, currency: "GBP"), .payee("Purple Plumbing")], of: users, need: need, lifetime: 300,
            codeDigits: 0)
    }

    @Test("1,000 GBP need two members: one approval leaves it pending, the second decides, one receipt has both")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, _) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let owner = Hand(wallet: cast.path(DemoCast.owner), passphrase: folder.path("pass"))
        let added = try await owner.json(["admin", "service", "add", "bank.example", "Example Bank"])
        let key = String(decoding: try #require(added["service"]?["public_key"]?.string), as: UTF8.self)
        let apiKey = String(decoding: try #require(added["api_key"]?.string), as: UTF8.self)
        let service = try PinnedService(domain: "bank.example", publicKey: key)
        let bank = try ServiceClient(server: server.url, apiKey: apiKey, service: service)
        var hands: [Hand] = []
        for (username, name) in [("ada", "Ada Lovelace"), ("grace", "Grace Hopper")] {
            let person = NewPerson(username: username, name: name, passphrase: DemoCast.passphrase)
            _ = try await WalletClient.signUp(cast.place(person), person)
            let hand = Hand(wallet: cast.path(person), passphrase: folder.path("pass"))
            try await Self.enrol(hand, username, at: bank)
            hands.append(hand)
        }
        try await Self.set(owner)
        let rule = try #require(QuorumRule("GBP 0:1 100000:2"))

        // A stolen API key asks one person for nothing that needs two.
        for question in [
            Self.payment(100_000, need: 1), Self.payment(100_000, of: ["ada"]),
            Self.payment(100_000, of: ["ada"], need: 1),
        ] {
            await #expect {
                try await bank.ask(question, idempotencyKey: "stolen")
            } throws: { error in
                guard case .refused(let refusal) = error as? ServiceError else { return false }
                return refusal.name == "quorum" && refusal.status == 422 && refusal.detail.contains("2 have to approve")
            }
        }
        for hand in hands { #expect(try await hand.json(["wallet", "challenges"])["items"] == .array([])) }

        let asked = try await bank.ask(Self.payment(100_000), idempotencyKey: "transfer 1")
        #expect(asked.missing == 2)
        let shown = try await hands[0].run(["wallet", "answer", asked.id, "--allow", "--yes"])
        #expect(shown.status == 0 && shown.errors.contains("amount: 1 000.00 GBP"), "\(shown)")
        #expect(shown.errors.contains("approvals: 2 of 2"), "\(shown)")
        let half = try await bank.approval(asked.id)
        #expect(half.state == .pending && half.missing == 1)
        await #expect(throws: ServiceError.self) { try await bank.receipt(asked.id) }
        let second = try await hands[1].json(["wallet", "answer", asked.id, "--allow", "--yes"])
        #expect(second["state"] == .text("approved"))
        #expect(try await bank.wait(for: asked.id).state == .approved)
        let receipt = try await bank.receipt(asked.id, meeting: rule)
        #expect(receipt.need == 2 && receipt.answers.map(\.deviceName) == ["phone of ada", "phone of grace"])
        #expect(Set(receipt.answers.map(\.account)).count == 2)
        // Small amounts are for one, and the receipt of one does not pass for more.
        let small = try await bank.ask(Self.payment(99_999), idempotencyKey: "transfer 2")
        #expect(small.missing == 1)
        _ = try await hands[0].json(["wallet", "answer", small.id, "--allow", "--yes"])
        let alone = try await bank.receipt(small.id, meeting: rule)
        #expect(alone.need == 1 && alone.answers.count == 1)
        try await Self.list(owner, hands[0])

        // Offline, from here on.
        server.stop()
        try Self.offline(receipt, asked.id, small: alone, small.id, service, rule)
        try Data(receipt.bytes).write(to: URL(filePath: folder.path("transfer.approval")))
        let checked = try await Program.runAside(
            Program.countersign,
            ["approvals", "check", folder.path("transfer.approval"), "--trust", "bank.example=\(key)"])
        #expect(checked.status == 0 && checked.output.contains("2 of 2"), "\(checked)")
        #expect(checked.output.contains("phone of ada") && checked.output.contains("phone of grace"), "\(checked)")
    }

    /// The administrator's command, and what it says.
    private static func set(_ owner: Hand) async throws {
        let command = ["admin", "service", "quorum", "bank.example"]
        let set = try await owner.json(command + ["--currency", "GBP", "--step", "0:1", "--step", "100000:2"])
        #expect(set["act"]?["type"] == .text("service.changed"))
        let expected = JSON.members([
            ("currency", .text("GBP")),
            (
                "steps",
                .array([
                    .members([("from", .integer(0)), ("need", .integer(1))]),
                    .members([("from", .integer(100_000)), ("need", .integer(2))]),
                ])
            ),
        ])
        #expect(set["service"]?["quorum"] == expected)
        let said = try await owner.run(command + ["--currency", "GBP", "--step", "0:1", "--step", "100000:2"])
        #expect(said.output.contains("From 1 000.00 GBP: 2 to approve."), "\(said)")
    }

    /// Everybody who lists services sees the rule; members change none.
    private static func list(_ owner: Hand, _ member: Hand) async throws {
        let list = try await owner.run(["admin", "service", "list"])
        #expect(list.output.contains("GBP 0:1 100000:2"), "\(list)")
        let refused = try await member.run(["admin", "service", "quorum", "bank.example", "--none"])
        #expect(refused.status == 1, "\(refused)")
        let items = try await owner.json(["admin", "service", "list"])["items"]?.array
        #expect(items?.first?["quorum"]?["currency"] == .text("GBP"))
        let removed = try await owner.json(["admin", "service", "quorum", "bank.example", "--none"])
        #expect(removed["service"]?["quorum"] == nil && removed["act"]?["type"] == .text("service.changed"))
        #expect(try await !owner.run(["admin", "service", "list"]).output.contains("GBP 0:1"))
    }

    /// Receipts are checked from their bytes, against the service's own copy of the rule.
    private static func offline(
        _ receipt: CountersignService.Receipt, _ id: String, small: CountersignService.Receipt, _ smallID: String,
        _ service: PinnedService, _ rule: QuorumRule
    ) throws {
        #expect(try CountersignService.Receipt(receipt.bytes, of: service, for: id, meeting: rule) == receipt)
        #expect(try CountersignService.Receipt(small.bytes, of: service, for: smallID, meeting: rule) == small)
        for line in ["GBP 0:2", "EUR 0:1 5:2", "GBP 0:1 99999:2"] {
            let stricter = try #require(QuorumRule(line))
            #expect(throws: ServiceError.badReceipt(.tooFew), "\(line)") {
                try CountersignService.Receipt(small.bytes, of: service, for: smallID, meeting: stricter)
            }
            #expect(try CountersignService.Receipt(receipt.bytes, of: service, for: id, meeting: stricter) == receipt)
        }
    }

    /// Enrols a member's wallet by its command, while the service compares the codes.
    private static func enrol(_ member: Hand, _ user: String, at bank: ServiceClient) async throws {
        let begun = try await bank.enrol(user: user, session: session)
        async let outcome = member.run(["wallet", "enrol", try #require(begun.link), "--name", "phone of \(user)"])
        var shown = begun
        while shown.state == .open {
            try await Task.sleep(for: .milliseconds(50))
            shown = try await bank.enrolment(begun.id)
        }
        let confirmed = try await bank.confirm(enrolment: begun.id, code: try #require(shown.code), session: session)
        #expect(confirmed.state == .completed)
        let enrolled = try await outcome
        #expect(enrolled.status == 0, "\(enrolled)")
    }
}
