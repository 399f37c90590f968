package import Encodings
import Interface
import Vault

/// What became of a recovery secret that was written down.
package enum RecoverySecretOutcome: Sendable {
    /// The server has stored what it opens.
    case stored
    /// The server has said no or was never asked, and the secret opens nothing.
    case notStored
    /// Nobody knows which of the two.
    case unknown
}

// A new recovery secret replaces an earlier one. `Web/vault/ways.js` and `Web/vault/shares.js` do the same.
extension WalletClient {
    /// Makes a new recovery key of a vault.
    ///
    /// Earlier ones of this vault open nothing any more.
    ///
    /// - Parameters:
    ///   - confirm: called with its words, which nobody can show again, before anything is stored; it throws if they
    ///     were not written down.
    ///   - settled: called with what became of them, before earlier ones are removed.
    /// - Throws: `earlierOpens` if an earlier one may still open the vault.
    package func makeRecoveryKey(
        of vault: OpenVault, _ confirm: @Sendable (Bytes) async throws -> Void,
        settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        try await makeSecret(
            .recovery, of: vault, words: { RecoveryWords.text(of: $0, suite: suite) }, confirm, settled: settled)
    }

    /// Makes a slot for a new secret that is written down, in place of earlier ones of its kind.
    ///
    /// - Parameters:
    ///   - words: what is written down of the secret.
    ///   - confirm: called with it before anything is stored; it throws if it was not written down.
    func makeSecret<Words: Sendable>(
        _ kind: SecretSlot.Kind, of vault: OpenVault, words: (VaultSecret) throws -> Words,
        _ confirm: @Sendable (Words) async throws -> Void, settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        let state = try await self.vault()
        let secret = try VaultSecret.random(suite)
        let made = try slot(kind, secret, try Self.account(state), vault.compartment)
        let earlier = try slots(of: made.kind, in: state, opening: vault)
        try await confirm(words(secret))
        return try await replace(earlier, with: made, settled: settled)
    }

    /// Stores a slot whose secret is written down, and only then removes those that it replaces.
    ///
    /// So at each moment one of them opens the vault.
    ///
    /// - Parameters:
    ///   - earlier: the ids of those that are removed.
    ///   - settled: called with what became of the secret, before they are.
    /// - Throws: `earlierOpens` if the slot is stored, and some of the earlier ones may be there still.
    private func replace(
        _ earlier: [String], with made: VaultSlot, settled: @Sendable (RecoverySecretOutcome) throws -> Void
    ) async throws -> LoggedAct {
        let server = try session()
        let acknowledged: Acknowledgement
        do {
            acknowledged = try await server.put(
                "/api/vault/slots/\(made.id)", NewVaultSlot(kind: made.kind, sealed: made.sealed))
        } catch {
            let outcome = await self.outcome(of: made.id, after: error)
            try settled(outcome)
            throw error
        }
        try settled(.stored)
        var left = earlier
        do {
            let act = try await check(acknowledged.receipt, "vault.slot_changed")
            while let id = left.last {
                do {
                    _ = try await removeSlot(id)
                } catch let error as ProblemError where error.problem.status == 404 {
                    // Another device has removed it.
                }
                left.removeLast()
            }
            return act
        } catch {
            guard !left.isEmpty, error is ProblemError || OpenVault.isUncertain(error) else { throw error }
            throw VaultFault.earlierOpens(left)
        }
    }

    /// The ids of the slots of a kind that open a vault.
    ///
    /// Others may be of a decoy, which has its own.
    private func slots(
        of kind: Interface.VaultSlot.Kind, in state: VaultState, opening vault: OpenVault
    ) throws -> [String] {
        let account = try Self.account(state)
        return state.slots.filter { $0.kind == kind && isSlot($0, of: vault.compartment, account) }.map(\.id)
    }

    /// Whether a slot opens a compartment, as far as its key can tell without the slot's secret.
    private func isSlot(_ stored: StoredVaultSlot, of compartment: Compartment, _ account: VaultAccount) -> Bool {
        guard let id = SlotID(text: stored.id), let sealed = stored.sealed.fromBase64URL,
            let slot = try? SecretSlot(sealed)
        else { return false }
        // Only a slot that somebody with the compartment's key has made is made again.
        return (try? slot.renewed(from: compartment, to: compartment, id: id, of: account, suite: suite)) != nil
    }

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
