import Approvals
import Encodings
import Interface
import Wallet

/// A service as its own server would call the installation, with its API key.
struct AttackSite: Sendable {
    /// With the API key.
    let client: ServerClient
    /// Without any key, as apps are.
    let stranger: ServerClient
    let session = "countersign attack \(Self.randomText())"

    init(_ address: ServerAddress, key: String) {
        stranger = ServerClient(address: address)
        client = stranger.with(token: SessionToken(key))
    }

    /// 24 random hexadecimal digits: a name that no run before this one has used.
    static func randomText() -> String { (0..<12).map { _ in UInt8.random(in: 0...255) }.hex }

    /// A challenge of version 1, and the server's signature.
    struct Challenge: Sendable {
        let fields: OriginalChallenge
        let signature: Bytes

        init(link: String?) throws {
            guard let link, let parsed = try? OriginalLink.parse(Bytes(text: link)) else {
                throw AttackTrouble(words: "the server gave no link that can be read")
            }
            (fields, signature) = (parsed.challenge, parsed.signature)
        }
    }

    /// Calls, and again after a pause when the server asks for one.
    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> RawAnswer {
        try await Self.patiently { try await client.exchange(method, path, body: body?.serialized()) }
    }

    /// Posts a reply as an app does.
    func callback(_ body: Bytes) async throws -> RawAnswer {
        try await Self.patiently {
            try await stranger.exchange("POST", "/api/authreq/callback", body: body, mediaType: nil)
        }
    }

    private static func patiently(_ send: () async throws -> RawAnswer) async throws -> RawAnswer {
        for _ in 0..<3 {
            let answer = try await send()
            // A wait of minutes is a refusal, and not traffic.
            guard answer.status == 429, let seconds = answer.retryAfter, seconds <= 5 else { return answer }
            try await Task.sleep(for: .seconds(seconds))
        }
        return try await send()
    }

    /// Begins an enrolment of version 1.
    ///
    /// - Throws: `AttackTrouble`, `originalOff` only if the server says so: a page that is missing says nothing.
    func begin(_ user: String, lifetime: Int64 = 600) async throws -> (id: String, challenge: Challenge) {
        let answer = try await call(
            "POST", "/api/service/authreq/enrolments",
            .members([("user", .text(user)), ("session", .text(session)), ("lifetime", .integer(lifetime))]))
        if answer.status == 409, answer.json?.text("error") == "version_1_off" { throw AttackTrouble.originalOff }
        guard let json = answer.json, let id = json.text("id") else { throw answer.trouble("begins no enrolment") }
        return (id, try Challenge(link: json.text("link")))
    }

    /// Where an enrolment stands.
    func enrolment(_ id: String) async throws -> (state: String, link: String?) {
        let answer = try await call("GET", "/api/service/authreq/enrolments/\(id)")
        guard let json = answer.json, let state = json.text("state") else { throw answer.trouble("shows no enrolment") }
        return (state, json.text("link"))
    }

    /// Has the person's wallet asked about an app.
    func askWallet(_ id: String) async throws -> (question: String, code: String) {
        let answer = try await call(
            "POST", "/api/service/authreq/enrolments/\(id)/ask", .members([("session", .text(session))]))
        guard let question = answer.json?.text("question"), let code = answer.json?.text("code") else {
            throw answer.trouble("asks no wallet")
        }
        return (question, code)
    }

    func end(_ id: String) async throws {
        _ = try await call(
            "POST", "/api/service/authreq/enrolments/\(id)/end", .members([("session", .text(session))]))
    }

    /// Asks an app.
    func ask(
        _ user: String, lines: [String] = ["Paying £30.00 to Purple Plumbing."], lifetime: Int64 = 300
    ) async throws -> Challenge {
        let answer = try await tryToAsk(user, lines: lines, lifetime: lifetime)
        guard answer.status < 300 else { throw answer.trouble("asks nothing") }
        return try Challenge(link: answer.json?.text("link"))
    }

    func tryToAsk(_ user: String, lines: [String], lifetime: Int64 = 300) async throws -> RawAnswer {
        try await call(
            "POST", "/api/service/authreq/challenges",
            .members([
                ("user", .text(user)), ("title", .text("countersign attack")),
                ("lines", .array(lines.map(JSON.text))), ("lifetime", .integer(lifetime)),
            ]))
    }

    func isSigned(_ challenge: Challenge, user: String? = nil) async throws -> Bool {
        let path = "/api/authreq/isSigned?message_id=\(challenge.fields.messageID)" + (user.map { "&user=\($0)" } ?? "")
        let answer = try await call("GET", path)
        guard case .bool(let signed) = answer.json?["signed"] else {
            throw answer.trouble("does not say what is signed")
        }
        return signed
    }

    func cancel(_ challenge: Challenge) async throws -> RawAnswer {
        try await call("POST", "/api/service/authreq/challenges/\(challenge.fields.messageID)/cancel")
    }

    /// Whether a reply that must not count is refused, and nothing is signed by it.
    func refuses(_ body: Bytes, for challenge: Challenge) async throws -> AttackVerdict {
        let answer = try await callback(body)
        if answer.isSuccess { return .wrong("it was accepted") }
        if try await isSigned(challenge) { return .wrong("it was refused, and yet the challenge is signed") }
        return .right
    }
}

extension RawAnswer {
    /// Whether an app takes it for success.
    var isSuccess: Bool { json?["success"] == .bool(true) }

    /// The server does not do what has to be done first.
    func trouble(_ what: String) -> AttackTrouble {
        let name = json?.text("error") ?? json?.text("title") ?? ""
        return AttackTrouble(words: "the server \(what): status \(status) \(name)")
    }
}

extension JSON {
    /// A member that is text.
    func text(_ name: StaticString) -> String? { self[name]?.string.map { String(decoding: $0, as: UTF8.self) } }
}
