import Approvals
import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Bench
@testable import Wallet
@testable import countersign

/// Services and answers on the command line, against a real server.
@Suite("Approvals on the command line", .timeLimit(.minutes(15)))
struct ApprovalCommandTests {
    private static let session = "a session of the bank"

    @Test("an administrator adds a service, a member enrols a wallet, allows with the code and denies")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, _) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let owner = Hand(wallet: cast.path(DemoCast.owner), passphrase: folder.path("pass"))
        let added = try await owner.json(["admin", "service", "add", "bank.example", "Example Bank"])
        let apiKey = String(decoding: try #require(added["api_key"]?.string), as: UTF8.self)
        #expect(added["act"]?["type"] == .text("service.added"))
        let again = try await owner.run(["admin", "service", "add", "bank.example", "Example Bank"])
        #expect(again.status == 1 && again.errors.contains("Remove it first"), "\(again)")
        let list = try await owner.run(["admin", "service", "list"])
        #expect(list.output.contains("bank.example") && !list.output.contains(apiKey), "\(list)")

        let ada = NewPerson(username: "ada", name: "Ada Lovelace", passphrase: DemoCast.passphrase)
        _ = try await WalletClient.signUp(cast.place(ada), ada)
        let member = Hand(wallet: cast.path(ada), passphrase: folder.path("pass"))
        let bank = ServerClient(address: try ServerAddress(server.url), token: SessionToken(apiKey))
        try await Self.enrol(member, at: bank, ["--name", "laptop"])

        // A second key for the same user: the wallet's own first one vouches for it.
        try await Self.enrol(member, at: bank, ["--name", "laptop again"])

        // Asked twice: one is allowed with the code, one denied.
        let first = try await Self.ask(bank, "1", digits: 6)
        let waiting = try await member.json(["wallet", "challenges"])
        #expect(waiting["items"]?.array?.compactMap { $0["id"] } == [.text(first.id)])
        let blind = try await member.run(["wallet", "answer", first.id, "--allow", "--yes"])
        #expect(blind.status == 2 && blind.errors.contains("give --code"), "\(blind)")
        #expect(blind.errors.contains("amount: 30.00 GBP\npayee: Purple Plumbing\n"), "\(blind)")
        // The question has no field of a time: when it was asked is shown all the same.
        let asked = try #require(waiting["items"]?.array?.first?["created"]?.integer)
        let end = try #require(waiting["items"]?.array?.first?["expires"]?.integer)
        #expect(
            blind.errors.contains("Asked on \(Output.time(asked)). You can answer until \(Output.time(end))."),
            "\(blind)")
        let code = try #require(first.code)
        let wrong = try await member.run([
            "wallet", "answer", first.id, "--allow", "--code", code == "000000" ? "000001" : "000000", "--yes",
        ])
        #expect(wrong.status == 1 && wrong.errors.contains("not the code"), "\(wrong)")
        let allowed = try await member.json([
            "wallet", "answer", try #require(first.link), "--allow", "--code", code, "--yes",
        ])
        #expect(allowed["state"] == .text("approved") && allowed["act"]?["type"] == .text("approval.given"))
        let second = try await Self.ask(bank, "2", digits: 0)
        let denied = try await member.json([
            "wallet", "answer", second.id, "--deny", "--reason", "not-me", "--scope", "service-for-an-hour", "--yes",
        ])
        #expect(denied["state"] == .text("denied") && denied["act"]?["type"] == .text("approval.denied"))
        let late = try await member.run(["wallet", "answer", second.id, "--allow", "--yes"])
        #expect(late.status == 1 && late.errors.contains("Somebody has answered"), "\(late)")
        await #expect(throws: ProblemError.self) { _ = try await Self.ask(bank, "3", digits: 0) }

        // The wallet lists what is over, shows it again, and keeps its receipt.
        let history = try await member.json(["wallet", "challenges", "--all"])["items"]?.array ?? []
        for (id, state) in [(first.id, "approved"), (second.id, "denied")] {
            #expect(history.first { $0["id"] == .text(id) }?["state"] == .text(state))
        }
        let kept = folder.path("first.approval")
        let shown = try await member.run(["wallet", "challenges", first.id, "--out", kept])
        #expect(shown.status == 0 && shown.output.contains("amount: 30.00 GBP\npayee: Purple Plumbing\n"), "\(shown)")
        #expect(shown.output.hasSuffix("\nIt is allowed.\n"), "\(shown)")
        let key = String(decoding: try #require(added["service"]?["public_key"]?.string), as: UTF8.self)
        let checked = try await Program.runAside(
            Program.countersign, ["approvals", "check", kept, "--trust", "bank.example=\(key)"])
        #expect(checked.status == 0 && checked.output.contains("Approved, with the code \(code)."), "\(checked)")

        // Both sides' receipts verify without the server, under the key that the administrator was shown.
        let trusted = TrustedApprovalService(
            id: Bytes(text: "bank.example"),
            key: try #require(
                added["service"]?["public_key"]?.string.flatMap { Base64.decode($0, .url) }
                    .flatMap { P256PublicKey(x963: $0) }))
        for (id, isAllowed) in [(first.id, true), (second.id, false)] {
            let file: ApprovalReceiptFile = try await bank.get("/api/service/challenges/\(id)/receipt")
            let receipt = try ApprovalReceipt.verify(
                try #require(file.receipt.fromBase64URL), trusting: [trusted], suite: SwiftCryptoSuite())
            #expect((receipt.decision == .allow(code: Bytes(text: code))) == isAllowed)
            #expect(receipt.answers.map { String(decoding: $0.name, as: UTF8.self) } == ["laptop again"])
        }
        // Everything is frozen until the owner unfreezes it, by the same way.
        let shop = try await Self.shop(owner, server)
        try await Self.enrol(member, at: shop, ["--name", "laptop"])
        let third = try await Self.ask(shop, "1", digits: 0)
        _ = try await member.json([
            "wallet", "answer", third.id, "--deny", "--reason", "not-me", "--scope", "account", "--yes",
        ])
        let frozen = try await member.json(["wallet", "services", "budget", "--per-service", "3"])
        #expect(frozen["frozen"]?.integer != nil && frozen["per_service"]?.integer == 3)
        let thawed = try await member.json(["wallet", "services", "unfreeze", "--yes"])
        #expect(thawed["frozen"] == nil && thawed["per_service"]?.integer == 3 && thawed["together"]?.integer == 30)
        let devices = try await member.json(["wallet", "services"])
        let known = devices["items"]?.array ?? []
        #expect(known.count == 3)
        let own = try #require(known.first { $0["domain"] == .text("shop.example") }?["id"]?.string)
        let gone = try await member.json([
            "wallet", "services", "remove", String(decoding: own, as: UTF8.self), "--yes",
        ])
        #expect(gone["type"] == .text("approval_device.removed"))
        // Its key is gone: no line can be checked here, but the receipt is the owner's all the same.
        let lines = try await member.run(["wallet", "challenges", third.id])
        #expect(lines.status == 1 && lines.errors.contains("is enrolled"), "\(lines)")
        let later = try await member.run(["wallet", "challenges", third.id, "--out", folder.path("third.approval")])
        #expect(later.status == 0 && later.output == "It is denied.\n", "\(later)")
        #expect(later.errors.contains("its lines are not shown") && !later.output.contains("payee"), "\(later)")
        #expect(FileManager.default.fileExists(atPath: folder.path("third.approval")))
        let unknown = try await member.run(["wallet", "services", "remove", "0a0a", "--yes"])
        #expect(unknown.status == 1 && unknown.errors.contains("nothing by the id"), "\(unknown)")
        let removed = try await owner.json(["admin", "service", "remove", "bank.example", "--yes"])
        #expect(removed["type"] == .text("service.removed"))
    }

    @Test("a wallet signs nothing that no service has asked, and takes no offer of another server")
    func strangers() async throws {
        let folder = try TemporaryFolder()
        let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
            .settle("Purple University")
        defer { server.stop() }
        try DemoCast.passphrase.write(toFile: folder.path("pass"), atomically: true, encoding: .utf8)
        let member = Hand(wallet: cast.path(DemoCast.owner), passphrase: folder.path("pass"))
        let added = try await owner.addApprovalService(domain: "bank.example", name: "Example Bank")
        let bank = ServerClient(address: try ServerAddress(server.url), token: SessionToken(added.apiKey))
        try await Self.enrol(member, at: bank, [])

        // A question in the bank's name by somebody else's key, for the label that the bank knows.
        let asked = try await Self.ask(bank, "1", digits: 0)
        let real = try UnverifiedApprovalChallenge.parse(
            ApprovalLink.parse(Bytes(text: try #require(asked.link)))
        ).challenge
        let key = try SigningKey()
        let forged = try ApprovalChallenge(
            id: real.id, nonce: real.nonce, service: real.service, serverKey: key.publicKey, approvers: real.approvers,
            action: .pay, fields: real.fields, match: nil, created: real.created, expires: real.expires,
            replyURL: real.replyURL)
        for signer in [key.publicKey, real.serverKey] {
            let challenge = try ApprovalChallenge(
                id: forged.id, nonce: forged.nonce, service: forged.service, serverKey: signer,
                approvers: forged.approvers, action: .pay, fields: forged.fields, match: nil, created: forged.created,
                expires: forged.expires, replyURL: forged.replyURL)
            let message = SignedApprovalChallenge(
                signing: challenge, signature: try key.sign(challenge.statement())
            ).encoded()
            let link = String(decoding: ApprovalLink.encode(message), as: UTF8.self)
            let refused = try await member.run(["wallet", "answer", link, "--allow", "--yes"])
            #expect(refused.status == 1 && refused.errors.contains("no service has signed it"), "\(refused)")
            #expect(!refused.errors.contains("amount:"), "\(refused)")
        }
        // An offer whose answer would go elsewhere.
        let now = systemTime()
        let offer = try ApprovalOffer(
            id: Bytes(repeating: 1, count: 16), nonce: Bytes(repeating: 2, count: 32),
            account: Bytes(repeating: 3, count: 32), service: real.service, serverKey: key.publicKey, created: now,
            expires: now + 60, replyURL: Bytes(text: "https://evil.example/api/approvals/enrolments/01"))
        let message = offer.encoded(signature: try key.sign(offer.statement()))
        let link = String(decoding: ApprovalLink.encode(message), as: UTF8.self)
        let refused = try await member.run(["wallet", "enrol", link])
        #expect(refused.status == 1 && refused.errors.contains("another server"), "\(refused)")
    }

    /// A second service.
    private static func shop(_ owner: Hand, _ server: DemoServer) async throws -> ServerClient {
        let added = try await owner.json(["admin", "service", "add", "shop.example", "Example Shop"])
        let apiKey = String(decoding: try #require(added["api_key"]?.string), as: UTF8.self)
        return ServerClient(address: try ServerAddress(server.url), token: SessionToken(apiKey))
    }

    /// Enrols a wallet by its command, while the service compares the codes.
    static func enrol(_ member: Hand, at bank: ServerClient, _ arguments: [String]) async throws {
        try await enrol(member, with: try await begin(at: bank), at: bank, arguments)
    }

    /// The bank begins an enrolment of its customer.
    static func begin(at bank: ServerClient, user: String = "customer") async throws -> ApprovalEnrolment {
        try await bank.post("/api/service/enrolments", NewApprovalEnrolment(user: user, session: session))
    }

    /// The bank's session says that the codes are the same.
    static func confirm(_ begun: ApprovalEnrolment, _ code: String, at bank: ServerClient) async throws {
        let confirmed: ApprovalEnrolment = try await bank.post(
            "/api/service/enrolments/\(begun.id)/confirm", ApprovalEnrolmentConfirmation(session: session, code: code))
        #expect(confirmed.state == .completed)
    }

    /// Enrols a wallet by its command with an offer that was made before.
    static func enrol(
        _ member: Hand, with begun: ApprovalEnrolment, at bank: ServerClient, _ arguments: [String]
    ) async throws {
        async let outcome = member.run(["wallet", "enrol", try #require(begun.link)] + arguments)
        var shown = begun
        while shown.state == .open {
            try await Task.sleep(for: .milliseconds(50))
            shown = try await bank.get("/api/service/enrolments/\(begun.id)")
        }
        let code = try #require(shown.code)
        try await confirm(begun, code, at: bank)
        let enrolled = try await outcome
        #expect(enrolled.status == 0 && enrolled.errors.contains(code), "\(enrolled)")
    }

    static func ask(
        _ bank: ServerClient, _ key: String, digits: Int, of user: String = "customer"
    ) async throws -> ServiceChallenge {
        try await bank.post(
            "/api/service/challenges",
            NewApprovalChallenge(
                idempotencyKey: key, action: .pay,
                fields: [
                    ApprovalField(.amount, value: 3_000, currency: "GBP"),
                    ApprovalField(.payee, text: "Purple Plumbing"),
                ], approvers: [user], lifetime: 300, matchDigits: digits))
    }
}
