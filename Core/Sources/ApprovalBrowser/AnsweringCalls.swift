import Approvals
import BrowserCalls
import EllipticCurves
import Encodings

extension ApprovalBrowser {
    /// Reading a challenge and answering it; each takes the challenge as a blob.
    static let challenges = [
        Function("challenge_sender", [], blobs: 1...1, challengeSender),
        Function("challenge", ["service", "server_key"], blobs: 1...1, readChallenge),
        Function("answer_bytes", ["service", "server_key"] + decisionMembers, blobs: 1...1, answerBytes),
        Function(
            "answer", ["service", "server_key", "key", "signature"] + decisionMembers, blobs: 1...1, makeAnswer),
    ]

    private static let decisionMembers: [StaticString] = ["decision", "code", "reason", "scope"]

    /// → `{id, service, server_key, labels}`, which nobody has checked: a wallet looks up what it keeps of that service, and
    /// under which of the labels it may answer.
    private static func challengeSender(_ call: Call) throws(BrowserError) -> Answer {
        do throws(ApprovalError) {
            let challenge = try UnverifiedApprovalChallenge.parse(call.blobs[0]).challenge
            return Answer([
                ("id", .base64URL(challenge.id)), ("service", .string(challenge.service.id)),
                ("server_key", .base64URL(challenge.serverKey.x963)),
                ("labels", .array(challenge.approvers.map { .base64URL($0) })),
            ])
        } catch {
            throw BrowserError(error)
        }
    }

    /// `{service, server_key}`, as the wallet keeps them → `{id, lines, action, digits?, need, approvers, created,
    /// expires, reply}`: everything to show, and how many digits the code has that the asking page shows.
    private static func readChallenge(_ call: Call) throws(BrowserError) -> Answer {
        let challenge = try signed(call).challenge
        return Answer([
            ("id", .base64URL(challenge.id)), ("lines", json(challenge.lines)),
            ("action", .literal(challenge.action.name)),
            ("digits", challenge.match.map { .integer(Int64($0.digits)) } ?? .null),
            ("need", .integer(Int64(challenge.need))), ("approvers", .integer(Int64(challenge.approvers.count))),
            ("created", .integer(challenge.created)), ("expires", .integer(challenge.expires)),
            ("reply", .string(challenge.replyURL)),
        ])
    }

    /// A decision → the bytes to sign, as a blob.
    private static func answerBytes(_ call: Call) throws(BrowserError) -> Answer {
        Answer(blobs: [try bytesToSign(try signed(call), try decision(call))])
    }

    /// The same decision with `{key, signature}` → the message, as a blob.
    private static func makeAnswer(_ call: Call) throws(BrowserError) -> Answer {
        let challenge = try signed(call)
        let decision = try decision(call)
        let key = try call.approvalKey("key")
        let signature = try call.bytes("signature", count: 64)
        try check(signature, of: key, over: try bytesToSign(challenge, decision))
        let answer = ApprovalAnswer(to: challenge, decision, key: key, signature: signature, suite: PureSuite())
        return Answer(blobs: [answer.encoded()])
    }

    private static func signed(_ call: Call) throws(BrowserError) -> SignedApprovalChallenge {
        let service = try call.text("service", maximum: 253)
        let key = try call.approvalKey("server_key")
        do throws(ApprovalError) {
            return try UnverifiedApprovalChallenge.parse(call.blobs[0]).verified(
                service: service, key: key, suite: PureSuite())
        } catch {
            throw BrowserError(error)
        }
    }

    private static func bytesToSign(
        _ challenge: SignedApprovalChallenge, _ decision: ApprovalDecision
    ) throws(BrowserError) -> Bytes {
        do throws(ApprovalError) {
            return try challenge.bytesToSign(decision, suite: PureSuite())
        } catch {
            throw BrowserError("wrong_code_length", member: "code", "has not as many digits as the challenge asks for.")
        }
    }

    /// `decision` is `allow`, with `code` when the challenge asks for one, or `deny` with `reason` and `scope`.
    private static func decision(_ call: Call) throws(BrowserError) -> ApprovalDecision {
        let name = try call.text("decision", maximum: 8)
        if name.equals("allow") { return .allow(code: try call.optionalText("code", maximum: 12)) }
        guard name.equals("deny") else {
            throw BrowserError("wrong_type", member: "decision", "is not allow or deny.")
        }
        let reasonName = try call.text("reason", maximum: 32)
        let scopeName = try call.text("scope", maximum: 32)
        guard let reason = DenialReason.all.first(where: { reasonName.equals($0.name) }) else {
            throw BrowserError("wrong_type", member: "reason", "is not mistake or not-me.")
        }
        guard let scope = DenialScope.all.first(where: { scopeName.equals($0.name) }) else {
            throw BrowserError("wrong_type", member: "scope", "is not request, service-for-an-hour or account.")
        }
        return .deny(reason, scope)
    }

    /// Lines as a page draws them: `[{label, text}]`.
    static func json(_ lines: [RenderedLine]) -> JSON {
        .array(lines.map { .members([("label", .literal($0.label)), ("text", .string($0.text))]) })
    }

    static func check(_ signature: Bytes, of key: P256PublicKey, over bytes: Bytes) throws(BrowserError) {
        guard PureSuite().isValidP256(signature, over: bytes, publicKey: key.x963) else {
            throw BrowserError(ApprovalError.invalidSignature)
        }
    }
}
