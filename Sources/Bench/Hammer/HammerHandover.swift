import Approvals
import CryptoProvider
import Encodings
import Interface
import Wallet

/// A new approver of a member of the load, for which the older one gives its word through the server.
///
/// Both keys are in the one wallet that the member has.
struct HammerHandover: Sendable {
    let approvals: HammerApprovals
    let service: LoggedServiceKey
    let older: HammerApprovals.Approver
    private var hand: HammerHand { approvals.office.hand }
    private var member: HammerPerson { older.member }

    /// - Returns: the new one; both may answer.
    func live() async throws -> HammerApprovals.Approver {
        let candidate = try await approvals.begin(member, service, .handOver)
        let enrolment = try DeviceEnrolment(
            offer: candidate.offer, name: Bytes(text: Self.name), key: candidate.key.publicKey,
            voucher: older.key.publicKey)
        let by = older.key.publicKey.x963.base64URL
        try await ask(candidate.id, candidate.key.publicKey.x963.base64URL, by)
        let word = try older.key.sign(enrolment.bytesToSign(candidate.offer))
        try await agree(candidate.id, ApprovalHandoverWord(by: by, handover: word.base64URL))
        return try await approvals.take(candidate, enrolment, service, .enrolHandedOver, handover: word)
    }

    /// The new one asks, and the older one looks at it: from then on both know what they sign.
    private func ask(_ id: String, _ key: String, _ by: String) async throws {
        try await hand.step(by: member.username, .handOver) { server in
            let session = try await member.clients[server].session()
            let asked: MemberEnrolment = try await session.put(
                "/api/approvals/enrolments/\(id)/handover", NewApprovalHandover(name: Self.name, key: key))
            guard asked.handover?.state == .asked else {
                throw WalletError.unexpectedAnswer("a request for a word that is not there")
            }
            let claimed: ApprovalHandover = try await session.post(
                "/api/approvals/handovers/\(id)/claim", ApprovalHandoverClaim(by: by))
            guard claimed.state == .claimed, claimed.by == by, claimed.key == key else {
                throw WalletError.unexpectedAnswer("a request for a word about another key")
            }
        }
    }

    /// The older one gives its word, and the new one finds it.
    private func agree(_ id: String, _ word: ApprovalHandoverWord) async throws {
        try await hand.act(.handOver, by: member.username, subject: id) { server in
            let session = try await member.clients[server].session()
            let _: ApprovalHandover = try await session.post("/api/approvals/handovers/\(id)/agree", word)
            let told = try await session.takenOffer(id).handover
            guard told?.state == .agreed, told?.by == word.by, told?.handover == word.handover else {
                throw WalletError.unexpectedAnswer("another word than was given")
            }
            return HammerHand.Done(value: ())
        }
    }

    private static let name = "hammer, too"
}
