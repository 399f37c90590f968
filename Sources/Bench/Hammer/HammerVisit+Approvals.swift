import Encodings
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
        return found
    }
}
