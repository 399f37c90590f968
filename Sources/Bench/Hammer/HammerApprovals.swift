import Approvals
import CryptoProvider
import Encodings
import Interface
import Wallet

/// Services of the load that ask, and members who answer.
struct HammerApprovals: Sendable {
    let office: HammerOffice
    private var hand: HammerHand { office.hand }

    /// One service and one member after the other, until the load ends.
    func work(name prefix: String, dice: HammerDice) async {
        var dice = dice
        var number = 0
        while !hand.servers.isStopping {
            number += 1
            do {
                try await live("\(prefix)-\(number)", &dice)
            } catch {
                // Written down; the next one comes.
                try? await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    private func live(_ name: String, _ dice: inout HammerDice) async throws {
        var service = try await office.openService("\(name).example")
        do {
            if dice.happens(40) { service = try await office.rotateKey(of: service) }
            let member = try await office.join(name)
            var approver = try await enrol(member, service)
            if dice.happens(50) { try await HammerCodes(hand: hand, member: member).live(&dice) }
            if dice.happens(40) { try await HammerRecovery(hand: hand, member: member).live(&dice) }
            if dice.happens(40) {
                approver = try await HammerHandover(approvals: self, service: service, older: approver).live()
            }
            for number in 0..<Self.questions {
                let question = try await ask("\(number)", member, service)
                if dice.happens(70) {
                    try await answer(question, .allow(code: nil), approver, .allow)
                } else if dice.happens(60) {
                    try await answer(question, .deny(.mistake, .request), approver, .deny)
                } else if dice.happens(60) {
                    try await withdraw(question, member, service)
                }
            }
            if dice.happens(60) {
                try await HammerQuorum(approvals: self, service: service, first: approver).live(name, &dice)
            }
            if dice.happens(40) {
                try await HammerOriginal(approvals: self, service: service, approver: approver).live(&dice)
            } else if dice.happens(80) {
                try await HammerDenials(approvals: self, service: service, approver: approver).live(&dice)
            }
            if dice.happens(40) { try await remove(approver) }
        } catch {
            // There may be so many services at once.
            if !hand.servers.isStopping { try await office.closeService(service.service) }
            throw error
        }
        try await office.closeService(service.service)
    }

    /// A member, with a device at a service.
    struct Approver: Sendable {
        let member: HammerPerson
        let device: String
        let key: SigningKey
    }

    /// A device of a member to which a service has made an offer.
    struct Candidate: Sendable {
        let member: HammerPerson
        /// The offer's id.
        let id: String
        let offer: ApprovalOffer
        let key: SigningKey
    }

    func enrol(_ member: HammerPerson, _ service: LoggedServiceKey) async throws -> Approver {
        let candidate = try await begin(member, service, .enrolApprover)
        let enrolment = try DeviceEnrolment(
            offer: candidate.offer, name: Bytes(text: "hammer"), key: candidate.key.publicKey)
        return try await take(candidate, enrolment, service, .enrolApprover)
    }

    /// The service makes an offer, and the member's device a key for it.
    func begin(
        _ member: HammerPerson, _ service: LoggedServiceKey, _ kind: HammerAct.Kind
    ) async throws -> Candidate {
        let request = NewApprovalEnrolment(user: member.username, session: Self.session)
        let begun: ApprovalEnrolment = try await hand.step(by: member.username, kind) { server in
            try await program(service, member, server).post("/api/service/enrolments", request)
        }
        let message = try ApprovalLink.parse(Bytes(text: begun.link ?? ""))
        let offer = try ApprovalOffer.parse(message, at: begun.expires, suite: SwiftCryptoSuite())
        return Candidate(member: member, id: begun.id, offer: offer, key: try SigningKey())
    }

    /// The device takes the offer, and the service confirms it.
    ///
    /// - Parameter handover: the word of the older device that the enrolment names.
    func take(
        _ candidate: Candidate, _ enrolment: DeviceEnrolment, _ service: LoggedServiceKey, _ kind: HammerAct.Kind,
        handover: Bytes? = nil
    ) async throws -> Approver {
        let (member, id, offer, key) = (candidate.member, candidate.id, candidate.offer, candidate.key)
        let body = enrolment.encoded(signature: try key.sign(enrolment.bytesToSign(offer)), handover: handover)
        let taken = TakenApprovalOffer(message: body.base64URL)
        let code = String(decoding: enrolment.code(offer, suite: SwiftCryptoSuite()), as: UTF8.self)
        let confirmation = ApprovalEnrolmentConfirmation(session: Self.session, code: code)
        return try await hand.act(kind, by: member.username, subject: id) { server in
            let session = try await member.clients[server].session()
            _ = try await session.takeOffer(id, taken)
            let _: ApprovalEnrolment = try await program(service, member, server)
                .post("/api/service/enrolments/\(id)/confirm", confirmation)
            guard let device = try await session.takenOffer(id).device,
                device.publicKey == key.publicKey.x963.base64URL
            else { throw WalletError.unexpectedAnswer("a device that is not enrolled") }
            return HammerHand.Done(
                value: Approver(member: member, device: device.id, key: key), result: device.id)
        }
    }

    /// Asks a member, or members of whom two have to allow.
    func ask(
        _ number: String, _ member: HammerPerson, together others: [HammerPerson] = [], _ service: LoggedServiceKey
    ) async throws -> SignedApprovalChallenge {
        let kind: HammerAct.Kind = others.isEmpty ? .ask : .askTogether
        let request = question(number, [member] + others)
        return try await hand.act(kind, by: member.username, subject: service.service.domain) { server in
            let asked: ServiceChallenge = try await program(service, member, server)
                .post("/api/service/challenges", request)
            let signed = try Self.checked(ApprovalLink.parse(Bytes(text: asked.link ?? "")), service.service)
            return HammerHand.Done(value: signed, result: asked.id)
        }
    }

    /// What the service has signed.
    static func checked(_ message: Bytes, _ service: ApprovalServiceInfo) throws -> SignedApprovalChallenge {
        guard let key = P256PublicKey(x963: service.publicKey.fromBase64URL ?? []) else {
            throw WalletError.unexpectedAnswer("a service without a key")
        }
        return try UnverifiedApprovalChallenge.parse(message)
            .verified(service: Bytes(text: service.domain), key: key, suite: SwiftCryptoSuite())
    }

    func question(_ number: String, _ approvers: [HammerPerson]) -> NewApprovalChallenge {
        NewApprovalChallenge(
            idempotencyKey: number, action: .pay,
            fields: [ApprovalField(.amount, value: 3_000, currency: "GBP"), ApprovalField(.payee, text: "Hammered")],
            approvers: approvers.map(\.username), need: approvers.count > 1 ? 2 : nil, lifetime: 86_400,
            matchDigits: 0)
    }

    func answer(
        _ question: SignedApprovalChallenge, _ decision: ApprovalDecision, _ approver: Approver, _ kind: HammerAct.Kind
    ) async throws {
        let (member, suite) = (approver.member, SwiftCryptoSuite())
        let signature = try approver.key.sign(question.bytesToSign(decision, suite: suite))
        let message = ApprovalAnswer(
            to: question, decision, key: approver.key.publicKey, signature: signature, suite: suite
        ).encoded()
        try await hand.act(kind, by: member.username, subject: question.challenge.id.hex) { server in
            let given = try await office.people.client(of: member.username, server: server)
                .answer(ApprovalMessage(message: message.base64URL))
            _ = try await member.clients[server].trust().verify(
                given.receipt, type: kind.entryType ?? "",
                members: [("public_key", .text(approver.key.publicKey.x963.base64URL))])
            return HammerHand.Done(value: (), receipt: given.receipt.proof)
        }
    }

    private func withdraw(
        _ question: SignedApprovalChallenge, _ member: HammerPerson, _ service: LoggedServiceKey
    ) async throws {
        let id = question.challenge.id.hex
        try await hand.act(.withdraw, by: member.username, subject: id) { server in
            let _: ServiceChallenge = try await program(service, member, server)
                .post("/api/service/challenges/\(id)/cancel")
            return HammerHand.Done(value: ())
        }
    }

    private func remove(_ approver: Approver) async throws {
        let member = approver.member
        try await hand.act(.removeApprover, by: member.username, subject: approver.device) { server in
            let wallet = member.clients[server]
            let done = try await wallet.session().removeApprovalDevice(approver.device)
            _ = try await wallet.trust().verify(done.receipt, type: "approval_device.removed")
            return HammerHand.Done(value: (), receipt: done.receipt.proof)
        }
    }

    /// The service's program, at a server.
    func program(_ service: LoggedServiceKey, _ member: HammerPerson, _ server: Int) -> ServerClient {
        office.people.client(of: member.username, server: server).with(token: SessionToken(service.apiKey))
    }

    /// A service may ask a member ten times in an hour: the others are for ``HammerQuorum``, and ``HammerDenials`` or
    /// ``HammerOriginal``.
    private static let questions = 3
    static let session = "a session of the load"
}
