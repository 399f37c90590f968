import Interface
import Wallet

/// A member of the load who says that all their approvers are lost, begins to wait, and ends the wait or not.
///
/// Nobody waits for three days.
struct HammerRecovery: Sendable {
    let hand: HammerHand
    let member: HammerPerson

    func live(_ dice: inout HammerDice) async throws {
        try await begin()
        guard dice.happens(60) else { return }
        try await end()
        if dice.happens(40) { try await begin() }
    }

    private func begin() async throws {
        try await hand.act(.beginRecovery, by: member.username, subject: member.username) { server in
            let wallet = member.clients[server]
            let device = await wallet.header.device
            guard let wait = try await wallet.beginApprovalRecovery().wait, wait.device == device else {
                throw WalletError.unexpectedAnswer("no wait of this device")
            }
            guard try await wallet.approvalRecovery().wait == wait else {
                throw WalletError.unexpectedAnswer("another wait than was begun")
            }
            return HammerHand.Done(value: (), result: "\(wait.started)")
        }
    }

    private func end() async throws {
        try await hand.act(.endRecovery, by: member.username, subject: member.username) { server in
            let left = try await member.clients[server].endApprovalRecovery()
            guard left.wait == nil else { throw WalletError.unexpectedAnswer("a wait that goes on") }
            return HammerHand.Done(value: ())
        }
    }
}
