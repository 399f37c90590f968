import Approvals
import Encodings
import Interface
import Wallet

/// The mitigations of BCP 247 (RFC 10027, Security of Cross-Device Flows) that can be seen from outside.
struct Mitigations: Sendable {
    let site: AttackSite
    let member: AttackMember?
    /// A user of the service whose wallet is the member's; nobody's without a member.
    let user: String
    /// Whether the user has an app of version 1, which can be asked.
    let speaksOriginal: Bool

    func run() async -> [AttackFinding] {
        [
            await .trying("b1", "short life: a request for a month is refused", shortLife),
            await .trying("b2", "one-time codes: three wrong ones end the request", wrongCodes),
            await .trying("b3", "unique codes: no number or id of a request can be guessed", uniqueIDs),
            await .trying("b4", "rate limits: one browser has one sign-in waiting", oneWaiting),
            await .trying("b5", "request verification: no sign-in without a code", codeNeeded),
            await .trying("b6", "the code does not travel with the request", codeApart),
            await .trying("b7", "clear context: the wallet shows who asks, where and what", context),
            await .trying("b8", "trusted devices: who has enrolled none cannot be asked", trustedDevices),
            await .trying("b9", "session binding: another session cannot finish an enrolment", binding),
            await .trying("b10", "one-time requests: asked again with the same key, it asks once", once),
            await .trying("b11", "decline: a denial reaches the service, with its reason", denial),
            await .trying("b12", "detection and repair: after \"not me\" the service has to wait", backOff),
            await Self.authenticated(at: site),
        ]
    }

    private func ask(_ changes: [(String, JSON)] = []) async throws -> RawAnswer {
        let usual: [(String, JSON)] = [
            ("idempotency_key", .text(AttackSite.randomText())), ("action", .text("sign-in")),
            ("fields", .array([.members([("type", .text("place")), ("text", .text("Attack Town"))])])),
            ("approvers", .array([.text(user)])), ("lifetime", .integer(120)), ("match_digits", .integer(12)),
            ("browser", .text("browser \(AttackSite.randomText())")),
        ]
        let names = usual.map(\.0)
        let members =
            usual.map { name, value in (name, changes.last { $0.0 == name }?.1 ?? value) }
            + changes.filter { !names.contains($0.0) }
        return try await site.call("POST", "/api/service/challenges", .members(members.filter { $0.1 != .null }))
    }

    /// What needs version 2 at all; without it, nothing of this is there.
    private func asked(_ changes: [(String, JSON)] = []) async throws -> RawAnswer {
        let answer = try await ask(changes)
        guard answer.status != 404 && answer.status != 405 else { throw Missing() }
        if answer.status == 409, answer.json?.text("error") == "no_device" {
            throw AttackTrouble(words: "a wallet is needed: name one with --wallet")
        }
        return answer
    }

    /// As it should be asked: a refusal after that is about what was changed, and not about the key or a budget.
    private func control() async throws {
        let usual = try await asked()
        guard usual.status == 201 else { throw usual.trouble("asks nothing") }
    }

    private struct Missing: Error {}

    /// The same, told as a fault.
    private func needing(_ body: () async throws -> AttackVerdict) async throws -> AttackVerdict {
        do { return try await body() } catch is Missing { return .wrong("the server does not offer it") }
    }

    /// - Parameter waits: whether a service that has to wait is what is looked for; elsewhere it tells nothing.
    static func whenRefused(_ answer: RawAnswer, _ fault: String, waits: Bool = false) -> AttackVerdict {
        switch answer.status {
        case 429 where !waits: .unknown("the server has the service wait: status 429")
        case 400..<500: .right
        case 500...: .unknown("the server fails: status \(answer.status)")
        default: .wrong("\(fault): status \(answer.status)")
        }
    }

    /// What is told to somebody without a key; nothing follows from a page that is not there.
    static func whenKept(_ answer: RawAnswer) -> AttackVerdict {
        switch answer.status {
        case 401, 403: .right
        case 400...: .unknown("the server asks for no key: status \(answer.status)")
        default: .wrong("it was told without a key: status \(answer.status)")
        }
    }

    private func person() throws -> AttackMember {
        guard let member else { throw AttackTrouble(words: "a wallet is needed: name one with --wallet") }
        return member
    }

    private func shortLife() async throws -> AttackVerdict {
        try await needing {
            try await control()
            return Self.whenRefused(try await asked([("lifetime", .integer(2_592_000))]), "it was asked")
        }
    }

    private func wrongCodes() async throws -> AttackVerdict {
        try await needing {
            let answer = try await asked()
            guard let id = answer.json?.text("id"), let code = answer.json?.text("code") else {
                throw answer.trouble("asks nothing")
            }
            let question = try await person().client.question(id)
            let wrong = code.hasPrefix("0") ? "1" + code.dropFirst() : "0" + code.dropFirst()
            for _ in 0..<3 {
                do {
                    _ = try await person().client.allow(question, code: wrong)
                    return .wrong("a wrong code was accepted")
                } catch is ProblemError {}
            }
            do {
                _ = try await person().client.allow(question, code: code)
                return .wrong("after three wrong codes the right one was accepted")
            } catch is ProblemError {
                return .right
            }
        }
    }

    private func uniqueIDs() async throws -> AttackVerdict {
        if speaksOriginal {
            let first = try await site.ask(user).fields.messageID
            let second = try await site.ask(user).fields.messageID
            guard abs(first - second) >= 1_000 else { return .wrong("two in a row: \(first), \(second)") }
        }
        return try await needing {
            let (first, second) = (try await asked(), try await asked())
            guard let one = first.json?.text("id") else { throw first.trouble("asks nothing") }
            guard let two = second.json?.text("id") else { throw second.trouble("asks nothing") }
            return Self.whenRandom(one, two)
        }
    }

    /// Two ids of version 2, one after the other.
    ///
    /// Ids that are counted up or made of the time are the same in most places, and random ones in few.
    static func whenRandom(_ one: String, _ two: String) -> AttackVerdict {
        let (first, second) = (Bytes(text: one), Bytes(text: two))
        // 16 random bytes in base64url; in hexadecimal they are longer.
        guard min(first.count, second.count) >= 22 else { return .wrong("too short: \(one), \(two)") }
        let same = zip(first, second).count { $0 == $1 }
        return 2 * same > min(first.count, second.count) ? .wrong("two in a row: \(one), \(two)") : .right
    }

    private func oneWaiting() async throws -> AttackVerdict {
        try await needing {
            let browser = JSON.text("browser \(AttackSite.randomText())")
            let first = try await asked([("browser", browser)])
            guard first.status == 201 else { throw first.trouble("asks nothing") }
            return Self.whenRefused(try await asked([("browser", browser)]), "a second one was asked", waits: true)
        }
    }

    private func codeNeeded() async throws -> AttackVerdict {
        try await needing {
            try await control()
            return Self.whenRefused(try await asked([("match_digits", .integer(0))]), "it was asked")
        }
    }

    private func codeApart() async throws -> AttackVerdict {
        try await needing {
            let answer = try await asked()
            guard let code = answer.json?.text("code"), let link = answer.json?.text("link"),
                let message = try? ApprovalLink.parse(Bytes(text: link))
            else { throw answer.trouble("asks nothing") }
            return String(decoding: message, as: UTF8.self).contains(code) ? .wrong("it is in the link") : .right
        }
    }

    private func context() async throws -> AttackVerdict {
        try await needing {
            let answer = try await asked()
            guard let id = answer.json?.text("id") else { throw answer.trouble("asks nothing") }
            let lines = try await person().client.question(id).lines
            let labels = Set(lines.map(\.label))
            guard labels.isSuperset(of: ["service", "action", "place", "expires"]) else {
                return .wrong("it shows only: \(labels.sorted().joined(separator: ", "))")
            }
            return .right
        }
    }

    private func trustedDevices() async throws -> AttackVerdict {
        try await needing {
            try await control()
            let nobody = JSON.array([.text("nobody-\(AttackSite.randomText())")])
            return Self.whenRefused(try await ask([("approvers", nobody)]), "a stranger was asked")
        }
    }

    private func binding() async throws -> AttackVerdict {
        try await needing {
            let begun = try await site.call(
                "POST", "/api/service/enrolments",
                .members([("user", .text("b9-\(user)")), ("session", .text(site.session))]))
            guard begun.status != 404 && begun.status != 405 else { throw Missing() }
            guard let id = begun.json?.text("id"), let link = begun.json?.text("link") else {
                throw begun.trouble("begins no enrolment")
            }
            let taken = try await person().client.takeOffer(link, name: "countersign attack")
            let answer = try await site.call(
                "POST", "/api/service/enrolments/\(id)/confirm",
                .members([("session", .text("a session of mallory")), ("code", .text(taken.code))]))
            return Self.whenRefused(answer, "it was confirmed")
        }
    }

    private func once() async throws -> AttackVerdict {
        try await needing {
            let changes: [(String, JSON)] = [
                ("idempotency_key", .text(AttackSite.randomText())), ("action", .text("agree")), ("browser", .null),
            ]
            let (first, second) = (try await asked(changes), try await asked(changes))
            guard let id = first.json?.text("id") else { throw first.trouble("asks nothing") }
            return second.json?.text("id") == id ? .right : .wrong("it asked twice")
        }
    }

    private func denial() async throws -> AttackVerdict {
        try await needing {
            let answer = try await asked([("action", .text("agree")), ("browser", .null)])
            guard let id = answer.json?.text("id") else { throw answer.trouble("asks nothing") }
            let question = try await person().client.question(id)
            _ = try await person().client.deny(question, ApprovalDenial(reason: .mistake, scope: .request))
            let shown = try await site.call("GET", "/api/service/challenges/\(id)").json
            return shown?.text("state") == "denied" && shown?["denial"]?.text("reason") == "mistake"
                ? .right : .wrong("the service sees \(shown?.text("state") ?? "nothing")")
        }
    }

    /// The last that asks: the service has to wait afterwards.
    private func backOff() async throws -> AttackVerdict {
        try await needing {
            let answer = try await asked([("action", .text("agree")), ("browser", .null)])
            guard let id = answer.json?.text("id") else { throw answer.trouble("asks nothing") }
            let question = try await person().client.question(id)
            _ = try await person().client.deny(question, ApprovalDenial(reason: .notMe, scope: .request))
            return Self.whenRefused(try await asked(), "it was asked again at once", waits: true)
        }
    }

    /// Mitigation b13, for which nobody has to be enrolled.
    static func authenticated(at site: AttackSite) async -> AttackFinding {
        await .trying("b13", "nobody else sees what was decided") {
            whenKept(try await site.stranger.exchange("GET", "/api/authreq/isSigned?message_id=1"))
        }
    }
}
