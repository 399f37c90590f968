import Encodings
import Interface
import Wallet

/// What a member of the load who answered services looks for.
extension HammerVisit {
    /// Receipts that are not, byte by byte, what the service was given.
    func lookAtApprovals(_ client: WalletClient) async throws -> [String] {
        var found: [String] = []
        for act in acts where act.act == .takeReceipt && act.outcome == .acknowledged {
            guard let question = act.subject else { continue }
            let digest = SHA256.hash(try await client.approvalReceipt(question)).base64URL
            if digest != act.result { found.append("\(username) finds another receipt of \(question)") }
        }
        return found + (try await lookForApprovers(client))
    }

    /// Devices that answer services, and are not in the member's own list.
    private func lookForApprovers(_ client: WalletClient) async throws -> [String] {
        let enrolments = acts.filter { [.enrolApprover, .enrolHandedOver].contains($0.act) }
        let enrolled = enrolments.filter { $0.outcome == .acknowledged }.compactMap(\.result)
        let removals = acts.filter { $0.act == .removeApprover && $0.outcome != .refused }
        let removed = Set(removals.compactMap(\.subject))
        let listed = enrolled.isEmpty ? [] : Set(try await client.approvalDevices().map(\.id))
        return enrolled.filter { !removed.contains($0) && !listed.contains($0) }.map {
            "\(username) does not find the approver \($0)"
        }
    }
}
