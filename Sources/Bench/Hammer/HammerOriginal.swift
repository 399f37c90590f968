import Approvals
import CryptoProvider
import Encodings
import Interface
import Wallet

/// A service of the load that speaks version 1, the original's protocol, and an app of a member that answers it.
struct HammerOriginal: Sendable {
    let approvals: HammerApprovals
    let service: LoggedServiceKey
    let approver: HammerApprovals.Approver
    private var hand: HammerHand { approvals.office.hand }
    private var member: HammerPerson { approver.member }

    /// An app, with the key that it knows of the service.
    private struct App: Sendable {
        let key: OriginalSigningKey
        let site: OriginalServerKey
    }

    func live(_ dice: inout HammerDice) async throws {
        let secret = try SigningKey().rawRepresentation
        let app = App(key: try OriginalSigningKey(rawRepresentation: secret), site: try await speak())
        try await enrol(app)
        for _ in 0..<Int.random(in: 1...2, using: &dice) {
            let question = try await ask(app)
            if dice.happens(70) { try await allow(question, app) }
        }
    }

    private func speak() async throws -> OriginalServerKey {
        let (office, info) = (approvals.office, service.service)
        return try await hand.act(.speakOriginal, by: office.owner.username, subject: info.domain) { server in
            let changed = try await office.owner.clients[server].setOriginal(info.id, accepts: true)
            let key = try OriginalServerKey(pem: Bytes(text: changed.service.originalKey ?? ""))
            return HammerHand.Done(value: key, receipt: changed.act.receipt)
        }
    }

    /// The app answers two links; then the member's approver agrees.
    private func enrol(_ app: App) async throws {
        let proven = try await hand.step(by: member.username, .enrolApp) { server in
            try await prove(app, approvals.program(service, member, server))
        }
        let question = try await hand.step(by: member.username, .enrolApp) { server in
            let shown = try await member.clients[server].challenge(proven.question)
            return try HammerApprovals.checked(shown.message?.fromBase64URL ?? [], service.service)
        }
        try await approvals.answer(question, .allow(code: Bytes(text: proven.code)), approver, .enrolApp)
    }

    private func prove(_ app: App, _ program: ServerClient) async throws -> (question: String, code: String) {
        let path = "/api/service/authreq/enrolments"
        // The app has no API key.
        let phone = program.with(token: nil)
        let begun: OriginalEnrolment = try await program.post(
            path, NewOriginalEnrolment(user: member.username, session: HammerApprovals.session))
        try await reply(to: challenge(begun.link, app), app, phone)
        let taken: OriginalEnrolment = try await program.get("\(path)/\(begun.id)")
        try await reply(to: challenge(taken.link, app), app, phone)
        let asked: OriginalEnrolment = try await program.post(
            "\(path)/\(begun.id)/ask", ApprovalEnrolmentEnd(session: HammerApprovals.session))
        guard let question = asked.question, let code = asked.code else {
            throw WalletError.unexpectedAnswer("an app that has not answered")
        }
        return (question, code)
    }

    private func ask(_ app: App) async throws -> OriginalChallenge {
        let request = NewOriginalChallenge(
            user: member.username, title: "Hammered", lines: ["Pay 30.00", "to nobody"], lifetime: 3_600)
        return try await hand.act(.askOriginal, by: member.username, subject: service.service.domain) { server in
            let asked: OriginalRequest = try await approvals.program(service, member, server)
                .post("/api/service/authreq/challenges", request)
            return HammerHand.Done(value: try challenge(asked.link, app), result: "\(asked.messageID)")
        }
    }

    private func allow(_ question: OriginalChallenge, _ app: App) async throws {
        let (id, user) = (question.messageID, member.username)
        try await hand.act(.allowOriginal, by: user, subject: "\(id)") { server in
            try await reply(to: question, app, approvals.office.people.client(of: user, server: server))
            let found: OriginalSigned = try await approvals.program(service, member, server)
                .get("/api/authreq/isSigned?message_id=\(id)&user=\(user)")
            guard found.signed else { throw WalletError.unexpectedAnswer("an answer that does not count") }
            return HammerHand.Done(value: ())
        }
    }

    /// What the service has signed.
    private func challenge(_ link: String?, _ app: App) throws -> OriginalChallenge {
        try OriginalLink.parse(Bytes(text: link ?? "")).verified(by: app.site, suite: SwiftCryptoSuite())
    }

    /// A reply as the app sends it.
    private struct Reply: Encodable, Sendable {
        let messageId: Int64
        let signature: String
        let publickey: String
        let token = ""
    }

    private struct Taken: Decodable, Sendable {
        let success: Bool
    }

    private func reply(to challenge: OriginalChallenge, _ app: App, _ client: ServerClient) async throws {
        let signature = try app.key.sign(challenge.canonical())
        let reply = Reply(
            messageId: challenge.messageID,
            signature: String(decoding: Hex.encode(ECDSASignature.der(fromRaw: signature) ?? []), as: UTF8.self),
            publickey: String(decoding: OriginalDeviceKey.pem(app.key.publicKey), as: UTF8.self))
        let taken: Taken = try await client.post("/api/authreq/callback", reply)
        guard taken.success else { throw WalletError.unexpectedAnswer("a reply that was not taken") }
    }
}
