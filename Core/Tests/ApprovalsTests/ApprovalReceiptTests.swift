import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("A receipt for an approval")
struct ApprovalReceiptTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    @Test("that Python made verifies offline, and tells who saw what and answered what")
    func verified() throws {
        let vectors = try fixture.json.list("receipts")
        #expect(vectors.count == 6)
        for vector in vectors {
            let name = string(try vector.text("note"))
            let receipt = try ApprovalReceipt.verify(
                try vector.hex("receipt"), trusting: try fixture.trusted(), suite: fixture.suite)
            let lines = try vector.list("lines").map { [$0.array?[0].string, $0.array?[1].string] }
            #expect(receipt.lines.map { [Bytes(text: string($0.label)), $0.text] } == lines, "\(name)")
            #expect(receipt.time == (try vector.number("time")), "\(name)")
            let accounts = try vector.list("accounts").map { try #require($0.string.flatMap { Hex.decode($0) }) }
            #expect(receipt.answers.map { $0.account } == accounts, "\(name)")
            switch receipt.decision {
            case .allow(let code): #expect(code == vector["decision"]?["code"]?.string, "\(name)")
            case .deny(let reason, let scope):
                #expect(Bytes(text: string(reason.name)) == vector["decision"]?["reason"]?.string, "\(name)")
                #expect(Bytes(text: string(scope.name)) == vector["decision"]?["scope"]?.string, "\(name)")
            }
        }
    }

    @Test("that proves something else is refused, and says what is wrong")
    func refused() throws {
        let vectors = try fixture.json.list("receipts_refused")
        #expect(vectors.count == 31)
        for vector in vectors {
            let name = string(try vector.text("note"))
            do {
                _ = try ApprovalReceipt.verify(
                    try vector.hex("receipt"), trusting: try fixture.trusted(), suite: fixture.suite)
                Issue.record("accepted: \(name)")
            } catch let error as ApprovalReceiptError {
                #expect("\(error)" == string(try vector.text("error")), "\(name)")
            }
        }
    }

    @Test("proves nothing to a reader who trusts no service, or another one")
    func trust() throws {
        let receipt = try fixture.json.list("receipts")[0].hex("receipt")
        let other = try fixture.json.key("other_server")
        for services in [
            [], [TrustedApprovalService(id: try fixture.service(), key: other)],
            [TrustedApprovalService(id: Bytes(text: "other.example"), key: try fixture.server())],
        ] {
            #expect(throws: ApprovalReceiptError.unknownService) {
                try ApprovalReceipt.verify(receipt, trusting: services, suite: fixture.suite)
            }
        }
    }

    @Test("fails after any single byte of it is changed, and cut at any place")
    func everyByte() throws {
        let trusted = try fixture.trusted()
        // A payment with its code, a denial, and two of three: everything that a receipt may hold.
        for number in [0, 2, 3] {
            let receipt = try fixture.json.list("receipts")[number].hex("receipt")
            func verify(_ bytes: Bytes, _ suite: some CryptoSuite) throws {
                _ = try ApprovalReceipt.verify(bytes, trusting: trusted, suite: suite)
            }
            let learned = try LearnedSuite { try verify(receipt, $0) }
            try verify(receipt, learned)
            for index in 0..<receipt.count {
                for change: UInt8 in [1, 2, 0x10, 0x20, 0x80] {
                    var changed = receipt
                    changed[index] ^= change
                    #expect(throws: ApprovalReceiptError.self) { try verify(changed, learned) }
                }
                #expect(throws: ApprovalReceiptError.self) { try verify(Array(receipt[0..<index]), learned) }
            }
            #expect(throws: ApprovalReceiptError.malformed) { try verify(receipt + [0x30], learned) }
        }
    }

    @Test("is made from a challenge, its answers and one more signature, byte for byte as Python makes it")
    func made() throws {
        let bytes = try fixture.json.list("receipts")[3].hex("receipt")
        let parts = try #require(Bencode.parse(bytes, maximumLength: 1 << 17).list)
        let statement = try #require(parts[1].string)
        let challenge = SignedApprovalChallenge(
            signing: try ApprovalChallenge.parse(statement), signature: try #require(parts[2].string))
        let answers = try #require(parts[5].list).map { answer in
            let answer = try #require(answer.list)
            return ReceiptAnswer(
                confirmation: try #require(answer[0].string), confirmationSignature: try #require(answer[1].string),
                signature: try #require(answer[2].string), time: try #require(answer[3].integer))
        }
        let receipt = ApprovalReceipt(
            challenge: challenge, decision: .allow(code: Bytes(text: "42")), answers: answers, salt: parts[6].string,
            time: answers[1].time, suite: fixture.suite)
        let signature = try #require(parts[8].string)
        #expect(receipt.outcome(suite: fixture.suite).statement() == parts[7].string)
        #expect(receipt.encoded(signature: signature, suite: fixture.suite) == bytes)
    }
}
