import Interface

/// What became of a recovery secret that was written down.
package enum RecoverySecretOutcome: Sendable {
    /// The server has stored what it opens.
    case stored
    /// The server has said no or was never asked, and the secret opens nothing.
    case notStored
    /// Nobody knows which of the two.
    case unknown
}

extension WalletClient {
    /// What became of the secret of a new slot that the server was asked to store, and answered with an error.
    ///
    /// Something between may send a request twice, and then only the no to the second arrives: so the no is not enough.
    func outcome(of slot: String, after error: any Error) async -> RecoverySecretOutcome {
        guard let status = (error as? ProblemError)?.problem.status, (400..<500).contains(status), status != 408 else {
            return .unknown
        }
        do {
            let state = try await self.vault()
            return state.slots.contains { $0.id == slot } ? .unknown : .notStored
        } catch VaultFault.noVault {
            return .notStored
        } catch {
            return .unknown
        }
    }
}
