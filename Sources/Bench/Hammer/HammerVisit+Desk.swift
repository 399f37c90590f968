import Interface
import Wallet

/// What an operator of the load looks for.
extension HammerVisit {
    /// Clients and decisions that are not there as the operator was told.
    func lookAtDesk(_ client: WalletClient) async throws -> [String] {
        var found: [String] = []
        let session = try await client.session()
        let acknowledged = acts.filter { $0.outcome == .acknowledged }
        let gone = Set(acts.filter { $0.act == .eraseClient && $0.outcome != .refused }.compactMap(\.subject))
        for act in acknowledged where act.act == .enrolClient {
            guard let id = act.result, !gone.contains(id) else { continue }
            let name = try await session.client(id).familyName
            if name != act.subject { found.append("\(username) finds client \(id) as \(name)") }
        }
        let clients = Dictionary(
            acknowledged.filter { $0.act == .sign }.map { ($0.result ?? "", $0.subject ?? "") }
        ) { first, _ in first }
        for act in acknowledged where act.act == .confirm || act.act == .refuse {
            guard let id = act.subject, let signer = clients[id], !gone.contains(signer) else { continue }
            let state = try await session.signing(id).state
            if state != (act.act == .confirm ? .confirmed : .refused) {
                found.append("\(username) finds transaction \(id) \(state.rawValue)")
            }
        }
        return found
    }
}
