import Approvals
import CryptoProvider
import Encodings
import Interface
import Wallet

/// Questions of the load to two or three people, of whom two have to allow: two of two, and two of three.
struct HammerQuorum: Sendable {
    let approvals: HammerApprovals
    let service: LoggedServiceKey
    let first: HammerApprovals.Approver
    private var hand: HammerHand { approvals.office.hand }

    func live(_ name: String, _ dice: inout HammerDice) async throws {
        var others = [try await enrol("\(name)-b")]
        if dice.happens(50) { others.append(try await enrol("\(name)-c")) }
        let question = try await approvals.ask(
            "together", first.member, together: others.map(\.member), service)
        var people = ([first] + others).shuffled(using: &dice)
        guard let one = people.popLast(), let other = people.popLast() else { return }
        if dice.happens(70) {
            try await allow(question, one, other)
            try await takeReceipt(of: question, one, other)
        } else {
            try await approvals.answer(question, .allow(code: nil), one, .allowTogether)
            try await approvals.answer(question, .deny(.mistake, .request), other, .deny)
        }
    }

    private func enrol(_ name: String) async throws -> HammerApprovals.Approver {
        try await approvals.enrol(try await approvals.office.join(name), service)
    }

    /// Both at once: which answer decides is for the server to say.
    private func allow(
        _ question: SignedApprovalChallenge, _ one: HammerApprovals.Approver, _ other: HammerApprovals.Approver
    ) async throws {
        async let early = attempt(question, one)
        async let late = attempt(question, other)
        for case let stop? in await [early, late] { throw stop }
    }

    /// Allows, and says what stopped it: thrown, it would break off the other's act in the middle.
    private func attempt(
        _ question: SignedApprovalChallenge, _ approver: HammerApprovals.Approver
    ) async -> (any Error)? {
        do {
            try await approvals.answer(question, .allow(code: nil), approver, .allowTogether)
            return nil
        } catch {
            return error
        }
    }

    /// As the service gets it, checked as a third party would.
    private func takeReceipt(
        of question: SignedApprovalChallenge, _ one: HammerApprovals.Approver, _ other: HammerApprovals.Approver
    ) async throws {
        let id = question.challenge.id.hex
        let sender = TrustedApprovalService(id: question.challenge.service.id, key: question.challenge.serverKey)
        let keys = Set([one, other].map(\.key.publicKey.x963))
        try await hand.act(.takeReceipt, by: one.member.username, subject: id) { server in
            let file: ApprovalReceiptFile = try await approvals.program(service, first.member, server)
                .get("/api/service/challenges/\(id)/receipt")
            let bytes = file.receipt.fromBase64URL ?? []
            let receipt = try ApprovalReceipt.verify(bytes, trusting: [sender], suite: SwiftCryptoSuite())
            guard receipt.challenge == question.challenge, receipt.decision == .allow(code: nil),
                receipt.answers.count == keys.count, Set(receipt.answers.map(\.device.x963)) == keys
            else { throw WalletError.unexpectedAnswer("another receipt") }
            return HammerHand.Done(value: (), result: SHA256.hash(bytes).base64URL)
        }
    }
}
