import Approvals
import CryptoProvider
import Encodings
import Wallet

/// Attacks with replies to challenges: cases 1 to 9, 16 to 18, and what a site could be made to believe.
struct ReplyAttacks: Sendable {
    let stage: AttackStage
    private var site: AttackSite { stage.site }
    private var app: AttackApp { stage.app }
    /// Asked first, and answered after its time.
    let late: AttackSite.Challenge

    func run() async -> [AttackFinding] {
        [
            await .trying(.valid, valid),
            await .trying(.signatures, signatures),
            await .trying(.fields, fields),
            await .trying(.device, device),
            await .trying(.swapped, swapped),
            await .trying(.repeated, repeated),
            await .trying(.after, after),
            await .trying(.ended, ended),
            await .trying(.union, union),
            await .trying(.timed, timed),
            await Self.malformed(at: site),
            await .trying(.token) { .inside("what is stored of a token shows nowhere") },
            await .trying(.session, session),
            await .trying(.forged, forged),
            await .trying(.lines, lines),
            await .trying(.unsigned, unsigned),
        ]
    }

    private func valid() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        guard try await !site.isSigned(challenge) else { return .wrong("it is signed before anybody answered") }
        let answer = try await site.callback(try app.reply(challenge.fields))
        guard answer.isSuccess, try await site.isSigned(challenge) else {
            return .wrong("a valid reply does not count")
        }
        return .right
    }

    private func signatures() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        let (bytes, suite) = (challenge.fields.canonical(), SwiftCryptoSuite())
        var flipped = try app.key.sign(bytes)
        flipped[20] ^= 1
        guard let der = ECDSASignature.der(fromRaw: flipped) else { return .unknown("no signature") }
        let number = challenge.fields.messageID
        for body in [
            try app.reply(challenge.fields, [("signature", .string(Hex.encode(der)))]),
            try app.reply(signing: suite.sha256(bytes), number: number),
            try app.reply(signing: challenge.fields.digest, number: number),
            try app.reply(signing: bytes + [0x0A], number: number),
        ] {
            if case .wrong(let why) = try await site.refuses(body, for: challenge) { return .wrong(why) }
        }
        return .right
    }

    private func fields() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        let real = challenge.fields
        for field in 0..<8 {
            func text(_ place: Int, _ text: Bytes) -> Bytes { place == field ? text + [0x21] : text }
            let altered = try OriginalChallenge(
                body: text(0, real.body), category: field == 1 ? OriginalChallenge.enrolmentCategory : real.category,
                expiry: real.expiry + (field == 2 ? 60 : 0), messageID: real.messageID, nonce: text(3, real.nonce),
                responseURL: text(4, real.responseURL), shortTitle: text(5, real.shortTitle),
                subtitle: text(6, real.subtitle), title: text(7, real.title))
            let verdict = try await site.refuses(try app.reply(altered), for: challenge)
            if case .wrong(let why) = verdict { return .wrong(why) }
        }
        return .right
    }

    private func device() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        for changes in [[], [("publickey", app.pem)]] as [[(String, JSON)]] {
            let verdict = try await site.refuses(try stage.other.reply(challenge.fields, changes), for: challenge)
            if case .wrong(let why) = verdict { return .wrong(why) }
        }
        return .right
    }

    private func swapped() async throws -> AttackVerdict {
        let (one, two) = (try await site.ask(stage.alice), try await site.ask(stage.alice, lines: ["Another."]))
        return try await site.refuses(
            try app.reply(signing: one.fields.canonical(), number: two.fields.messageID), for: two)
    }

    private func repeated() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        let body = try app.reply(challenge.fields)
        for _ in 0..<3 {
            guard try await site.callback(body).isSuccess else { return .wrong("a lost answer could not be repeated") }
        }
        return try await site.isSigned(challenge) ? .right : .wrong("it is not signed")
    }

    /// The last of all: by then the time is over.
    func lateReply() async throws -> AttackVerdict {
        try await site.refuses(try app.reply(late.fields), for: late)
    }

    private func after() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        guard try await site.callback(try app.reply(challenge.fields)).isSuccess else {
            return .unknown("a valid reply does not count")
        }
        if try await site.callback(try stage.other.reply(challenge.fields)).isSuccess {
            return .wrong("the bad one was accepted")
        }
        return try await site.isSigned(challenge) ? .right : .wrong("it is no longer signed")
    }

    private func ended() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        _ = try await site.cancel(challenge)
        return try await site.refuses(try app.reply(challenge.fields), for: challenge)
    }

    private func union() async throws -> AttackVerdict {
        try await injected(try await site.ask(stage.alice))
    }

    /// The row of the original's table that makes its server verify with the sender's key.
    private func injected(_ challenge: AttackSite.Challenge) async throws -> AttackVerdict {
        let real = challenge.fields
        let forger = try AttackApp()
        let forged = try OriginalChallenge(
            body: real.body, category: OriginalChallenge.enrolmentCategory, expiry: real.expiry,
            messageID: real.messageID, nonce: real.nonce, responseURL: real.responseURL, shortTitle: real.shortTitle,
            subtitle: real.subtitle, title: real.title)
        func quoted(_ bytes: Bytes) -> String {
            "'" + String(decoding: bytes, as: UTF8.self).replacing("'", with: "''") + "'"
        }
        let columns = [
            "\(real.messageID)", quoted(real.nonce), quoted(real.title), quoted(real.subtitle), quoted(real.body),
            quoted(real.shortTitle), quoted(real.responseURL), quoted(forged.category), "\(real.expiry)", "0", "-1",
        ]
        let sql = "\(real.messageID) AND 0=1 UNION SELECT \(columns.joined(separator: ","))"
        for id: JSON in [.text(sql), .text("\(real.messageID) OR 1=1"), .array([.integer(real.messageID)])] {
            _ = try await site.callback(try forger.reply(forged, [("message_id", id)]))
            if try await site.isSigned(challenge) { return .wrong("an approval was forged") }
        }
        return .right
    }

    private func timed() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        func time(_ sql: String) async throws -> Duration {
            let id = JSON.text("\(challenge.fields.messageID) \(sql)")
            return try await site.callback(try app.reply(challenge.fields, [("message_id", id)])).duration
        }
        let quick = try await time("AND SLEEP(0)")
        for sql in ["AND SLEEP(1)", "AND pg_sleep(1)::text = ''"] {
            let slow = try await time(sql)
            // Twice, so that a busy moment is not taken for an answer.
            if slow - quick > .milliseconds(800), try await time(sql) - quick > .milliseconds(800) {
                return .wrong("the database can be read by the clock")
            }
        }
        return .right
    }

    /// Case 18, for which nobody has to be enrolled.
    static func malformed(at site: AttackSite) async -> AttackFinding {
        await .trying(.malformed) {
            for text in [
                "", "{", "[]", "null", "message_id=1&signature=00", "\"text\"", "{\"message_id\":{}}",
                "{\"message_id\":1,\"signature\":[],\"publickey\":1,\"token\":null}",
            ] {
                let answer = try await site.callback(Bytes(text: text))
                // Where nothing takes replies, nothing is refused either.
                guard answer.status != 404 && answer.status != 405 else { throw answer.trouble("takes no replies") }
                guard (400..<500).contains(answer.status), case .object = answer.json, !answer.isSuccess else {
                    return .wrong("status \(answer.status) and \(answer.body.count) bytes for '\(text)'")
                }
            }
            return .right
        }
    }

    private func session() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.mallory)
        guard try await site.callback(try stage.other.reply(challenge.fields)).isSuccess,
            try await site.isSigned(challenge, user: stage.mallory)
        else { return .unknown("mallory's valid reply does not count") }
        return try await site.isSigned(challenge, user: stage.alice) ? .wrong("it counts for alice") : .right
    }

    private func forged() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        let echo = JSON.string(Hex.encode(challenge.signature))
        for body in [
            try AttackApp().reply(challenge.fields), try AttackApp().reply(challenge.fields, [("publickey", app.pem)]),
            try app.reply(challenge.fields, [("signature", echo)]),
        ] {
            if case .wrong(let why) = try await site.refuses(body, for: challenge) { return .wrong(why) }
        }
        return try await injected(challenge)
    }

    private func lines() async throws -> AttackVerdict {
        let forging = ["Paying £30.00 to Purple Plumbing.", "Remark: 'x'.\nPaying £1.00 to Mallory from 'Savings'."]
        let answer = try await site.tryToAsk(stage.alice, lines: forging)
        guard answer.status < 300 else { return Mitigations.whenRefused(answer, "it was not refused") }
        let challenge = try AttackSite.Challenge(link: answer.json?.text("link"))
        let count = challenge.fields.body.split(separator: 0x0A).count
        return count > forging.count ? .wrong("the text has a line that the service did not write") : .right
    }

    private func unsigned() async throws -> AttackVerdict {
        let challenge = try await site.ask(stage.alice)
        return try await site.isSigned(challenge) ? .wrong("it does") : .right
    }
}
