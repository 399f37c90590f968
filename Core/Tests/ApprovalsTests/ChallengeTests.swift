import Approvals
import EllipticCurves
import Encodings
import Testing

@Suite("A challenge of version 2")
struct ChallengeTests {
    private let fixture: ApprovalFixture

    init() throws { fixture = try ApprovalFixture() }

    @Test("has the bytes, lines and hash that Python has, and its signature holds")
    func bytes() throws {
        for section in ["challenges", "rendering"] {
            let vectors = try #require(fixture.json[bytes: Bytes(text: section)]?.array)
            #expect(vectors.count >= 8)
            for vector in vectors {
                let name = string(try vector.text("note"))
                let message = try vector.hex("message")
                let made = try ApprovalChallenge(try vector.member("members"))
                let read = try UnverifiedApprovalChallenge.parse(message)
                #expect(read.challenge == made, "\(name)")
                #expect(read.statement == made.statement(), "\(name)")
                #expect(made.shown(suite: fixture.suite) == (try vector.hex("shown")), "\(name)")
                let lines = try vector.list("lines").map { [$0.array?[0].string, $0.array?[1].string] }
                #expect(made.lines.map { [Bytes(text: string($0.label)), $0.text] } == lines, "\(name)")
                guard section == "challenges" else { continue }
                #expect(try fixture.challenge(message).encoded() == message, "\(name)")
            }
        }
    }

    @Test("is refused for everything that is not exactly one, each for its own reason")
    func refused() throws {
        let vectors = try fixture.json.list("challenges_refused")
        #expect(vectors.count == 72)
        for vector in vectors {
            let name = string(try vector.text("note"))
            do {
                _ = try fixture.challenge(try vector.hex("message"))
                Issue.record("accepted: \(name)")
            } catch let error as ApprovalError {
                #expect(string(error.name) == string(try vector.text("error")), "\(name)")
            }
        }
    }

    @Test("has up to 64 KiB of text, and is refused above, not cut")
    func longest() throws {
        var parts = ChallengeParts()
        parts.fields = [.text(Bytes(repeating: 0x78, count: 65_536 - parts.name.count))]
        let challenge = try parts.challenge()
        #expect(try ApprovalChallenge.parse(challenge.statement()) == challenge)
        #expect(challenge.lines.contains { $0.text.count == 65_536 - parts.name.count })
        parts.fields.append(.payee([0x78]))
        #expect(try parts.problem() == .textTooLong)
        parts.fields = [.text(Bytes(repeating: 0x78, count: 65_537 - parts.name.count))]
        #expect(try parts.problem() == .textTooLong)
        // Even the largest that there is can be read again, and travels in parts.
        parts.fields = (0..<256).map { _ in .account(Bytes(repeating: 0x78, count: 255)) }
        parts.approvers = (0..<16).map { Bytes(repeating: $0, count: 32) }
        parts.replyURL = Bytes(repeating: 0x78, count: 2_048)
        let largest = try parts.challenge()
        #expect(try ApprovalChallenge.parse(largest.statement()) == largest)
        let signed = SignedApprovalChallenge(signing: largest, signature: Bytes(repeating: 1, count: 64))
        #expect(try UnverifiedApprovalChallenge.parse(signed.encoded()).challenge == largest)
        #expect(try ApprovalPart.parts(of: signed.encoded(), suite: PureSuite()).count <= ApprovalPart.maximumCount)
    }

    @Test("is not made of what could not be read")
    func problems() throws {
        func problem(_ change: (inout ChallengeParts) -> Void) throws -> ChallengeProblem? {
            var parts = ChallengeParts()
            change(&parts)
            return try parts.problem()
        }
        #expect(try problem { _ in } == nil)
        #expect(try problem { $0.fields = [] } == .fieldCount)
        #expect(try problem { $0.fields = Array(repeating: .time(0), count: 257) } == .fieldCount)
        #expect(try problem { $0.fields = [.time(0), .payee([])] } == .field(1))
        #expect(try problem { $0.fields = [.payee([0xC0, 0x80])] } == .field(0))
        #expect(try problem { $0.fields = [.time(-1)] } == .field(0))
        #expect(try problem { $0.expires = $0.created } == .lifetime)
        #expect(try problem { $0.expires = $0.created + 604_801 } == .lifetime)
        #expect(try problem { $0.created = -1 } == .lifetime)
        #expect(try problem { $0.need = 0 } == .quorum)
        #expect(try problem { $0.need = 2 } == .quorum)
        #expect(try problem { $0.approvers = [] } == .quorum)
        #expect(try problem { $0.approvers = [$0.approvers[0], $0.approvers[0]] } == .quorum)
        #expect(try problem { $0.approvers = (0..<17).map { Bytes(repeating: $0, count: 32) } } == .quorum)
        #expect(try problem { $0.approvers = [[1]] } == .quorum)
        #expect(try problem { $0.id = [] } == .form)
        #expect(try problem { $0.nonce = [] } == .form)
        #expect(try problem { $0.replyURL = [] } == .form)
        #expect(try problem { $0.replyURL = Bytes(repeating: 0x78, count: 2_049) } == .form)
    }

    @Test("does not let the code be found by trying all of them, without the salt")
    func match() throws {
        let salt = Bytes(repeating: 7, count: 32)
        let secret = try MatchSecret(code: Bytes(text: "42"), salt: salt)
        let requirement = try secret.requirement(suite: fixture.suite)
        #expect(requirement.isMet(code: Bytes(text: "42"), salt: salt, suite: fixture.suite))
        #expect(!requirement.isMet(code: Bytes(text: "43"), salt: salt, suite: fixture.suite))
        #expect(!requirement.isMet(code: Bytes(text: "42"), salt: [], suite: fixture.suite))
        let noSalt = Bytes(repeating: 0, count: 32)
        for number in 0..<100 {
            let code = Bytes(text: (number < 10 ? "0" : "") + "\(number)")
            #expect(!requirement.isMet(code: code, salt: noSalt, suite: fixture.suite))
        }
        for code in ["", "4", "4x", "1234567890123"] {
            #expect(throws: ApprovalError.malformed) { try MatchSecret(code: Bytes(text: code), salt: salt) }
        }
        #expect(throws: ApprovalError.malformed) { try MatchSecret(code: Bytes(text: "42"), salt: []) }
    }

    @Test("asks as many people as the amount says")
    func quorumRule() throws {
        let pounds = try #require(Currency(code: Bytes(text: "GBP")))
        let euros = try #require(Currency(code: Bytes(text: "EUR")))
        let rule = try #require(
            QuorumRule(
                currency: pounds,
                steps: [.init(from: 0, need: 1), .init(from: 100_000, need: 2), .init(from: 1_000_000, need: 3)]))
        for (amount, need) in [(0, 1), (99_999, 1), (100_000, 2), (999_999, 2), (1_000_000, 3)] as [(Int64, Int)] {
            for action: ApprovalAction in [.pay, .change, .agree, .signIn] {
                #expect(rule.need(for: action, [.payee([0x78]), .amount(amount, pounds)]) == need)
            }
        }
        // Nobody escapes by splitting, converting or leaving out the amount.
        #expect(rule.need(for: .pay, [.amount(99_999, pounds), .amount(1, pounds)]) == 2)
        #expect(rule.need(for: .pay, [.amount(99_998, pounds), .amount(1, pounds)]) == 1)
        #expect(rule.need(for: .pay, [.amount(.max, pounds), .amount(1, pounds)]) == 3)
        #expect(rule.need(for: .pay, [.amount(1, pounds), .amount(1, euros)]) == 3)
        #expect(rule.need(for: .signIn, [.amount(1, euros)]) == 3)
        #expect(rule.need(for: .pay, [.payee([0x78])]) == 3)
        // What moves no money takes the first step, and a sign-in one person.
        let always = try #require(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 2)]))
        #expect(always.need(for: .change, []) == 2 && rule.need(for: .change, []) == 1)
        #expect(always.need(for: .agree, [.text([0x78])]) == 2 && rule.need(for: .agree, []) == 1)
        #expect(always.need(for: .signIn, []) == 1 && always.need(for: .signIn, [.amount(0, pounds)]) == 2)
        #expect(QuorumRule(currency: pounds, steps: []) == nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 1, need: 1)]) == nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 0)]) == nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 17)]) == nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 2), .init(from: 0, need: 3)]) == nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 2), .init(from: 5, need: 2)]) == nil)
        let most = DisplayField.maximumAmount
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 1), .init(from: most, need: 2)]) != nil)
        #expect(QuorumRule(currency: pounds, steps: [.init(from: 0, need: 1), .init(from: most + 1, need: 2)]) == nil)
    }

    @Test("a quorum rule has one spelling as a line of text")
    func quorumText() throws {
        for line in ["GBP 0:1", "GBP 0:1 100000:2", "JPY 0:2 1:16", "KWD 0:1 1000000000000000:2"] {
            #expect(try #require(QuorumRule(text: Bytes(text: line))).text == Bytes(text: line))
        }
        for line in [
            "", "GBP", "GBP ", "GBP 0", "GBP 0:", "GBP :1", "GBP 0:1 ", "GBP  0:1", " GBP 0:1", "gbp 0:1", "XAU 0:1",
            "GBP 0:1:2", "GBP 00:1", "GBP 0:01", "GBP -0:1", "GBP 0:+1", "GBP 1:1", "GBP 0:0", "GBP 0:17",
            "GBP 0:2 5:1", "GBP 0:1 1000000000000001:2", "GBP 0:1 18446744073709551616:2", "GBP 0:1\n",
            "GBP" + (0..<17).map { " \($0):\($0 + 1)" }.joined(),
        ] {
            #expect(QuorumRule(text: Bytes(text: line)) == nil, "\(line)")
        }
    }
}
