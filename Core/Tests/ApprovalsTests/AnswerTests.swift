import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("An answer of version 2")
struct AnswerTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    private func verified(_ vector: JSON) throws -> GivenAnswer {
        let challenge = try fixture.challenge(try vector.hex("challenge"))
        let answer = try ApprovalAnswer.parse(try vector.hex("message"))
        let device = EnrolledApprovalDevice(key: try vector.key("device"), account: try vector.hex("account"))
        let match = try vector["code"]?.string.map { try MatchSecret(code: $0, salt: vector.hex("salt")) }
        return try answer.verified(for: challenge, device: device, match: match, suite: fixture.suite)
    }

    private func decision(_ signed: JSON) throws -> ApprovalDecision {
        guard let reason = signed["reason"]?.string else { return .allow(code: signed["code"]?.string) }
        let scope = string(try signed.text("scope"))
        return .deny(
            reason.equals("mistake") ? .mistake : .notMe,
            scope == "account" ? .account : scope == "request" ? .request : .service)
    }

    @Test("signs the bytes that Python signs, and counts")
    func accepted() throws {
        let vectors = try fixture.json.list("answers")
        #expect(vectors.count == 9)
        for vector in vectors {
            let name = string(try vector.text("note"))
            let challenge = try fixture.challenge(try vector.hex("challenge"))
            let decision = try decision(try vector.member("decision"))
            #expect(try challenge.bytesToSign(decision, suite: fixture.suite) == (try vector.hex("signed")), "\(name)")
            let given = try verified(vector)
            #expect(given.decision == decision, "\(name)")
            #expect(given.approver == (try vector.hex("account")))
            let answer = try ApprovalAnswer.parse(try vector.hex("message"))
            #expect(answer.encoded() == (try vector.hex("message")), "\(name)")
            let made = ApprovalAnswer(
                to: challenge, decision, key: answer.key, signature: answer.signature, suite: fixture.suite)
            #expect(made == answer, "\(name)")
        }
    }

    @Test("is refused if it is for anything else, each time for its own reason")
    func refused() throws {
        let vectors = try fixture.json.list("answers_refused")
        #expect(vectors.count == 20)
        for vector in vectors {
            let name = string(try vector.text("note"))
            do {
                _ = try verified(vector)
                Issue.record("accepted: \(name)")
            } catch let error as ApprovalError {
                #expect(string(error.name) == string(try vector.text("error")), "\(name)")
            }
        }
    }

    @Test("is refused after any single byte of it is changed or missing")
    func everyByte() throws {
        for vector in try fixture.json.list("answers") {
            let message = try vector.hex("message")
            let challenge = try fixture.challenge(try vector.hex("challenge"))
            let device = EnrolledApprovalDevice(key: try vector.key("device"), account: try vector.hex("account"))
            let match = try vector["code"]?.string.map { try MatchSecret(code: $0, salt: vector.hex("salt")) }
            func verify(_ message: Bytes, _ suite: some CryptoSuite) throws {
                _ = try ApprovalAnswer.parse(message).verified(
                    for: challenge, device: device, match: match, suite: suite)
            }
            let learned = try LearnedSuite { try verify(message, $0) }
            try verify(message, learned)
            for index in 0..<message.count {
                for change: UInt8 in [1, 2, 0x20, 0x80] {
                    var changed = message
                    changed[index] ^= change
                    #expect(throws: ApprovalError.self) { try verify(changed, learned) }
                }
                #expect(throws: ApprovalError.self) { try verify(Array(message[0..<index]), learned) }
            }
        }
    }

    @Test("is not to be had without a challenge, a device or the code")
    func missing() throws {
        let vector = try #require(try fixture.json.list("answers").first)
        let challenge = try fixture.challenge(try vector.hex("challenge"))
        let answer = try ApprovalAnswer.parse(try vector.hex("message"))
        let device = EnrolledApprovalDevice(key: answer.key, account: try vector.hex("account"))
        let suite = fixture.suite
        #expect(throws: ApprovalError.unknownChallenge) {
            try answer.verified(for: nil, device: device, match: nil, suite: suite)
        }
        #expect(throws: ApprovalError.unknownDevice) {
            try answer.verified(for: challenge, device: nil, match: nil, suite: suite)
        }
        // A server that lost the code accepts none.
        #expect(throws: ApprovalError.wrongCode) {
            try answer.verified(for: challenge, device: device, match: nil, suite: suite)
        }
        #expect(throws: ApprovalError.malformed) { try challenge.bytesToSign(.allow(code: nil), suite: suite) }
        #expect(throws: ApprovalError.malformed) { try challenge.bytesToSign(.allow(code: [0x34]), suite: suite) }
    }

    @Test("of the original's kind never has the bytes of this one")
    func separation() throws {
        let original = try OriginalChallenge(
            body: [], category: OriginalChallenge.challengeCategory, expiry: 0, messageID: 1, nonce: [],
            responseURL: [], shortTitle: [], subtitle: [])
        #expect(original.canonical().first == 0x64)
        for vector in try fixture.json.list("answers") {
            let signed = try vector.hex("signed")
            let challenge = try fixture.challenge(try vector.hex("challenge"))
            #expect(signed.first == 0x6C)
            #expect(signed != challenge.statement)
            // Every word that is shown is in what the device signs.
            #expect(signed.firstRange(of: challenge.statement) != nil)
        }
    }
}
