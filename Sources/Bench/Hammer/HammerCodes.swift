import Interface
import Wallet

/// A member of the load who makes recovery codes for the loss of all approvers, and others in their place.
///
/// None is used: they work after three days.
struct HammerCodes: Sendable {
    let hand: HammerHand
    let member: HammerPerson

    func live(_ dice: inout HammerDice) async throws {
        for _ in 0..<Int.random(in: 1...2, using: &dice) { try await make() }
    }

    private func make() async throws {
        try await hand.act(.makeCodes, by: member.username, subject: member.username) { server in
            let wallet = member.clients[server]
            let made = try await wallet.makeApprovalRecoveryCodes()
            let found = try await wallet.approvalRecovery()
            guard found.codes == made.codes.codes.count, found.codesFrom == made.codes.from else {
                throw WalletError.unexpectedAnswer("other recovery codes")
            }
            // Who has the journal must not have the codes.
            return HammerHand.Done(value: (), result: "\(made.codes.from)", receipt: made.act.receipt)
        }
    }
}
