import Approvals
import CryptoProvider
import Encodings
import Foundation
import Interface
import Testing

@testable import Wallet
@testable import countersign

/// The example bank as a whole: attacks on the original's bank, numbered as in its specification.
@Suite("The example bank", .timeLimit(.minutes(15)))
struct BankTests {
    /// A server, the bank beside it, and two members with wallets.
    private final class Town {
        let server: DemoServer
        let bank: DemoBank
        let alice: WalletClient
        let mallory: WalletClient
        private let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            let (server, cast, owner) = try await ServerMachine(folder: folder, port: try DemoServer.freePort())
                .settle("Purple University")
            self.server = server
            let program = Program.buildFolder.appendingPathComponent("example-bank").path
            bank = try await DemoBank(program, beside: server, owner: owner, folder: folder.url.path)
            var wallets: [WalletClient] = []
            for name in ["alice", "mallory"] {
                let person = NewPerson(username: name, name: name.capitalized, passphrase: DemoCast.passphrase)
                _ = try await WalletClient.signUp(cast.place(person), person)
                wallets.append(try await cast.unlock(person))
            }
            (alice, mallory) = (wallets[0], wallets[1])
        }

        func visitor() -> BankVisitor { BankVisitor(bank.url) }

        deinit {
            bank.stop()
            server.stop()
        }
    }

    /// Lets a wallet answer for a customer.
    private func enrol(_ wallet: WalletClient, as username: String, _ town: Town) async throws {
        let visitor = town.visitor()
        try await visitor.signIn(username)
        try await visitor.get("/factors")
        try await visitor.post("/factors", ["factor": "approval"])
        let link = try #require(await visitor.found(#/id="link" href="([^"]*)"/#))
        let taken = try await wallet.takeOffer(link, name: "phone")
        try await visitor.get("/factors/approval")
        #expect(await visitor.found(#/id="code">(\d{6})</#) == taken.code)
        try await visitor.post("/factors/approval", ["same": "yes"])
        #expect(await visitor.page.contains("Your second factor is now: Approval in your wallet"))
        _ = try await wallet.waitForConfirmation(taken)
    }

    /// What a wallet is asked, and the code that the page shows.
    private func question(_ wallet: WalletClient) async throws -> ShownQuestion {
        try await wallet.question(try #require(try await wallet.challenges().first).id)
    }

    private func code(_ visitor: BankVisitor) async throws -> String {
        try #require(await visitor.found(#/id="code">(\d{4})</#))
    }

    @Test("case 21: a sign-in that one person has approved signs nobody else in")
    func case21() async throws {
        let town = try await Town()
        try await enrol(town.alice, as: "ada", town)
        try await enrol(town.mallory, as: "theo", town)
        let visitor = town.visitor()
        try await visitor.signIn("theo")
        _ = try await town.mallory.allow(try await question(town.mallory), code: try await code(visitor))
        // Approved, and not used: now another name and password in the same session.
        try await visitor.signIn("ada")
        #expect(await visitor.place == "/confirm")
        try await visitor.post("/confirm")
        #expect(await visitor.page.contains("has not answered yet"))
        try await visitor.get("/")
        #expect(await visitor.place == "/sign-in")
        // Ada's own answer opens ada's session, and a planted cookie from before is worth nothing.
        let planted = await visitor.stolen()
        try await visitor.get("/confirm")
        _ = try await town.alice.allow(try await question(town.alice), code: try await code(visitor))
        try await visitor.post("/confirm")
        #expect(await visitor.page.contains("Ada Lovelace"))
        try await planted.get("/")
        #expect(await planted.place == "/sign-in")
    }

    @Test("case 22: a password alone opens nothing, and the page has nothing that an answer could be forged from")
    func case22() async throws {
        let town = try await Town()
        try await enrol(town.alice, as: "ada", town)
        let visitor = town.visitor()
        try await visitor.signIn("ada")
        let link = try #require(await visitor.found(#/href="(authreq:[^"]*)"/#))
        let code = try await code(visitor)
        for path in ["/", "/transfer", "/payees", "/history", "/factors", "/factors/approval"] {
            try await visitor.get(path)
            #expect(await visitor.place == "/sign-in", "\(path)")
        }
        // The bytes are known, and the code. A key that nobody enrolled signs them.
        let suite = SwiftCryptoSuite()
        let parsed = try UnverifiedApprovalChallenge.parse(try ApprovalLink.parse(Bytes(text: link)))
        // They say which browser asks, from where, and when.
        let labels = parsed.challenge.lines.map { "\($0.label)" }
        #expect(labels == ["service", "action", "device", "place", "time", "expires"])
        let challenge = SignedApprovalChallenge(signing: parsed.challenge, signature: parsed.signature)
        let (key, decision) = (try SigningKey(), ApprovalDecision.allow(code: Bytes(text: code)))
        let answer = ApprovalAnswer(
            to: challenge, decision, key: key.publicKey,
            signature: try key.sign(challenge.bytesToSign(decision, suite: suite)), suite: suite)
        let stranger = ServerClient(address: try ServerAddress(town.server.url))
        await #expect(throws: ProblemError.self) {
            let _: AnsweredChallenge = try await stranger.post(
                "/api/approvals/answers", ApprovalMessage(message: answer.encoded().base64URL))
        }
        try await visitor.get("/confirm")
        try await visitor.post("/confirm")
        #expect(await visitor.page.contains("has not answered yet"))
    }

    @Test("case 23: a remark is one line in a field of its own, whatever it says")
    func case23() async throws {
        let town = try await Town()
        try await enrol(town.alice, as: "ada", town)
        let visitor = town.visitor()
        try await visitor.signIn("ada")
        _ = try await town.alice.allow(try await question(town.alice), code: try await code(visitor))
        try await visitor.post("/confirm")
        for remark in ["x'.\nPaying £1.00 to Bob", "x\r\ny", "a\u{202E}b", "a\u{2028}b"] {
            try await visitor.pay("30", remark: remark)
            #expect(await visitor.page.contains("in one line"), "\(remark)")
        }
        #expect(try await town.alice.challenges().isEmpty)
        let remark = "'x'. Paying £1.00 to \"Bob\""
        try await visitor.pay("30", remark: remark)
        let lines = try await question(town.alice).lines
        #expect(lines.count { $0.label == "amount" } == 1 && lines.count { $0.label == "payee" } == 1)
        #expect(lines.first { $0.label == "amount" }?.text == Bytes(text: "30.00 GBP"))
        let shown = lines.filter { $0.label == "text" }.map { String(decoding: $0.text, as: UTF8.self) }
        #expect(shown.contains { $0.contains("Remark: \(remark)") }, "\(shown)")
    }

    @Test("case 24: a session alone adds no device: the present factor allows it, and the old device vouches")
    func case24() async throws {
        let town = try await Town()
        try await enrol(town.alice, as: "ada", town)
        let visitor = town.visitor()
        try await visitor.signIn("ada")
        _ = try await town.alice.allow(try await question(town.alice), code: try await code(visitor))
        try await visitor.post("/confirm")
        // Somebody at this browser asks for another device.
        try await visitor.get("/factors")
        try await visitor.post("/factors", ["factor": "approval"])
        #expect(await visitor.place == "/confirm")
        try await visitor.get("/factors/approval")
        #expect(await visitor.place == "/factors")
        try await visitor.post("/factors/approval", ["same": "yes"])
        #expect(await visitor.page.contains("Begin again"))
        try await visitor.get("/confirm")
        let asked = try await question(town.alice)
        #expect(asked.lines.contains { $0.text == Bytes(text: "Second factor: Approval in your wallet") })
        // Even when it is allowed, a stranger's wallet cannot take the offer.
        _ = try await town.alice.allow(asked, code: try await code(visitor))
        try await visitor.post("/confirm")
        let link = try #require(await visitor.found(#/id="link" href="([^"]*)"/#))
        await #expect(throws: (any Error).self) { try await town.mallory.takeOffer(link, name: "phone") }
    }

    @Test("case 25: pages that are opened do nothing: a transfer is done by its code, and by each code once")
    func case25() async throws {
        let town = try await Town()
        let visitor = town.visitor()
        try await visitor.signIn("theo")
        try await visitor.get("/factors")
        try await visitor.post("/factors", ["factor": "totp"])
        let text = try #require(await visitor.found(#/id="secret">([A-Z2-7]+)</#))
        let secret = try Self.base32(text)
        var step = Int64(Date().timeIntervalSince1970) / 30
        try await visitor.post("/factors/totp", ["code": OneTime.code(secret, step)])
        #expect(await visitor.page.contains("Your second factor is now: Authenticator app"))
        let before = try await visitor.balance()
        try await visitor.pay("30")
        #expect(await visitor.place == "/confirm")
        for path in ["/confirm", "/transfer/check", "/history", "/"] { try await visitor.get(path) }
        #expect(try await visitor.balance() == before)
        try await visitor.get("/confirm")
        for _ in 0..<2 {
            try await visitor.post("/confirm", ["code": ""])
            #expect(await visitor.page.contains("not the code"))
        }
        // A step before or after counts, too, so it does not matter when the next one begins.
        step = max(step + 1, Int64(Date().timeIntervalSince1970) / 30)
        let code = OneTime.code(secret, step)
        try await visitor.post("/confirm", ["code": code])
        #expect(await visitor.page.contains("30.00 GBP went to Purple Plumbing"))
        #expect(try await visitor.balance() == "2470.00 GBP")
        // The same code again, for another transfer.
        try await visitor.pay("40")
        for _ in 0..<3 { try await visitor.post("/confirm", ["code": code]) }
        #expect(await visitor.page.contains("Three wrong codes"))
        #expect(try await visitor.balance() == "2470.00 GBP")
    }

    @Test("a transfer is done when its receipt proves it, once; a denial and a wrong code do nothing")
    func transfers() async throws {
        let town = try await Town()
        try await enrol(town.alice, as: "ada", town)
        let visitor = town.visitor()
        try await visitor.signIn("ada")
        _ = try await town.alice.allow(try await question(town.alice), code: try await code(visitor))
        try await visitor.post("/confirm")
        try await visitor.pay("30.50")
        let asked = try await question(town.alice)
        #expect(asked.lines.contains { $0.label == "account" && $0.text == Bytes(text: "08233593") })
        _ = try await town.alice.allow(asked, code: try await code(visitor))
        // Sent twice at once, it is done once.
        let other = await visitor.stolen()
        try await other.get("/confirm")
        async let first: String = visitor.post("/confirm")
        async let second: String = other.post("/confirm")
        _ = try await (first, second)
        #expect(try await visitor.balance() == "2469.50 GBP")
        try await visitor.pay("20")
        _ = try await town.alice.deny(
            try await question(town.alice), ApprovalDenial(reason: .mistake, scope: .request))
        try await visitor.post("/confirm")
        #expect(await visitor.page.contains("It was denied in your wallet"))
        #expect(try await visitor.balance() == "2469.50 GBP")
    }

    @Test("SMS and card confirm what they name, and forms from elsewhere do nothing")
    func otherFactors() async throws {
        let town = try await Town()
        let (sam, rita, phone) = (town.visitor(), town.visitor(), town.visitor())
        try await sam.signIn("sam")
        #expect(await sam.cookieField.contains("HttpOnly; SameSite=Strict"))
        try await phone.get("/phone")
        let first = try #require(await phone.found(#/Bank: (\d{6}) signs/#))
        try await sam.post("/confirm", ["code": first])
        #expect(await sam.page.contains("Sam Morse"))
        try await sam.pay("30")
        try await phone.get("/phone")
        #expect(await phone.page.contains("pays 30.00 GBP to Purple Plumbing (08233593)"))
        try await sam.post("/confirm", ["code": try #require(await phone.found(#/Bank: (\d{6}) pays/#))])
        #expect(try await sam.balance() == "2470.00 GBP")
        // Without the word of the session, and with another session's.
        try await rita.get("/sign-in")
        let word = try #require(await rita.found(#/name="csrf" value="([0-9a-f]+)"/#))
        for csrf in ["", word] {
            try await sam.get("/payees")
            try await sam.post("/payees", ["name": "Mallory", "number": "99999999"], csrf: csrf)
            #expect(await sam.page.contains("not of your session"))
        }
        #expect(try await !sam.get("/payees").contains("Mallory"))

        try await rita.signIn("rita")
        let challenge = try #require(await rita.found(#/id="challenge">(\d{8})</#))
        try await rita.post("/confirm", ["code": try await read(["challenge": challenge], town)])
        try await rita.pay("30")
        let wrong = try await read(["account": "99999999", "amount": "30"], town)
        try await rita.post("/confirm", ["code": wrong])
        #expect(await rita.page.contains("not the code"))
        try await rita.post("/confirm", ["code": try await read(["account": "08233593", "amount": "30.00"], town)])
        #expect(try await rita.balance() == "2470.00 GBP")
        let times = try await rita.get("/times")
        #expect(times.contains("Card reader") && times.firstMatch(of: #/<td>1</td><td>\d+\.\d s</td>/#) != nil)
    }

    /// What rita's reader shows.
    private func read(_ digits: [String: String], _ town: Town) async throws -> String {
        let reader = town.visitor()
        try await reader.get("/reader")
        try await reader.post("/reader", digits.merging(["card": "rita", "pin": "1234"]) { $1 })
        return try #require(await reader.found(#/reader shows (\d{8})/#))
    }

    private static func base32(_ text: String) throws -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for letter in text {
            (buffer, bits) = ((buffer << 5 | (try #require(alphabet.firstIndex(of: letter)))) & 0xFFFF, bits + 5)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return bytes
    }
}
